import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BOT, processorOf } from '../conversations/fixtures.ts'
import { compileFilter, REGEX_TEXT_MAX } from './filters.ts'
import { addProcessor, type EventWorld, eventOf, messageOf, openEvents, routeTo } from './fixtures.ts'
import type { RouteFilter } from './types.ts'

function passes(filter: RouteFilter, event = messageOf('hello world'), accountId: string | null = null): boolean {
  const compiled = compileFilter(filter)
  if (!compiled.ok) throw new Error(compiled.fault)
  return compiled.passes({ event, accountId })
}

describe('filters', () => {
  const group = messageOf('hi', { chat_type: 'group', chat_id: 9, group: { id: 9, name: 'Nine' } })
  const pictured = messageOf('', {
    message_chain: [
      { type: 'At', target: 7 },
      { type: 'Plain', text: 'look ' },
      { type: 'Image', url: 'http://x/a.png' },
      { type: 'Plain', text: 'here' },
    ],
  })
  test.each([
    [{ field: 'message_text', operator: 'eq', value: 'hello world' }, messageOf('hello world'), true],
    [{ field: 'message_text', operator: 'eq', value: 'Hello world' }, messageOf('hello world'), false],
    [{ field: 'message_text', operator: 'neq', value: 'x' }, messageOf('hello'), true],
    [{ field: 'message_text', operator: 'contains', value: 'lo wo' }, messageOf('hello world'), true],
    [{ field: 'message_text', operator: 'not_contains', value: 'lo wo' }, messageOf('hello world'), false],
    [{ field: 'message_text', operator: 'starts_with', value: 'look here' }, pictured, true],
    [{ field: 'message_text', operator: 'starts_with', value: 'here' }, pictured, false],
    [{ field: 'message_text', operator: 'regex', value: '^h.*d$' }, messageOf('hello world'), true],
    [{ field: 'message_text', operator: 'regex', value: 'o w' }, messageOf('hello world'), true],
    [{ field: 'message_text', operator: 'regex', value: '^w' }, messageOf('hello world'), false],
    [{ field: 'message_element_types', operator: 'contains', value: 'Image' }, pictured, true],
    [{ field: 'message_element_types', operator: 'contains', value: 'Voice' }, pictured, false],
    [{ field: 'message_element_types', operator: 'not_contains', value: 'Voice' }, pictured, true],
    [{ field: 'chat_type', operator: 'eq', value: 'person' }, messageOf('x'), true],
    [{ field: 'chat_type', operator: 'eq', value: 'group' }, group, true],
    // Platforms have numeric ids, operators write text, and the other way round.
    [{ field: 'chat_id', operator: 'eq', value: '9' }, group, true],
    [{ field: 'group.id', operator: 'eq', value: 9 }, group, true],
    [{ field: 'group.name', operator: 'contains', value: 'in' }, group, true],
    [{ field: 'sender.is_bot', operator: 'eq', value: false }, group, true],
    [{ field: 'sender.remark', operator: 'eq', value: null }, group, true],
    [{ field: 'no.such.field', operator: 'eq', value: 'x' }, group, false],
    [{ field: 'no.such.field', operator: 'neq', value: 'x' }, group, true],
    [{ field: 'no.such.field', operator: 'not_contains', value: 'x' }, group, true],
    [{ field: 'no.such.field', operator: 'starts_with', value: '' }, group, false],
    [{ field: 'toString', operator: 'neq', value: 'x' }, group, true],
    [
      { field: 'message_text', operator: 'contains', value: 'x' },
      eventOf({ type: 'friend.added', user: { id: 1 } }),
      false,
    ],
  ] as const)('%j', (filter, event, expected) => {
    expect(passes(filter, event)).toBe(expected)
  })

  test('is_at_bot is true for a mention of the account, and false while the account is not known', () => {
    const filter = { field: 'is_at_bot', operator: 'eq', value: true } as const
    expect(passes(filter, pictured, '7')).toBe(true)
    expect(passes(filter, pictured, '8')).toBe(false)
    expect(passes(filter, pictured, null)).toBe(false)
    expect(passes({ ...filter, value: false }, pictured, null)).toBe(true)
  })

  test('a hostile pattern costs time linear in the text, and texts are looked at up to a named length', () => {
    const started = performance.now()
    const hostile = { field: 'message_text', operator: 'regex', value: '^(a+)+$' } as const
    expect(passes(hostile, messageOf(`${'a'.repeat(100_000)}b`))).toBe(true)
    expect(performance.now() - started).toBeLessThan(2_000)
    const late = { field: 'message_text', operator: 'regex', value: 'needle' } as const
    expect(passes(late, messageOf(`${'x'.repeat(REGEX_TEXT_MAX - 6)}needle`))).toBe(true)
    expect(passes(late, messageOf(`${'x'.repeat(REGEX_TEXT_MAX)}needle`))).toBe(false)
  })
})

