import { expect, test } from 'vitest'
import { nowFor, relativeTime } from './time-ago.tsx'

const NOW = Date.UTC(2026, 11, 1)
const DAY = 86_400_000
const told = (at: number) => relativeTime(at, nowFor(at, NOW), 'en')

test.each([
  [90 * DAY - 4_000, 'in 3 months'],
  [30 * DAY, 'next month'],
  [2 * DAY, 'in 2 days'],
  [60_000, 'in 1 minute'],
  [-120_000, '2 minutes ago'],
])('%d ms from now: %s', (ahead, words) => {
  expect(told(NOW + ahead)).toBe(words)
})

test('what just happened is now, though the clock of the page beats behind it', () => {
  expect([9_000, 15_000].map((ahead) => told(NOW + ahead))).toEqual(['now', 'now'])
})
