import { query } from '@runbound/store'
import { afterEach, expect, test } from 'vitest'
import { BOT, processorOf, settle, silent } from '../conversations/fixtures.ts'
import { createSweeper, sweepInOrder } from '../conversations/sweeper.ts'
import { addProcessor, type EventWorld, incoming, messageOf, openEvents, routeTo } from './fixtures.ts'
import { eventSweeper } from './retention.ts'

let world: EventWorld
afterEach(() => world?.close())

const DAY = 86_400_000
const keys = query((db) => db.selectFrom('event_keys').select('dedupe_key').orderBy('created_at'))
const events = query((db) => db.selectFrom('events').select('message_id').orderBy('seq'))
const trail = query((db) => db.selectFrom('trail').select('code'))

test('keys, events and trails go when they are old enough; an event that still waits stays', async () => {
  world = await openEvents()
  await addProcessor(world, processorOf('p-1'))
  await world.events.setRoutes(BOT, [routeTo('p-1')])
  const take = (id: string) => world.events.accept(BOT, incoming(messageOf(id, { message_id: id }), `k-${id}`))
  await take('waits')
  await world.runs.until(1)
  await world.events.setRoutes(BOT, [])
  await take('old')
  world.clock.at += 10 * DAY
  await take('younger')
  world.clock.at += 25 * DAY
  const sweeper = eventSweeper({ ...world, logger: silent }, { keysKeptMs: 7 * DAY, eventsKeptMs: 30 * DAY })
  await sweeper.sweep()
  expect((await world.store.all(keys())).length).toBe(0)
  expect((await world.store.all(events())).map(({ message_id }) => message_id)).toEqual(['waits', 'younger'])
  expect((await world.store.all(trail())).map(({ code }) => code)).toEqual(['no_route'])
  await world.runs.started[0]?.end()
  await settle()
  await sweeper.sweep()
  expect((await world.store.all(events())).map(({ message_id }) => message_id)).toEqual(['younger'])
})

test('rows go in order and in batches, and the first batch without an old one ends it', async () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({ position: index + 1, old: index < 12 && index !== 3 }))
  const asked: number[] = []
  const removed: number[] = []
  await sweepInOrder(
    async (after) => {
      asked.push(after)
      return rows.filter(({ position }) => position > after).slice(0, 5)
    },
    ({ old }) => old,
    async (batch) => removed.push(...batch.map(({ position }) => position)),
    new AbortController().signal,
  )
  expect(removed).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(asked).toEqual([0, 5, 10, 15])
})

test('one sweep at a time, a failing one is tried again, and stop waits for it', async () => {
  let running = 0
  let swept = 0
  const sweeper = createSweeper('test', silent, async () => {
    expect(running).toBe(0)
    running += 1
    await settle(1)
    running -= 1
    swept += 1
    if (swept === 1) throw new Error('no')
  })
  await Promise.all([sweeper.sweep(), sweeper.sweep()])
  expect(swept).toBe(1)
  const last = sweeper.sweep()
  await sweeper.stop()
  expect(swept).toBe(2)
  await last
})
