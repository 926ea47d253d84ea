import { ApiError } from '@runbound/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gatherChanges, readAgain } from './changed-runs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const TIMES = { togetherMs: 400, retryMs: 3_000 }
const NONE: ReadonlySet<string> = new Set()

test('changes of one moment are taken together, once', async () => {
  const rounds: string[][] = []
  const changes = gatherChanges({
    ...TIMES,
    take: async (ids) => {
      rounds.push([...ids])
      return NONE
    },
  })
  changes.add('a')
  changes.add('b')
  changes.add()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rounds).toEqual([['a', 'b']])
})

test('a round that failed is tried again by itself, with what came meanwhile', async () => {
  const rounds: string[][] = []
  const changes = gatherChanges({
    ...TIMES,
    take: async (ids) => {
      rounds.push([...ids].sort())
      if (rounds.length === 1) throw new Error('503')
      return NONE
    },
  })
  changes.add('a')
  await vi.advanceTimersByTimeAsync(500)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(rounds).toEqual([['a'], ['a']])
})

test('a run that can never be read is asked for at the pace of retries', async () => {
  let rounds = 0
  const changes = gatherChanges({
    ...TIMES,
    take: async (ids) => {
      rounds += 1
      return ids
    },
  })
  changes.add('a')
  await vi.advanceTimersByTimeAsync(9_500)
  expect(rounds).toBe(4)
  changes.stop()
})

test('what a round left and what came while it ran is taken next; after the end nothing is', async () => {
  const rounds: string[][] = []
  const changes = gatherChanges({
    ...TIMES,
    take: async (ids) => {
      rounds.push([...ids].sort())
      if (rounds.length > 1) return NONE
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return new Set(['b'])
    },
  })
  changes.add('a')
  changes.add('b')
  await vi.advanceTimersByTimeAsync(600)
  changes.add('c')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(rounds).toEqual([
    ['a', 'b'],
    ['b', 'c'],
  ])
  changes.add('d')
  changes.stop()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(rounds).toHaveLength(2)
})

test('of 45 changed runs 20 are read at a time, and the rest waits', async () => {
  const ids = Array.from({ length: 45 }, (_, at) => `run-${at}`)
  const { read, left } = await readAgain(ids, async (id) => id)
  expect(read).toEqual(ids.slice(0, 20))
  expect([...left]).toEqual(ids.slice(20))
})

test('one that is gone and one that fails say nothing of the others', async () => {
  const answered = await readAgain(['here', 'gone', 'later'], async (id) => {
    if (id === 'gone') throw new ApiError('not_found', 'There is no such run.', 404)
    if (id === 'later') throw new ApiError('host_stopping', 'Try again.', 503)
    return id
  })
  expect(answered).toEqual({ read: ['here'], gone: new Set(['gone']), left: new Set(['later']) })
})
