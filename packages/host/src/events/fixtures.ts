/** What the tests of events/ share: the room over a world of conversations/, one bot, and ways to make events. */
import type { IncomingEvent } from '@runbound/platform-kit'
import type { MessageChainInput, PlatformEvent, PlatformEventInput } from '@runbound/protocol'
import { PlatformEventSchema } from '@runbound/protocol/schemas'
import { BOT, openWorld, silent, WORKSPACE, type World, type WorldOptions } from '../conversations/fixtures.ts'
import type { Processor } from '../runs/types.ts'
import { localSignals } from '../signals.ts'
import { createEvents } from './events.ts'
import type { EventOptions, Events, Route } from './types.ts'

export interface EventWorld extends World {
  readonly events: Events
  /** Patterns by Runner id; a Runner that is not in it is not there. */
  readonly patterns: Map<string, readonly string[]>
  /** How events looks a processor up; a test may make it slow. */
  lookup: (processorId: string) => Promise<Processor | undefined>
}

export async function openEvents(options: WorldOptions & { readonly keep?: EventOptions } = {}): Promise<EventWorld> {
  const world = await openWorld(options)
  const patterns = new Map<string, readonly string[]>([['plugin:acme/p-1/main', ['*']]])
  const lookups = { lookup: async (id: string): Promise<Processor | undefined> => world.processors.get(id) }
  const events = createEvents({
    store: world.store,
    clock: world.clock,
    logger: silent,
    trail: world.trail,
    signals: localSignals(),
    conversations: world.conversations,
    needs: {
      bot: (bot_uuid) =>
        bot_uuid === BOT || bot_uuid === 'b-2'
          ? { bot_uuid, workspace_uuid: WORKSPACE, adapter_name: 'test', account_id: 'bot-account' }
          : undefined,
      processor: (id) => lookups.lookup(id),
      eventPatterns: (id) => patterns.get(id) ?? null,
      said: async () => [],
      bots: async () => [],
    },
    ...(options.keep === undefined ? {} : { options: options.keep }),
  })
  return Object.assign(lookups, { ...world, events, patterns })
}

/** A platform event with its defaults filled in. */
export function eventOf(input: PlatformEventInput): PlatformEvent {
  return PlatformEventSchema.parse(input)
}

export function messageOf(text: string, over: Partial<PlatformEventInput & { type: 'message.received' }> = {}) {
  const chain: MessageChainInput = [{ type: 'Plain', text }]
  return eventOf({
    type: 'message.received',
    timestamp: 1_700_000_000,
    message_id: 'm-1',
    message_chain: [...chain],
    sender: { id: 'u-1', nickname: 'Ann' },
    chat_type: 'private',
    chat_id: 'u-1',
    ...over,
  })
}

export function incoming(event: PlatformEvent, dedupe_key: string | null = null, over: Partial<IncomingEvent> = {}) {
  return { event, dedupe_key, ...over }
}

export function routeTo(processor_id: string | null, over: Partial<Route> = {}): Omit<Route, 'bot_uuid' | 'position'> {
  return {
    route_id: `r-${processor_id ?? 'discard'}`,
    event_pattern: '*',
    filters: [],
    target_type: processor_id === null ? 'discard' : 'agent',
    processor_id,
    priority: 0,
    scope: 'chat',
    enabled: true,
    description: '',
    ...over,
  }
}

/** Adds a processor to the world and, because routes point at it, to the database. */
export async function addProcessor(world: EventWorld, processor: Processor): Promise<void> {
  world.processors.set(processor.processor_id, processor)
  await world.store.commit([
    {
      sql: `insert into processors (processor_id, workspace_uuid, kind, name, runner_id, created_at, updated_at)
        values (?, ?, ?, ?, ?, 1, 1)`,
      params: [processor.processor_id, WORKSPACE, processor.kind, processor.name, processor.runner_id],
    },
  ])
}
