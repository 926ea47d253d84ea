import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLines, type LogLine, lineOf, mergedLines } from './log-lines.ts'

const line = (sequence: number, at = 7): LogLine => ({ sequence, at, level: 'info', text: `line ${sequence}` })
const numbers = (lines: readonly LogLine[] | undefined) => lines?.map(({ sequence }) => sequence)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function kept() {
  const shown: (readonly LogLine[])[] = []
  return { shown, keeper: keepLines((lines) => shown.push(lines), 100) }
}

test('lines that come before the log is read wait for it, however long that takes', () => {
  const { shown, keeper } = kept()
  keeper.came(line(3))
  vi.advanceTimersByTime(60_000)
  expect(shown).toEqual([])
  keeper.read([line(1), line(2)])
  expect(numbers(shown.at(-1))).toEqual([1, 2, 3])
})

test('reading again keeps what was shown and what came meanwhile; lines of one millisecond are told apart', () => {
  const { shown, keeper } = kept()
  keeper.read([line(1)])
  keeper.came(line(2))
  vi.advanceTimersByTime(100)
  keeper.came(line(4))
  keeper.read([line(2), line(3)])
  expect(numbers(shown.at(-1))).toEqual([1, 2, 3, 4])
})

test('a line that is told and read is shown once, and many of a moment are shown at once', () => {
  const { shown, keeper } = kept()
  keeper.read([line(1)])
  for (let at = 2; at < 200; at++) keeper.came(line(at))
  keeper.came(line(1))
  vi.advanceTimersByTime(100)
  expect(shown).toHaveLength(2)
  expect(shown.at(-1)).toHaveLength(199)
})

test('an empty log that was read is shown as empty; after the end nothing is', () => {
  const { shown, keeper } = kept()
  keeper.read([])
  expect(shown).toEqual([[]])
  keeper.came(line(1))
  keeper.stop()
  vi.advanceTimersByTime(1_000)
  expect(shown).toHaveLength(1)
})

test('the oldest are let go; nothing new is the same list', () => {
  const all = Array.from({ length: 5_000 }, (_, at) => line(at + 1))
  const next = mergedLines(all, [line(5_001)])
  expect([next.length, next[0]?.sequence, next.at(-1)?.sequence]).toEqual([5_000, 2, 5_001])
  expect(mergedLines(all, [line(5)])).toBe(all)
})

test('a live change gives its line, for its plugin only, and never one without its sequence', () => {
  const data = { installation_uuid: 'i1', line: line(5) }
  expect(lineOf(data, 'i1')).toEqual(line(5))
  expect(lineOf(data, 'i2')).toBeNull()
  expect(lineOf({ ...data, line: { at: 1, level: 'info', text: 'old' } }, 'i1')).toBeNull()
})
