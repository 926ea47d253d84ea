import { expect, test } from 'vitest'
import type { Entry } from './entries.ts'
import { caughtUp, type ReadPage, type Timeline, wholeTimeline } from './timeline-pages.ts'

const entry = (at: number): Entry => ({
  id: `trace:${at}`, lane: 'host', origin: 'trace', at, duration_ms: 0, type: 'state_get', title: 'state_get', target: null,
  outcome: 'ok', reason: null, sentence: null, who: null, way: null, delivery_id: null, message_id: null, input: null,
  output: null, claimed: false,
}) // biome-ignore format: a table
const from = (first: number, last: number): Entry[] =>
  Array.from({ length: last - first + 1 }, (_, at) => entry(first + at))
const PER_PAGE = 5

/** A run that has entries 1 to `last`, and how many pages were asked for. */
function runOf(last: number): { readonly read: ReadPage; readonly asked: () => number } {
  let asked = 0
  return {
    asked: () => asked,
    read: async (before) => {
      asked += 1
      const end = before === undefined ? last : Number(before) - 1
      const first = Math.max(1, end - PER_PAGE + 1)
      const has_more = first > 1
      return {
        items: from(first, end).reverse(),
        has_more,
        next_cursor: has_more ? String(first) : null,
        prev_cursor: null,
      }
    },
  }
}
const known = (first: number, last: number): Timeline => ({
  entries: from(first, last),
  complete: true,
  truncated: first > 1,
})
const places = ({ entries }: Timeline): number[] => entries.map(({ at }) => at)
const range = (first: number, last: number): number[] => from(first, last).map(({ at }) => at)

test('all pages are one list, oldest first; parts come on the way', async () => {
  const parts: number[] = []
  const all = await wholeTimeline(runOf(12).read, 40, ({ entries }) => parts.push(entries.length))
  expect([places(all), all.truncated, parts]).toEqual([range(1, 12), false, [5, 10]])
})

test('more pages than are read: the newest, and told that there are older ones', async () => {
  const some = await wholeTimeline(runOf(100).read, 4)
  expect([places(some), some.complete, some.truncated]).toEqual([range(81, 100), true, true])
  const exact = await wholeTimeline(runOf(20).read, 4)
  expect([exact.entries.length, exact.truncated]).toEqual([20, false])
})

test('more new entries than a page holds leave no gap to what was known', async () => {
  const { read, asked } = runOf(42)
  const now = (await caughtUp(read, known(1, 20), 40))(known(1, 20))
  expect(places(now)).toEqual(range(1, 42))
  expect(asked()).toBe(5)
})

test('one page is enough where it holds something known; nothing new is the same object', async () => {
  const { read, asked } = runOf(22)
  const before = known(1, 20)
  expect(places((await caughtUp(read, before, 40))(before))).toEqual(range(1, 22))
  expect(asked()).toBe(1)
  expect((await caughtUp(runOf(20).read, before, 40))(before)).toBe(before)
})

test('what is too far behind to be joined gives way to the newest, told as cut', async () => {
  const now = (await caughtUp(runOf(100).read, known(1, 20), 4))(known(1, 20))
  expect([places(now), now.truncated]).toEqual([range(81, 100), true])
})

test('a run of which nothing was known yet is read whole, however much came at once', async () => {
  const before: Timeline = { entries: [], complete: true, truncated: false }
  expect(places((await caughtUp(runOf(23).read, before, 40))(before))).toEqual(range(1, 23))
})

test('a cut timeline stays cut while it grows', async () => {
  const now = (await caughtUp(runOf(102).read, known(81, 100), 4))(known(81, 100))
  expect([places(now), now.truncated]).toEqual([range(81, 102), true])
})
