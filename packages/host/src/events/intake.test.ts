import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IncomingEvent } from '@runbound/platform-kit'
import { query, type Slots, StoreError } from '@runbound/store'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BOT, processorOf, settle } from '../conversations/fixtures.ts'
import { addProcessor, type EventWorld, eventOf, incoming, messageOf, openEvents, routeTo } from './fixtures.ts'

const eventIds = query((db) =>
  db.selectFrom('events').select(['event_id', 'event_type', 'input_summary']).orderBy('seq'),
)
const rowsOf = query((db, p: Slots<{ event_id: string }>) =>
  db.selectFrom('mailbox').select(['processor_id', 'lane']).where('event_id', '=', p('event_id')).orderBy('position'),
)

let world: EventWorld
let folder: string | undefined
beforeEach(async () => {
  world = await openEvents()
  await addProcessor(world, processorOf('p-1'))
  await world.events.setRoutes(BOT, [routeTo('p-1')])
})
afterEach(async () => {
  await world.close()
  if (folder !== undefined) rmSync(folder, { recursive: true })
  folder = undefined
})

describe('duplicates', () => {
  test('[D38] delivered three times in parallel: one event, one run, three answers with the same id', async () => {
    const event = incoming(messageOf('hello'), 'update:7')
    const answers = await Promise.all([1, 2, 3].map(() => world.events.accept(BOT, event)))
    await world.runs.until(1)
    await settle()
    expect(answers.map(({ status }) => status)).toEqual(['accepted', 'duplicate', 'duplicate'])
    expect(new Set(answers.map((answer) => ('event_id' in answer ? answer.event_id : null))).size).toBe(1)
    expect(world.runs.texts).toEqual(['hello'])
    expect((await world.store.all(eventIds())).length).toBe(1)
    const [first] = answers
    const trail = await world.trail.of(first !== undefined && 'event_id' in first ? first.event_id : '')
    expect(trail.map(({ code }) => code)).toEqual(['routed', 'duplicate', 'duplicate'])
  })

  test('[D40] a key survives the restart, and is forgotten after its time', async () => {
    folder = mkdtempSync(join(tmpdir(), 'runbound-events-'))
    await world.close()
    world = await openEvents({ folder })
    await addProcessor(world, processorOf('p-1'))
    await world.events.setRoutes(BOT, [routeTo('p-1')])
    const event = incoming(messageOf('hello'), 'update:7')
    const first = await world.events.accept(BOT, event)
    await world.runs.until(1)
    await world.runs.started[0]?.end()
    await world.conversations.drain()
    await world.close()

    world = await openEvents({ folder })
    const again = await world.events.accept(BOT, event)
    await settle()
    expect(again).toEqual({ ...first, status: 'duplicate' })
    expect(world.runs.texts).toEqual([])
    world.clock.at += 8 * 86_400_000
    const later = await world.events.accept(BOT, event)
    await world.runs.until(1)
    expect(later).toMatchObject({ status: 'accepted' })
    expect(later).not.toEqual(first)
  })

  test('the key counts within its bot only, and an event without one is never a duplicate', async () => {
    await world.store.commit([
      {
        sql: `insert into bots (bot_uuid, workspace_uuid, name, platform, settings, created_at, updated_at)
          values ('b-2', 'w-1', 'b-2', 'test', '{}', 1, 1)`,
        params: [],
      },
    ])
    const event = incoming(messageOf('hello'), 'update:7')
    expect(await world.events.accept(BOT, event)).toMatchObject({ status: 'accepted' })
    expect(await world.events.accept('b-2', event)).toMatchObject({ status: 'accepted' })
    const keyless = incoming(messageOf('hello'))
    const ids = new Set<string>()
    for (let time = 0; time < 3; time++) {
      const answer = await world.events.accept(BOT, keyless)
      ids.add('event_id' in answer ? answer.event_id : '')
    }
    expect(ids.size).toBe(3)
  })

  test('a reaction added, removed and added again are three events, and an edit is not its message', async () => {
    const react = (is_add: boolean) =>
      eventOf({
        type: 'message.reaction',
        message_id: 'm-1',
        chat_id: 'u-1',
        user: { id: 'u-1' },
        reaction: '+1',
        is_add,
      })
    const edit = eventOf({
      type: 'message.edited',
      message_id: 'm-1',
      chat_id: 'u-1',
      new_content: [{ type: 'Plain', text: 'fixed' }],
    })
    const all: IncomingEvent[] = [
      incoming(messageOf('hello'), '1'),
      incoming(edit, '2'),
      incoming(react(true), '3'),
      incoming(react(false), '4'),
      incoming(react(true), '5'),
    ]
    for (const event of all) expect(await world.events.accept(BOT, event)).toMatchObject({ status: 'accepted' })
    const ids = (await world.store.all(eventIds())).map(({ event_id }) => event_id)
    expect(new Set(ids).size).toBe(5)
    expect(ids.map((id) => id.replace(/:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/, ':<time id>'))).toEqual([
      'platform:message.received:<time id>',
      'platform:message.edited:<time id>:2',
      'platform:message.reaction:<time id>:3',
      'platform:message.reaction:<time id>:4',
      'platform:message.reaction:<time id>:5',
    ])
  })
})

