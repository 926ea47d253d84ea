import { expect, test } from 'vitest'
import { claimedValue, folded } from './claims.ts'
import type { Entry } from './entries.ts'

const BASE: Entry = {
  id: '', lane: 'tool', origin: 'ledger', at: 0, duration_ms: 0, type: '', title: '', target: null, outcome: 'ok',
  reason: null, sentence: null, who: null, way: null, delivery_id: null, message_id: null, input: null, output: null,
  claimed: false,
} // biome-ignore format: a table
const answer = (id: string, delivery_id: string, outcome: Entry['outcome'] = 'ok'): Entry => ({
  ...BASE,
  id,
  lane: 'reply',
  origin: 'outbox',
  outcome,
  delivery_id,
})
const claim = (id: string, step: 'started' | 'completed', callId: string, data: object): Entry => ({
  ...BASE,
  id,
  type: `tool.call.${step}`,
  output: { tool_call_id: callId, tool_name: 'event_reply', ...data },
  claimed: true,
})
const started = (id: string, callId: string) => claim(id, 'started', callId, { parameters: { text: 'Hello' } })
const ended = (id: string, callId: string, delivery_id: string, error: string | null = null) =>
  claim(id, 'completed', callId, { result: { status: 'sent', delivery_id }, error })
const ids = (list: readonly Entry[] | undefined) => list?.map(({ id }) => id)

test('what a plugin says of an answer is told with it, at its first part, however late it was written', () => {
  const { entries, claims, ownerOf } = folded([
    answer('p1', 'd1'), answer('p2', 'd1'), started('s1', 'c1'), answer('q1', 'd2'), ended('e1', 'c1', 'd1'),
    started('s2', 'c2'), ended('e2', 'c2', 'd2'),
  ]) // biome-ignore format: a table
  expect(ids(entries)).toEqual(['p1', 'p2', 'q1'])
  expect(ids(claims.get('p1'))).toEqual(['s1', 'e1'])
  expect(ids(claims.get('q1'))).toEqual(['s2', 'e2'])
  expect(ownerOf.get('e1')).toBe('p1')
  expect(claims.get('p1')?.map(claimedValue)).toEqual([{ text: 'Hello' }, { status: 'sent', delivery_id: 'd1' }])
})

test.each([
  ['an answer that the host does not know', [started('s', 'c'), ended('e', 'c', 'd9'), answer('p', 'd1')]],
  ['one that it saw fail', [started('s', 'c'), ended('e', 'c', 'd1'), answer('p', 'd1', 'failed')]],
  ['one that the plugin says failed', [started('s', 'c'), ended('e', 'c', 'd1', 'No.'), answer('p', 'd1')]],
  ['one that is still being sent', [started('s', 'c'), answer('p', 'd1')]],
  ['another tool', [started('s', 'c'), claim('e', 'completed', 'c', { result: { sun: true } }), answer('p', 'd1')]],
] as const)('a claim of %s stays', (_what, all) => {
  expect(folded(all).entries).toBe(all)
})

test('an answer takes the claim of one call; a second one stays', () => {
  const all = [
    answer('p', 'd1'),
    started('s1', 'c1'),
    ended('e1', 'c1', 'd1'),
    started('s2', 'c2'),
    ended('e2', 'c2', 'd1'),
  ]
  expect(ids(folded(all).entries)).toEqual(['p', 's2', 'e2'])
})