describe('routes', () => {
  let world: EventWorld
  beforeEach(async () => {
    world = await openEvents()
    for (const id of ['p-1', 'p-2']) await addProcessor(world, processorOf(id))
    await addProcessor(world, processorOf('pipe', { kind: 'pipeline' }))
    await addProcessor(world, processorOf('log', { kind: 'plugin_processor' }))
  })
  afterEach(() => world.close())

  test('one wins: by priority, then by place in the list; the others say why not', async () => {
    await world.events.setRoutes(BOT, [
      routeTo('p-1', { route_id: 'pattern', event_pattern: 'group.*', priority: 9 }),
      routeTo('p-1', { route_id: 'off', enabled: false, priority: 8 }),
      routeTo('p-1', {
        route_id: 'filter',
        priority: 7,
        filters: [{ field: 'chat_type', operator: 'eq', value: 'group' }],
      }),
      routeTo('p-1', { route_id: 'low', priority: 1 }),
      routeTo('p-2', { route_id: 'first', priority: 5 }),
      routeTo('p-1', { route_id: 'second', priority: 5 }),
    ])
    const decision = await world.events.decide(BOT, messageOf('x'))
    expect(decision.route).toMatchObject({ route_id: 'first', processor_id: 'p-2' })
    expect(decision.candidates.map(({ route_id, code }) => [route_id, code])).toEqual([
      ['pattern', 'pattern_mismatch'],
      ['off', 'route_disabled'],
      ['filter', 'filters_mismatch'],
      ['second', 'lower_priority'],
      ['low', 'lower_priority'],
    ])
    expect(decision.candidates.every(({ message }) => message.endsWith('.') && !message.includes('?'))).toBe(true)
  })

  test('patterns, families and all; a route whose processor can not take the event lets the next one have it', async () => {
    world.patterns.set('plugin:acme/p-2/main', ['group.*'])
    await world.events.setRoutes(BOT, [
      routeTo('p-2', { route_id: 'narrow', priority: 2 }),
      routeTo('p-1', { route_id: 'wide', event_pattern: 'message.*', priority: 1 }),
    ])
    const decide = async (event: Parameters<typeof eventOf>[0]) =>
      (await world.events.decide(BOT, eventOf(event))).route
    expect(await decide({ type: 'message.edited' })).toMatchObject({ route_id: 'wide' })
    expect(await decide({ type: 'group.member_joined' })).toMatchObject({ route_id: 'narrow' })
    expect(await decide({ type: 'friend.added' })).toBeNull()
    world.processors.set('p-1', processorOf('p-1', { enabled: false }))
    expect(await decide({ type: 'message.edited' })).toBeNull()
  })

  test('they come back as they were given, per bot, in order', async () => {
    const routes = [routeTo('p-2', { scope: 'member', description: 'second' }), routeTo(null, { priority: -3 })]
    await world.events.setRoutes(BOT, routes)
    expect(await world.events.routes(BOT)).toEqual(
      routes.map((route, position) => ({ ...route, bot_uuid: BOT, position })),
    )
    await world.events.setRoutes(BOT, [])
    expect(await world.events.routes(BOT)).toEqual([])
    await world.events.setSubscriptions(BOT, [{ processor_id: 'log', scope: 'member', enabled: false }])
    expect(await world.events.subscriptions(BOT)).toEqual([
      { bot_uuid: BOT, processor_id: 'log', scope: 'member', enabled: false },
    ])
  })

  const filter = (over: object) => [{ field: 'chat_type', operator: 'eq', value: 'x', ...over }] as RouteFilter[]
  test.each([
    [routeTo('p-1', { event_pattern: 'message' }), 'event_pattern'],
    [routeTo('p-1', { event_pattern: 'nothing.*' }), 'event_pattern'],
    [routeTo('nobody'), 'processor_id'],
    [routeTo('pipe'), 'processor_id'],
    [routeTo('log'), 'processor_id'],
    [routeTo('pipe', { target_type: 'pipeline' }), 'event_pattern'],
    [routeTo('p-1', { target_type: 'discard' }), 'processor_id'],
    [routeTo(null, { target_type: 'agent' }), 'processor_id'],
    [routeTo('p-1', { priority: 1.5 }), 'priority'],
    [routeTo('p-1', { route_id: '' }), 'route_id'],
    [routeTo('p-1', { filters: filter({ field: '' }) }), 'filters[0].field'],
    [routeTo('p-1', { filters: filter({ operator: 'like' }) }), 'filters[0].operator'],
    [routeTo('p-1', { filters: filter({ operator: 'contains', value: null }) }), 'filters[0].value'],
    [routeTo('p-1', { filters: filter({ operator: 'regex', value: '(' }) }), 'filters[0].value'],
    [routeTo('p-1', { filters: filter({ operator: 'regex', value: '(?=x)' }) }), 'filters[0].value'],
    [routeTo('p-1', { filters: filter({ operator: 'regex', value: 'x'.repeat(1_025) }) }), 'filters[0].value'],
    [routeTo('p-1', { filters: filter({ operator: 'regex', value: '((a{50}){50}){2}' }) }), 'filters[0].value'],
    [routeTo('p-1', { filters: [...Array(21).keys()].flatMap(() => filter({})) }), 'filters'],
  ])('a wrong route is refused whole, and the place is named: %#', async (route, at) => {
    const good = routeTo('p-1', { route_id: 'good' })
    await world.events.setRoutes(BOT, [good])
    await expect(world.events.setRoutes(BOT, [routeTo('p-2', { route_id: 'other' }), route])).rejects.toMatchObject({
      code: 'invalid_config',
      at: `routes[1].${at}`,
    })
    expect((await world.events.routes(BOT)).map(({ route_id }) => route_id)).toEqual(['good'])
  })

  test('routes and subscriptions together: a fault in the second changes the first neither', async () => {
    await world.events.setRouting(BOT, [routeTo('p-1', { route_id: 'good' })], [])
    await expect(
      world.events.setRouting(BOT, [], [{ processor_id: 'p-1', scope: 'chat', enabled: true }]),
    ).rejects.toMatchObject({ code: 'invalid_config', at: 'subscriptions[0].processor_id' })
    expect((await world.events.routes(BOT)).map(({ route_id }) => route_id)).toEqual(['good'])
    const log = { processor_id: 'log', scope: 'member', enabled: false } as const
    await world.events.setRouting(BOT, [], [log])
    expect(await world.events.routes(BOT)).toEqual([])
    expect(await world.events.subscriptions(BOT)).toMatchObject([log])
  })

  test('a doubled id, an unknown bot, a subscription of something else', async () => {
    await expect(world.events.setRoutes(BOT, [routeTo('p-1'), routeTo('p-1')])).rejects.toMatchObject({
      at: 'routes[1].route_id',
    })
    await expect(world.events.setRoutes('b-x', [])).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      world.events.setSubscriptions(BOT, [{ processor_id: 'p-1', scope: 'chat', enabled: true }]),
    ).rejects.toMatchObject({ code: 'invalid_config', at: 'subscriptions[0].processor_id' })
    await world.store.commit([
      {
        sql: `insert into bots (bot_uuid, workspace_uuid, name, platform, settings, created_at, updated_at)
          values ('b-2', 'w-1', 'b-2', 'test', '{}', 1, 1)`,
        params: [],
      },
    ])
    await world.events.setRoutes(BOT, [routeTo('p-1', { route_id: 'taken' })])
    await expect(
      world.events.setRoutes('b-2', [routeTo('p-2'), routeTo('p-1', { route_id: 'taken' })]),
    ).rejects.toMatchObject({ code: 'conflict', at: 'routes[1]' })
  })
})
