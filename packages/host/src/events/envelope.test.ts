import type { PlatformEventInput } from '@runbound/protocol'
import { describe, expect, test } from 'vitest'
import { heldClock } from '../conversations/fixtures.ts'
import { envelopeOfEvent, eventTime } from './envelope.ts'
import { eventOf, incoming, messageOf } from './fixtures.ts'
import { eventSummary, inputOf } from './input.ts'

const bot = { bot_uuid: 'b-1', workspace_uuid: 'w-1', adapter_name: 'test', account_id: null }
const clock = heldClock()

function envelope(input: PlatformEventInput, over = {}) {
  return envelopeOfEvent(eventOf(input), incoming(eventOf(input), null, over), bot, 'e-1', clock)
}

const ann = { id: 'ann', nickname: 'Ann' }
const bob = { id: 2, username: 'bob' }
const group = { id: 'g', name: 'Group' }

describe('who, about what, where', () => {
  test.each<[PlatformEventInput, string | null, string | null, string | null, string | null]>([
    [{ type: 'message.received', sender: ann, chat_id: 'ann', message_id: 1 }, 'ann', 'message', '1', 'person_ann'],
    [
      { type: 'message.received', sender: ann, chat_type: 'group', chat_id: 'g', group, message_id: 1 },
      'ann',
      'group',
      'g',
      'group_g',
    ],
    [
      { type: 'message.edited', editor: bob, chat_type: 'group', chat_id: 'g', message_id: 'm' },
      '2',
      'message',
      'm',
      'group_g',
    ],
    [{ type: 'message.deleted', operator: bob, chat_id: 'c', message_id: 'm' }, '2', 'message', 'm', 'person_c'],
    [{ type: 'message.deleted', chat_id: 'c', message_id: 'm' }, null, 'message', 'm', 'person_c'],
    [
      { type: 'message.reaction', user: ann, chat_id: 'c', message_id: 'm', reaction: '+1' },
      'ann',
      'message',
      'm',
      'person_c',
    ],
    [
      { type: 'feedback.received', feedback_id: 'f', feedback_type: 1, user_id: 'ann', session_id: 'person_ann' },
      'ann',
      'feedback',
      'f',
      'person_ann',
    ],
    [
      { type: 'feedback.received', feedback_id: 'f', feedback_type: 3, session_id: 'unknown' },
      null,
      'feedback',
      'f',
      null,
    ],
    [{ type: 'group.member_joined', group, member: ann, inviter: bob }, 'ann', 'group', 'g', 'group_g'],
    [{ type: 'group.member_left', group, member: ann, is_kicked: true, operator: bob }, 'ann', 'group', 'g', 'group_g'],
    [{ type: 'group.member_banned', group, member: ann, operator: bob }, 'ann', 'group', 'g', 'group_g'],
    [{ type: 'group.info_updated', group, operator: bob }, '2', 'group', 'g', 'group_g'],
    [{ type: 'friend.request_received', user: ann, request_id: 'q' }, 'ann', 'user', 'ann', null],
    [{ type: 'friend.added', user: ann }, 'ann', 'user', 'ann', 'person_ann'],
    [{ type: 'friend.removed', user: ann }, 'ann', 'user', 'ann', null],
    [{ type: 'bot.invited_to_group', group, inviter: ann }, 'ann', 'group', 'g', 'group_g'],
    [{ type: 'bot.removed_from_group', group }, null, 'group', 'g', 'group_g'],
    [{ type: 'bot.muted', group, operator: bob, duration: 60 }, '2', 'group', 'g', 'group_g'],
    [{ type: 'bot.unmuted', group }, null, 'group', 'g', 'group_g'],
    [
      { type: 'platform.specific', action: 'poke', data: { target_type: 'person', target_id: 5 } },
      null,
      'platform_action',
      'poke',
      'person_5',
    ],
    [{ type: 'platform.specific', action: 'poke' }, null, 'platform_action', 'poke', null],
    [{ type: 'wecomcs.enter_session', external_userid: 'x', chat_id: 'x' }, 'x', null, null, 'person_x'],
    [{ type: 'dingtalk.card_action', user: ann, action: 'ok' }, 'ann', 'user', 'ann', null],
  ])(
    '[runner.context.actor] [runner.context.subject] [runner.context.conversation] %j',
    (input, actor, subject, subjectId, conversation) => {
      const made = envelope(input)
      expect(made.actor?.actor_id ?? null).toBe(actor)
      expect(made.subject?.subject_type ?? null).toBe(subject)
      expect(made.subject?.subject_id ?? null).toBe(subjectId)
      expect(made.conversation?.conversation_id ?? null).toBe(conversation)
      expect(made.reply_target === null).toBe(conversation === null)
    },
  )

  test('names: nickname, else user name, else none', () => {
    expect(envelope({ type: 'message.received', sender: bob }).actor?.actor_name).toBe('bob')
    expect(envelope({ type: 'message.received', sender: { id: 1 } }).actor?.actor_name).toBeNull()
  })

  test('what the adapter says of target and thread wins', () => {
    const input = { type: 'friend.request_received', user: ann } as const
    const given = envelope(input, { reply_target: { target_type: 'group', target_id: 'g', thread_id: 't' } })
    expect(given.conversation).toEqual({ conversation_id: 'group_g', thread_id: 't', chat_type: 'group', chat_id: 'g' })
    const nowhere = envelope({ type: 'message.received', chat_id: 'c' }, { reply_target: null })
    expect([nowhere.conversation, nowhere.reply_target]).toEqual([null, null])
    const forum = envelope({ type: 'message.received', chat_id: 'c', message_id: 'm' }, { thread_id: '7' })
    expect(forum.reply_target).toEqual({ target_type: 'person', target_id: 'c', message_id: 'm', thread_id: '7' })
  })

  test('[runner.context.event-data] the data is the event in wire spelling, without the raw platform object', () => {
    const { data } = envelope({ type: 'message.received', message_id: 'm', source_platform_object: { secret: 1 } })
    expect(data).toMatchObject({
      type: 'message.received',
      bot_uuid: 'b-1',
      adapter_name: 'test',
      source_platform_object: null,
    })
  })

  test('[runner.context.trigger] time is whole seconds; milliseconds are recognised, none means now', () => {
    expect(eventTime(1_700_000_000.9, clock)).toBe(1_700_000_000)
    expect(eventTime(1_700_000_000_900, clock)).toBe(1_700_000_000)
    expect(eventTime(0, clock)).toBe(1_700_000_000)
    expect(eventTime(Number.NaN, clock)).toBe(1_700_000_000)
  })
})

