import { query } from '@runbound/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BOT, processorOf } from '../conversations/fixtures.ts'
import { type EventWorld, incoming, messageOf, openEvents } from './fixtures.ts'

let world: EventWorld
beforeEach(async () => {
  world = await openEvents()
})
afterEach(() => world.close())

const rows = query((db) => db.selectFrom('mailbox').select(['processor_id', 'conversation_key', 'lane']))

test('[runner.context.trigger] a made-up message needs only its text, goes to its processor and says where it is from', async () => {
  const { event_id } = await world.events.acceptDebug({
    processor_id: 'p-1',
    event_type: 'message.received',
    event: { message_chain: [{ type: 'Plain', text: 'hello' }] },
    options: { streaming: true },
  })
  await world.runs.until(1)
  expect(event_id).toMatch(/^debug:p-1:/)
  const envelope = world.runs.started[0]?.request.envelope
  expect(envelope).toMatchObject({
    source: 'webui',
    workspace_uuid: 'w-1',
    bot_uuid: null,
    conversation: { conversation_id: 'debug:p-1', chat_type: 'person' },
    actor: { actor_id: 'debug-user' },
    input: { text: 'hello' },
    debug: { streaming: true },
  })
  expect(envelope?.reply_target).not.toBeNull()
  expect((await world.trail.of(event_id))[0]).toMatchObject({ code: 'routed', details: { debug: true } })
})

test('history and lanes of made-up events stay apart, even for the same chat of the same bot', async () => {
  await world.events.accept(BOT, incoming(messageOf('real')))
  await world.events.acceptDebug({
    processor_id: 'p-1',
    event_type: 'message.received',
    event: messageOf('made up'),
    conversation_id: 'person_u-1',
    bot_uuid: BOT,
  })
  const [row] = await world.store.all(rows())
  expect(row).toMatchObject({ conversation_key: 'w-1/!b-1/person_u-1' })
  await world.runs.until(1)
  const history = await world.conversations.transcript('w-1/b-1/person_u-1', 10)
  expect(history.map(({ content }) => content)).toEqual(['real'])
})

test('an event without a chat has no conversation here either, and an answer to a form has its values', async () => {
  await world.events.acceptDebug({ processor_id: 'p-1', event_type: 'platform.specific', event: { action: 'poke' } })
  await world.events.acceptDebug({
    processor_id: 'p-1',
    event_type: 'interaction.submitted',
    event: { interaction_id: 'i-1', action_id: 'ok', values: { a: 1 } },
  })
  await world.runs.until(2)
  const [poke, form] = world.runs.started.map(({ request }) => request.envelope)
  expect(poke).toMatchObject({ conversation: null, reply_target: null, input: { text: 'poke' } })
  expect(form).toMatchObject({
    event_type: 'interaction.submitted',
    input: { interaction: { interaction_id: 'i-1', action_id: 'ok', values: { a: 1 } } },
    conversation: { conversation_id: 'debug:p-1' },
  })
})

test.each([
  [{ event_type: 'message.sent', event: {} }, 'event_type'],
  [{ event_type: 'message.received', event: { sender: {} } }, 'event.sender.id'],
  [{ event_type: 'interaction.submitted', event: {} }, 'event.interaction_id'],
  [{ event_type: 'friend.added', event: {}, conversation_id: 'x'.repeat(257) }, 'conversation_id'],
])('what is wrong is named: %j', async (request, at) => {
  await expect(world.events.acceptDebug({ processor_id: 'p-1', ...request })).rejects.toMatchObject({
    code: 'invalid_config',
    at,
  })
  expect(await world.store.all(rows())).toEqual([])
})

test('an unknown processor, and a processor whose backlog is full', async () => {
  const event = { event_type: 'platform.specific', event: { action: 'poke' } }
  await expect(world.events.acceptDebug({ processor_id: 'nobody', ...event })).rejects.toMatchObject({
    code: 'not_found',
  })
  await world.close()
  world = await openEvents({ options: { maxPerWorkspace: 1 } })
  world.processors.set('p-1', processorOf('p-1'))
  await world.events.acceptDebug({ processor_id: 'p-1', ...event })
  const stored = await world.store.all(rows())
  const inspected = (await world.store.inspect()).rows
  await expect(world.events.acceptDebug({ processor_id: 'p-1', ...event })).rejects.toMatchObject({ code: 'conflict' })
  expect(await world.store.all(rows()), 'what is refused is not stored').toEqual(stored)
  expect((await world.store.inspect()).rows).toEqual(inspected)
})
