/** What a new web chat starts with: three people, and a group with the bot in it. */
import { BOT_ID, type LogRecord } from './model.ts'

/** Records of the first start; `now` in epoch milliseconds. */
export function seed(now: number): LogRecord[] {
  const joined_at = Math.floor(now / 1000)
  const people = ['Ann', 'Ben', 'Chen'].map((name, at) => ({ id: `u-${at + 1}`, name, friend: true, remark: null }))
  return [
    ...people.map((person): LogRecord => ({ t: 'person', person })),
    {
      t: 'group',
      group: {
        id: 'g-4',
        name: 'Lounge',
        description: 'A group to try the bot in.',
        owner_id: 'u-1',
        members: [
          { user_id: 'u-1', role: 'owner', joined_at, muted: null },
          { user_id: 'u-2', role: 'member', joined_at, muted: null },
          { user_id: 'u-3', role: 'member', joined_at, muted: null },
          { user_id: BOT_ID, role: 'admin', joined_at, muted: null },
        ],
        banned: {},
      },
    },
  ]
}