describe('[runner.context.input] input', () => {
  const png = `data:image/png;base64,${Buffer.from('picture').toString('base64')}`

  test('text, contents and attachments of a message, in order, with refs', () => {
    const input = inputOf(
      messageOf('', {
        message_chain: [
          { type: 'Source', id: 'm', timestamp: 1 },
          { type: 'At', target: 7, display: 'Bot' },
          { type: 'Plain', text: ' look' },
          { type: 'Image', url: 'http://x/a.png', path: '/tmp/secret' },
          { type: 'Image', base64: png },
          { type: 'Voice', base64: 'AAAA', length: 3 },
          { type: 'File', id: 'f-1', name: 'a.pdf', size: 12, url: 'http://x/a.pdf' },
        ],
      }),
    )
    expect(input.text).toBe('@Bot look')
    expect(
      input.contents.map(({ type, text, image_url, image_base64 }) => [type, text ?? image_url?.url ?? image_base64]),
    ).toEqual([
      ['text', '@Bot'],
      ['text', ' look'],
      ['image_url', 'http://x/a.png'],
      ['image_base64', png],
    ])
    expect(input.attachments).toMatchObject([
      { ref: 'attachment-0', type: 'image', source: 'url', url: 'http://x/a.png', path: null, content: null },
      { ref: 'attachment-1', type: 'image', source: 'base64', mime_type: 'image/png', size: 7, content: null },
      { ref: 'attachment-2', type: 'voice', source: 'message_chain', content: 'AAAA', size: 3 },
      { ref: 'attachment-3', type: 'file', name: 'a.pdf', size: 12, url: 'http://x/a.pdf', id: 'f-1' },
    ])
  })

  test('the same file twice is one attachment, and a picture alone has an empty text', () => {
    const input = inputOf(
      messageOf('', {
        message_chain: [
          { type: 'Image', base64: png },
          { type: 'Image', base64: png },
          { type: 'Image', url: 'u' },
          { type: 'Image', url: 'u' },
        ],
      }),
    )
    expect(input.attachments.map(({ ref, source }) => [ref, source])).toEqual([
      ['attachment-0', 'base64'],
      ['attachment-1', 'url'],
    ])
    expect(input.text).toBe('')
  })

  test.each<[PlatformEventInput, string]>([
    [
      {
        type: 'message.edited',
        new_content: [
          { type: 'Plain', text: 'fixed' },
          { type: 'Image', url: 'u' },
        ],
      },
      'fixed[Image]',
    ],
    [{ type: 'message.deleted', message_id: 5 }, '5'],
    [{ type: 'message.reaction', reaction: '+1' }, '+1'],
    [{ type: 'group.member_joined', member: ann }, 'Ann'],
    [{ type: 'group.member_joined', member: { id: 9 } }, '9'],
    [{ type: 'bot.muted', group }, 'Group'],
    [{ type: 'group.info_updated', changed_fields: ['name', 'avatar'] }, 'name, avatar'],
    [{ type: 'feedback.received', feedback_id: 'f', feedback_type: 1 }, 'feedback.received'],
  ])('the summary of %j', (event, summary) => {
    expect(eventSummary(eventOf(event))).toBe(summary)
  })
})