describe('refusals', () => {
  test.each([
    [{ type: 'message.received', message_chain: [{ type: 'Plain' }] }, 'event.message_chain[0].text'],
    [{ type: 'message.received', sender: { id: 1.5 } }, 'event.sender.id'],
    [{ type: 'no.such_event' }, 'event.type'],
    [null, 'event'],
    [{ type: 'feedback.received', feedback_type: 1 }, 'event.feedback_id'],
  ])('an event that does not fit names its field: %j', async (event, field) => {
    const given = { event, dedupe_key: 'k' } as unknown as IncomingEvent
    const answer = await world.events.accept(BOT, given)
    expect(answer).toMatchObject({ status: 'refused', reason: 'invalid_event', retry: false })
    expect('message' in answer ? answer.message : '').toContain(`${field}:`)
    expect(await world.store.all(eventIds())).toEqual([])
    // The key was not used up: the repaired event is taken.
    expect(await world.events.accept(BOT, incoming(messageOf('hi'), 'k'))).toMatchObject({ status: 'accepted' })
  })

  test('a key of the wrong kind, a bot that is not there', async () => {
    const given = { event: messageOf('x'), dedupe_key: 7 } as unknown as IncomingEvent
    expect(await world.events.accept(BOT, given)).toMatchObject({ status: 'refused', reason: 'invalid_event' })
    expect(await world.events.accept('b-unknown', incoming(messageOf('x')))).toMatchObject({
      status: 'refused',
      reason: 'unknown_bot',
      retry: false,
    })
  })

  test.each([
    ['full', 'storage_full'],
    ['failed', 'storage_failed'],
    ['closed', 'shutting_down'],
  ] as const)('when the store answers %s the platform is asked to deliver again', async (code, reason) => {
    const commit = vi.spyOn(world.store, 'commit').mockRejectedValueOnce(new StoreError(code, 'no'))
    const event = incoming(messageOf('hello'), 'k')
    expect(await world.events.accept(BOT, event)).toMatchObject({ status: 'refused', reason, retry: true })
    commit.mockRestore()
    expect(world.conversations.load().open).toBe(0)
    expect(await world.events.accept(BOT, event)).toMatchObject({ status: 'accepted' })
    await world.runs.until(1)
  })

  test('a full lane answers refused, without a retry, and keeps the event with its reason', async () => {
    await world.close()
    world = await openEvents({ options: { maxPerLane: 1 } })
    await addProcessor(world, processorOf('p-1'))
    await world.events.setRoutes(BOT, [routeTo('p-1')])
    expect(await world.events.accept(BOT, incoming(messageOf('M1'), '1'))).toMatchObject({ status: 'accepted' })
    expect(await world.events.accept(BOT, incoming(messageOf('M2'), '2'))).toMatchObject({
      status: 'refused',
      reason: 'backlog_full',
      retry: false,
    })
    const [, second] = await world.store.all(eventIds())
    expect(await world.trail.why(second?.event_id ?? '')).toMatchObject({ code: 'backlog_full' })
    expect(world.delivery.said.length).toBe(1)
  })
})

