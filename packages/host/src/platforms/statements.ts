/** The statements and queries of bots and bot_notes; no other file of the host writes them. */
import { query, type Slots, statement } from '@runbound/store'

const BOT_COLUMNS = ['bot_uuid', 'workspace_uuid', 'name', 'platform', 'settings', 'admins', 'enabled'] as const

export const allBots = query((db, p: Slots<{ workspace_uuid: string }>) =>
  db
    .selectFrom('bots')
    .select(BOT_COLUMNS)
    .where('workspace_uuid', '=', p('workspace_uuid'))
    .orderBy('created_at')
    .orderBy('bot_uuid'),
)

export interface BotRow {
  readonly bot_uuid: string
  readonly workspace_uuid: string
  readonly name: string
  readonly platform: string
  readonly settings: string
  readonly admins: string
  readonly enabled: 0 | 1
  readonly now: number
}

export const upsertBot = statement(
  (db, p: Slots<{ [K in keyof BotRow]: BotRow[K] }>) =>
    db
      .insertInto('bots')
      .values({
        bot_uuid: p('bot_uuid'),
        workspace_uuid: p('workspace_uuid'),
        name: p('name'),
        platform: p('platform'),
        settings: p('settings'),
        admins: p('admins'),
        enabled: p('enabled'),
        created_at: p('now'),
        updated_at: p('now'),
      })
      .onConflict((c) =>
        c.column('bot_uuid').doUpdateSet({
          name: p('name'),
          settings: p('settings'),
          admins: p('admins'),
          enabled: p('enabled'),
          updated_at: p('now'),
        }),
      ),
  { expect: 1 },
)
export const deleteBot = statement((db, p: Slots<{ bot_uuid: string }>) =>
  db.deleteFrom('bots').where('bot_uuid', '=', p('bot_uuid')),
)

export const noteValue = query((db, p: Slots<{ bot_uuid: string; name: string }>) =>
  db.selectFrom('bot_notes').select('value').where('bot_uuid', '=', p('bot_uuid')).where('name', '=', p('name')),
)
export const setNote = statement((db, p: Slots<{ bot_uuid: string; name: string; value: string }>) =>
  db
    .insertInto('bot_notes')
    .values({ bot_uuid: p('bot_uuid'), name: p('name'), value: p('value') })
    .onConflict((c) => c.columns(['bot_uuid', 'name']).doUpdateSet({ value: p('value') })),
)
