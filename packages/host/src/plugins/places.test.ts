import { expect, test } from 'vitest'
import { Places, RUNS_AT_ONCE } from './places.ts'

test('a plugin is never given more runs than it works on: the rest wait in order', async () => {
  const places = new Places(2)
  const order: string[] = []
  const take = async (name: string) => {
    const release = await places.take()
    order.push(name)
    return release
  }
  const a = await take('a')
  const b = await take('b')
  const c = take('c')
  const d = take('d')
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['a', 'b'])
  b?.()
  // Given back twice is one place, or two runs would get it.
  b?.()
  await c
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['a', 'b', 'c'])
  a?.()
  await d
  expect(order).toEqual(['a', 'b', 'c', 'd'])
})

test('a plugin keeps room for requests beside its runs: it refuses the 129th', () => {
  expect(RUNS_AT_ONCE).toBeLessThan(128)
})

test('closed places are given to nobody, and those who wait learn it', async () => {
  const places = new Places(1)
  const held = await places.take()
  const waiting = places.take()
  places.close()
  expect(await waiting).toBeNull()
  held?.()
  expect(await places.take()).toBeNull()
})