describe('order', () => {
  test('events get their place in the order in which they were handed in, whatever each has to look up', async () => {
    await addProcessor(world, processorOf('p-slow'))
    const filters = [{ field: 'message_text', operator: 'starts_with' as const, value: 'slow' }]
    await world.events.setRoutes(BOT, [routeTo('p-slow', { priority: 9, filters }), routeTo('p-1')])
    const { lookup } = world
    world.lookup = async (id) => {
      if (id === 'p-slow') await new Promise((resolve) => setTimeout(resolve, 10))
      return lookup(id)
    }
    const texts = ['slow 1', 'quick 2', 'slow 3', 'quick 4']
    await Promise.all(texts.map((text, index) => world.events.accept(BOT, incoming(messageOf(text), `k-${index}`))))
    expect((await world.store.all(eventIds())).map(({ input_summary }) => input_summary)).toEqual(texts)
  })
})

describe('where an event goes', () => {
  test('to the routed processor and to every plugin processor that declares it, each with a row of its own', async () => {
    for (const id of ['counter', 'joins', 'off', 'gone']) {
      await addProcessor(world, processorOf(id, { kind: 'plugin_processor', enabled: id !== 'off' }))
    }
    world.patterns.set('plugin:acme/counter/main', ['message.*'])
    world.patterns.set('plugin:acme/joins/main', ['group.member_joined'])
    world.patterns.set('plugin:acme/off/main', ['*'])
    await world.events.setSubscriptions(
      BOT,
      ['counter', 'joins', 'off', 'gone'].map((processor_id) => ({ processor_id, scope: 'chat', enabled: true })),
    )
    const answer = await world.events.accept(BOT, incoming(messageOf('hello')))
    const event_id = 'event_id' in answer ? answer.event_id : ''
    expect((await world.store.all(rowsOf({ event_id }))).map(({ processor_id }) => processor_id)).toEqual([
      'p-1',
      'counter',
    ])
    const trail = await world.trail.of(event_id)
    expect(trail.map(({ code, processor_id }) => [code, processor_id]).slice(0, 3)).toEqual([
      ['routed', null],
      ['runner_unavailable', 'gone'],
      ['processor_disabled', 'off'],
    ])
    await world.runs.until(2)
  })

  test('nowhere: the trail says which rule came nearest, and the message is history', async () => {
    await addProcessor(world, processorOf('off', { enabled: false }))
    const cases = [
      { routes: [], code: 'no_route' },
      { routes: [routeTo('p-1', { event_pattern: 'group.*' })], code: 'no_route' },
      { routes: [routeTo('p-1', { enabled: false })], code: 'route_disabled' },
      {
        routes: [routeTo('p-1', { filters: [{ field: 'message_text', operator: 'eq', value: 'other' }] })],
        code: 'filters_mismatch',
      },
      { routes: [routeTo('off')], code: 'processor_disabled' },
      { routes: [routeTo(null)], code: 'discarded' },
    ]
    for (const { routes, code } of cases) {
      await world.events.setRoutes(BOT, routes)
      const answer = await world.events.accept(BOT, incoming(messageOf(code)))
      const event_id = 'event_id' in answer ? answer.event_id : ''
      expect(await world.trail.why(event_id)).toMatchObject({ code, answered: false })
      expect(await world.store.all(rowsOf({ event_id }))).toEqual([])
    }
    const key = 'w-1/b-1/person_u-1'
    expect((await world.conversations.transcript(key, 10)).map(({ content }) => content)).toEqual(
      cases.map(({ code }) => code),
    )
  })
})

test('the envelope of an event comes back as it was, ids beyond 2^53 included', async () => {
  const big = 12_345_678_901_234_567_890n
  const event = messageOf('hi', { sender: { id: big, nickname: 'Big' }, chat_type: 'group', chat_id: big })
  const answer = await world.events.accept(BOT, incoming(event, 'k', { thread_id: 't-9', extra: { note: [1, 2] } }))
  const envelope = await world.events.envelope('event_id' in answer ? answer.event_id : '')
  expect(envelope).toMatchObject({
    event_type: 'message.received',
    source: 'platform',
    workspace_uuid: 'w-1',
    bot_uuid: BOT,
    conversation: { conversation_id: `group_${big}`, thread_id: 't-9', chat_type: 'group', chat_id: String(big) },
    actor: { actor_type: 'user', actor_id: String(big), actor_name: 'Big' },
    reply_target: { target_type: 'group', target_id: String(big), message_id: 'm-1', thread_id: 't-9' },
    extra: { note: [1, 2] },
    data: { chat_id: big, bot_uuid: BOT, adapter_name: 'test' },
    debug: null,
  })
})
