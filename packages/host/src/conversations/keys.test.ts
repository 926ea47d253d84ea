import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Alarm } from './alarm.ts'
import { cutText } from './cut.ts'
import { envelopeWith } from './fixtures.ts'
import { chatKeyOf, conversationKey, laneKey, memberOf, targetKey } from './keys.ts'

const id = fc.string({ unit: fc.constantFrom('a', 'b', '/', '@', '%', '!', '|', '2', '5', 'F', 'é') })

test('different places never share a key, whatever their ids hold, and a key gives its chat and member back', () => {
  const place = fc.record({ bot: id, chat: id, thread: fc.option(id), member: fc.option(id), debug: fc.boolean() })
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [one, two] = [a, b].map(({ bot, chat, thread, member, debug }) => {
        const envelope = envelopeWith('', {
          bot_uuid: bot,
          conversation: { conversation_id: chat, thread_id: thread, chat_type: 'person', chat_id: chat },
          actor: member === null ? null : { actor_type: 'user', actor_id: member, actor_name: null, metadata: {} },
          debug: debug ? {} : null,
        })
        const key = conversationKey(envelope, 'member') ?? ''
        expect(memberOf(key)).toBe(member)
        expect(chatKeyOf(key)).toBe(conversationKey(envelope, 'chat'))
        expect(memberOf(chatKeyOf(key))).toBeNull()
        return { key, lane: laneKey(envelope, 'member', 'p') }
      })
      const same = JSON.stringify(a) === JSON.stringify(b)
      expect(one?.key === two?.key).toBe(same)
      expect(one?.lane === two?.lane).toBe(same)
    }),
  )
})

test('what is sent to a chat by itself stands in the conversation of the events from there', () => {
  fc.assert(
    fc.property(id, id, fc.option(id), (bot, chat, thread) => {
      const envelope = envelopeWith('', {
        bot_uuid: bot,
        conversation: { conversation_id: `group_${chat}`, thread_id: thread, chat_type: 'group', chat_id: chat },
      })
      const target = { target_type: 'group', target_id: chat, thread_id: thread }
      expect(targetKey(envelope.workspace_uuid, bot, target)).toBe(conversationKey(envelope, 'chat'))
    }),
  )
})

test('a conversation, a subject and an actor of the same name are different lanes', () => {
  const lanes = [
    envelopeWith('', {
      conversation: { conversation_id: '!subject', thread_id: 'user', chat_type: 'person', chat_id: 'x' },
    }),
    envelopeWith('', { conversation: null, subject: { subject_type: 'user', subject_id: 'x', data: {} } }),
    envelopeWith('', {
      conversation: null,
      subject: null,
      actor: { actor_type: 'user', actor_id: 'x', actor_name: null, metadata: {} },
    }),
    envelopeWith('', { conversation: null, subject: null, actor: null }),
  ].map((envelope) => laneKey(envelope, 'chat', 'p'))
  expect(new Set(lanes).size).toBe(4)
})

test('text is cut to its length, never inside a character', () => {
  expect(cutText('abcdef', 6)).toBe('abcdef')
  expect(cutText('abcdefg', 6)).toBe('abc...')
  expect(cutText('ab😀defg', 6)).toBe('ab...')
  expect(cutText('a😀😀😀', 6)).toBe('a😀...')
})

test('an alarm rings in the order of time, once each, and not after it was stopped', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const rung: number[] = []
  const times = [5, 1, 9, 3, 3, 7, 2]
  let now = 0
  const alarm = new Alarm(() => now)
  for (const at of times) alarm.set(at, () => rung.push(at))
  now = 6
  vi.advanceTimersByTime(6)
  expect(rung).toEqual([1, 2, 3, 3, 5])
  expect(alarm.waiting).toBe(2)
  alarm.stop()
  now = 10
  vi.advanceTimersByTime(120_000)
  expect(rung.length).toBe(5)
})
