import { expect, test } from 'vitest'
import type { Entry } from './entries.ts'
import { repeatedName, rowHolding, rowsOf } from './repeats.ts'

const call = (id: string, title = 'reply_stream s1', more: Partial<Entry> = {}): Entry => ({
  id, lane: 'reply', origin: 'trace', at: 0, duration_ms: 2, type: 'reply_stream', title, target: null, outcome: 'ok',
  reason: null, sentence: null, who: null, way: null, delivery_id: null, message_id: null, input: null, output: null,
  claimed: false, ...more,
}) // biome-ignore format: a table
const calls = (count: number): Entry[] => Array.from({ length: count }, (_, at) => call(`c${at}`))
const shown = (entries: readonly Entry[], openId?: string) =>
  rowsOf(entries, openId).map(({ entry, count, took }) => [entry.id, count, took])

test('calls of one stream that follow each other are one row with their whole time', () => {
  expect(shown([call('a', 'state_get'), ...calls(60), call('z', 'reply_stream s2')])).toEqual([
    ['a', 1, 2], ['c0', 60, 120], ['z', 1, 2],
  ]) // biome-ignore format: a table
  expect(repeatedName(call('a'))).toBe('reply_stream')
})

test('two are told one by one', () => {
  expect(shown(calls(2)).length).toBe(2)
})

test('an address into the group opens it; one elsewhere leaves it folded', () => {
  expect(shown([...calls(5), call('z', 'other')], 'c3').length).toBe(6)
  expect(shown([...calls(5), call('z', 'other')], 'z').length).toBe(2)
})

test.each([
  ['refused', { outcome: 'denied' }],
  ['failed', { outcome: 'failed' }],
  ['under way', { outcome: 'waiting' }],
  ['for another target', { target: 'elsewhere' }],
  ['told by the plugin only', { claimed: true }],
] as const)('one that is %s is never folded away', (_what, more) => {
  expect(shown([...calls(3), call('x', 'reply_stream s1', more), ...calls(3)])).toEqual([
    ['c0', 3, 6], ['x', 1, 2], ['c0', 3, 6],
  ]) // biome-ignore format: a table
})

test('an entry that is closed is found again in the row of its group', () => {
  const all = [call('a', 'state_get'), ...calls(4), call('z', 'other')]
  expect(['a', 'c2', 'z', 'gone'].map((id) => rowHolding(all, id))).toEqual(['a', 'c0', 'z', 'gone'])
})
