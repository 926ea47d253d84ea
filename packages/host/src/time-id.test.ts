import { expect, test } from 'vitest'
import { timeId } from './time-id.ts'

test('an id is a UUID of version 7 that says when it was made', () => {
  const id = timeId(1_700_000_000_123)
  expect(id).toMatch(/^018bcfe5-687b-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(timeId(7)).toMatch(/^00000000-0007-7/)
})

test('ids sort by time, and those of one moment differ', () => {
  const times = [0, 9, 255, 256, 65_536, 1_700_000_000_000, 1_700_000_000_001, 2 ** 47]
  const ids = times.map((time) => timeId(time))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(Array.from({ length: 1_000 }, () => timeId(5))).size).toBe(1_000)
})
