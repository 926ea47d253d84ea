/** Event ids and patterns. */
import { describe, expect, test } from 'vitest'
import { EVENT_IDS, type EventIdsOf, isEventId, matchesAnyEvent, matchesEvent, PLATFORM_EVENT_IDS } from './events.ts'
import { PlatformEventSchema } from './schemas.ts'

describe('event ids', () => {
  test('are the 25 platform events and the answer to an interaction', () => {
    expect(PLATFORM_EVENT_IDS).toHaveLength(25)
    expect(EVENT_IDS).toEqual([...PLATFORM_EVENT_IDS, 'interaction.submitted'])
    expect(isEventId('interaction.submitted')).toBe(true)
    expect(isEventId('message.recalled')).toBe(false)
    expect(isEventId('toString')).toBe(false)
  })
  test('each platform event can be read by its id', () => {
    for (const type of PLATFORM_EVENT_IDS) {
      const needed = type === 'feedback.received' ? { feedback_id: 'f', feedback_type: 1 } : {}
      expect(PlatformEventSchema.parse({ type, ...needed }).type).toBe(type)
    }
  })
})

describe('patterns', () => {
  test.each([
    ['*', 'platform.specific', true],
    ['message.*', 'message.edited', true],
    ['message.*', 'messages.edited', false],
    ['message.*', 'message', false],
    ['message.*', 'message.', false],
    ['bot.*', 'botnet.muted', false],
    ['message.edited', 'message.edited', true],
    ['message.edited', 'message.edited.twice', false],
    ['', 'message.edited', false],
    ['message', 'message.edited', false],
  ])('%j picks %j: %s', (pattern, id, picks) => expect(matchesEvent(pattern, id)).toBe(picks))
  test('one of several is enough, none picks nothing', () => {
    expect(matchesAnyEvent(['bot.*', 'message.edited'], 'message.edited')).toBe(true)
    expect(matchesAnyEvent([], 'message.edited')).toBe(false)
  })
  test('the ids of a pattern are known to the type checker', () => {
    const ids: EventIdsOf<'bot.*'>[] = ['bot.invited_to_group', 'bot.removed_from_group', 'bot.muted', 'bot.unmuted']
    expect(EVENT_IDS.filter((id) => matchesEvent('bot.*', id))).toEqual(ids)
  })
})
