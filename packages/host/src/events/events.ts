/** The room: intake, routes, made-up events, and events as plugins read them. */
import { type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Conversations } from '../conversations/types.ts'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Signals } from '../signals.ts'
import { timeId } from '../time-id.ts'
import type { Trail } from '../trail/types.ts'
import { debugEnvelope } from './debug.ts'
import { explained } from './dry-run.ts'
import { eventValues } from './envelope.ts'
import { readEnvelope } from './envelope-text.ts'
import { eventTypes, sampleOf } from './event-types.ts'
import { Intake, routingNeeds } from './intake.ts'
import { searchEvents, shownEnvelope } from './listing.ts'
import { eventsOf } from './listing-rows.ts'
import { readPlatformEvent } from './read-event.ts'
import { findRecord, pageOfRecords } from './records.ts'
import { eventSweeper } from './retention.ts'
import { RouteStore } from './route-store.ts'
import { decide } from './routing.ts'
import { envelopeOf, insertEvent } from './statements.ts'
import type { DebugEvent, EventEnvelope, EventNeeds, EventOptions, Events, RoutingDraft } from './types.ts'

export interface EventParts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly trail: Trail
  readonly signals: Signals
  readonly conversations: Conversations
  readonly needs: EventNeeds
  readonly options?: EventOptions
}

const DAY_MS = 86_400_000

/** Makes the room. It takes events in from the start; `start` only begins to forget old ones. */
export function createEvents(parts: EventParts): Events {
  const { store, clock, trail, signals, conversations, needs, options = {} } = parts
  const keysKeptMs = (options.keysKeptDays ?? 7) * DAY_MS
  const routes = new RouteStore(store, needs)
  const intake = new Intake({ ...parts, routes, keysKeptMs })
  const sweeper = eventSweeper(parts, { keysKeptMs, eventsKeptMs: (options.eventsKeptDays ?? 30) * DAY_MS })

  async function acceptDebug(request: DebugEvent): Promise<{ readonly event_id: string }> {
    const processor = await needs.processor(request.processor_id)
    if (processor === undefined) throw new HostError('not_found', `There is no processor "${request.processor_id}".`)
    const envelope = debugEnvelope(request, processor, clock)
    const { event_id, workspace_uuid } = envelope
    const { processor_id } = processor
    const posting = conversations.post(
      [
        {
          row_id: timeId(clock.now()),
          workspace_uuid,
          event_id,
          bot_uuid: envelope.bot_uuid,
          processor_id,
          lane: conversations.lane(envelope, 'chat', processor_id),
          conversation_key: conversations.key(envelope, 'chat'),
          scope: 'chat',
        },
      ],
      envelope,
    )
    const [refused] = posting.refused
    if (refused !== undefined) {
      // Nobody else knows of a made-up event: one that is refused leaves nothing behind.
      posting.settled(null)
      throw new HostError('conflict', `${refused.bound} already has ${refused.limit} events waiting. Try again later.`)
    }
    const before = [
      insertEvent(eventValues(envelope, clock.now())),
      trail.because('routed', { workspace_uuid, event_id, details: { processors: [processor_id], debug: true } }),
    ]
    try {
      const results = await store.commit([...before, ...posting.statements])
      posting.settled(results.slice(before.length))
    } catch (error) {
      posting.settled(null)
      if (!StoreError.is(error)) throw error
      throw new HostError('conflict', `The event could not be stored: ${error.message}.`, { cause: error })
    }
    signals.view({
      kind: 'event',
      workspace_uuid,
      conversation_key: conversations.key(envelope, 'chat'),
      data: { event_id, event_type: envelope.event_type },
    })
    return { event_id }
  }

  async function recorded(eventId: string): Promise<EventEnvelope> {
    const row = await store.first(envelopeOf({ event_id: eventId }))
    if (row === undefined) throw new HostError('not_found', `There is no event ${eventId}, or it has been deleted.`)
    return readEnvelope(row.envelope)
  }

  async function decided(botUuid: string, event: object, draft: RoutingDraft | undefined) {
    const bot = await needs.bot(botUuid)
    if (bot === undefined) throw new HostError('not_found', `There is no bot "${botUuid}".`)
    const read = readPlatformEvent(event)
    if (!read.ok)
      throw new HostError('invalid_config', `${read.fault}.`, { at: read.fault.split(':', 1)[0] ?? 'event' })
    const subject = { event: read.value, accountId: bot.account_id }
    const table = draft === undefined ? await routes.table(botUuid) : await routes.draft(botUuid, draft)
    return { table, read: read.value, decision: await decide(table, subject, routingNeeds(needs)) }
  }

  return {
    accept: (botUuid, incoming) => intake.accept(botUuid, incoming),
    acceptDebug,
    decide: async (botUuid, event, draft) => (await decided(botUuid, event, draft)).decision,
    async dryRun(botUuid, { event, event_id }, draft) {
      const given = event_id === undefined ? event : (await recorded(event_id)).data
      if (given === undefined)
        throw new HostError('invalid_config', 'One of event and event_id is needed.', { at: 'event' })
      // A form that leaves out what only the platform knows still says where its event would go.
      const { table, read, decision } = await decided(botUuid, { adapter_name: 'debug', ...given }, draft)
      const routed = table.routes.map(({ route }) => route)
      const subscriptions = (draft?.subscriptions ?? (await routes.subscriptions(botUuid))).map((one) => ({
        ...one,
        bot_uuid: botUuid,
      }))
      const { processor } = needs
      return explained({ event_type: read.type, decision, routes: routed, subscriptions, processor })
    },
    async envelope(eventId) {
      const row = await store.first(envelopeOf({ event_id: eventId }))
      return row === undefined ? undefined : readEnvelope(row.envelope)
    },
    search: (search, only) => searchEvents(store, needs, search, only),
    of: (eventIds) => eventsOf(store, eventIds),
    shown: (eventId) => shownEnvelope(store, eventId),
    typical(processor, event_type, bot_uuid) {
      const event = sampleOf(event_type)
      const envelope = debugEnvelope(
        { processor_id: processor.processor_id, event_type, event, bot_uuid },
        processor,
        clock,
      )
      return bot_uuid === null ? envelope : { ...envelope, debug: null }
    },
    types: () => eventTypes(),
    record: (eventId) => findRecord(store, eventId),
    page: (request) => pageOfRecords(store, request),
    routes: (botUuid) => routes.routes(botUuid),
    setRoutes: (botUuid, given) => routes.setRoutes(botUuid, given),
    subscriptions: (botUuid) => routes.subscriptions(botUuid),
    setSubscriptions: (botUuid, given) => routes.setSubscriptions(botUuid, given),
    setRouting: (botUuid, given, subscriptions) => routes.setRouting(botUuid, given, subscriptions),
    forgetBot: (botUuid) => routes.forget(botUuid),
    start: () => sweeper.start(),
    stop: () => sweeper.stop(),
  }
}
