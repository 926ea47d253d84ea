import { WireError } from '@runbound/protocol'
import { AgentEventRecordSchema, EventPageSchema } from '@runbound/protocol/schemas'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BOT, processorOf } from '../conversations/fixtures.ts'
import { visibleFrom } from '../conversations/keys.ts'
import { addProcessor, type EventWorld, eventOf, incoming, messageOf, openEvents, routeTo } from './fixtures.ts'

let world: EventWorld
const key = 'w-1/b-1/person_u-1'
beforeEach(async () => {
  world = await openEvents()
})
afterEach(() => world.close())

async function take(event = messageOf('x')): Promise<string> {
  const answer = await world.events.accept(BOT, incoming(event))
  return 'event_id' in answer ? answer.event_id : ''
}

test('[runner.event-get] a record has the documented fields, without bytes and without the envelope', async () => {
  const event_id = await take(
    messageOf('hello', {
      message_chain: [
        { type: 'Plain', text: 'hello' },
        { type: 'Image', base64: 'QUJD' },
      ],
    }),
  )
  const { conversation_key, ...record } = (await world.events.record(event_id)) ?? {}
  expect(conversation_key).toBe(key)
  expect(AgentEventRecordSchema.parse(record)).toEqual(record)
  expect(record).toMatchObject({
    event_id,
    event_type: 'message.received',
    event_time: 1_700_000_000,
    source: 'platform',
    bot_id: BOT,
    workspace_id: 'w-1',
    conversation_id: 'person_u-1',
    actor_id: 'u-1',
    input_summary: 'hello[Image]',
    raw_ref: 'm-1',
    created_at: 1_700_000_000,
    metadata: {
      input_event: { message_chain: [{ text: 'hello' }, { type: 'Image', base64: null, content_redacted: true }] },
    },
  })
  expect(record).not.toHaveProperty('envelope')
  expect(await world.events.record('e-unknown')).toBeUndefined()
})

test('[runner.event-page] [runner.pages.fields] newest first; either cursor leads to the older ones, each once', async () => {
  const ids: string[] = []
  for (let index = 0; index < 7; index++) ids.unshift(await take(messageOf(`M${index}`)))
  await take(messageOf('other chat', { chat_id: 'u-2' }))
  for (const cursor of ['prev_cursor', 'next_cursor'] as const) {
    const seen: string[] = []
    let before_cursor: string | null = null
    for (let pages = 0; pages < 10; pages++) {
      const page = await world.events.page({ conversation_key: key, event_types: null, before_cursor, limit: 3 })
      expect(EventPageSchema.parse(page)).toEqual(page)
      seen.push(...page.items.map(({ event_id }) => event_id))
      expect(page.has_more).toBe(seen.length < ids.length)
      before_cursor = page[cursor]
      if (before_cursor === null) break
    }
    expect(seen).toEqual(ids)
  }
})

test('[runner.event-page.event-types] only the types asked for, or all', async () => {
  await take()
  const edited = await take(eventOf({ type: 'message.edited', chat_id: 'u-1', message_id: 'm-1' }))
  const page = (event_types: readonly string[] | null) =>
    world.events.page({ conversation_key: key, event_types, before_cursor: null, limit: 50 })
  expect((await page(['message.edited'])).items.map(({ event_id }) => event_id)).toEqual([edited])
  expect((await page(null)).items.length).toBe(2)
  expect((await page([])).items.length).toBe(0)
})

test('a cursor of another conversation, another method or nobody is refused', async () => {
  await take()
  await take(messageOf('other', { chat_id: 'u-2' }))
  const other = await world.events.page({
    conversation_key: 'w-1/b-1/person_u-2',
    event_types: null,
    before_cursor: null,
    limit: 1,
  })
  for (const before_cursor of [other.prev_cursor ?? '', '5', '', 'x.y.z', `${'a'.repeat(500)}`]) {
    const page = world.events.page({ conversation_key: key, event_types: null, before_cursor, limit: 1 })
    await expect(page).rejects.toSatisfy((error) => WireError.is(error) && error.reason === 'invalid_cursor')
  }
})

test.each([
  [0, 1],
  [-5, 1],
  [1_000, 3],
])('[runner.event-page] a limit of %i is clamped', async (limit, count) => {
  for (let index = 0; index < 3; index++) await take()
  const page = await world.events.page({ conversation_key: key, event_types: null, before_cursor: null, limit })
  expect(page.items.length).toBe(count)
})

test('in member scope a run sees its own member only', async () => {
  await addProcessor(world, processorOf('p-1'))
  await world.events.setRoutes(BOT, [routeTo('p-1', { scope: 'member' })])
  const from = (id: string) => messageOf(id, { chat_type: 'group', chat_id: 'g', sender: { id } })
  const ann = await take(from('ann'))
  const bob = await take(from('bob'))
  const page = await world.events.page({
    conversation_key: 'w-1/b-1/group_g@ann',
    event_types: null,
    before_cursor: null,
    limit: 9,
  })
  expect(page.items.map(({ event_id }) => event_id)).toEqual([ann])
  const [annRecord, bobRecord] = [await world.events.record(ann), await world.events.record(bob)]
  if (annRecord === undefined || bobRecord === undefined) throw new Error('records are missing')
  expect(visibleFrom('w-1/b-1/group_g@ann', annRecord)).toBe(true)
  expect(visibleFrom('w-1/b-1/group_g@ann', bobRecord)).toBe(false)
  expect(visibleFrom('w-1/b-1/group_g', bobRecord)).toBe(true)
  expect(visibleFrom('w-1/b-1/group_h', bobRecord)).toBe(false)
})
