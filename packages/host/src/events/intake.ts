/** Takes events in: reads, routes, and writes event, key, trail and mailbox rows in one transaction (tx 1). */
import type { Accepted, IncomingEvent } from '@runbound/platform-kit'
import type { PlatformEvent } from '@runbound/protocol'
import { type Statement, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Conversations, NewRow, Posting } from '../conversations/types.ts'
import type { Logger } from '../logger.ts'
import type { Signals } from '../signals.ts'
import { timeId } from '../time-id.ts'
import { type TrailCode, trailSentence } from '../trail/codes.ts'
import type { Trail } from '../trail/types.ts'
import { envelopeOfEvent, eventValues } from './envelope.ts'
import { platformEventId } from './event-id.ts'
import { readIncoming } from './read-event.ts'
import type { RouteStore } from './route-store.ts'
import { decide, deciding } from './routing.ts'
import { claimKey, insertEvent, keyHolder } from './statements.ts'
import type { BotFacts, EventEnvelope, EventNeeds, RoutingDecision } from './types.ts'

export interface IntakeParts {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly trail: Trail
  readonly signals: Signals
  readonly conversations: Pick<Conversations, 'post' | 'lane' | 'key'>
  readonly needs: EventNeeds
  readonly routes: RouteStore
  /** How long a dedupe key is remembered, in milliseconds. */
  readonly keysKeptMs: number
}

interface Prepared {
  readonly envelope: EventEnvelope
  readonly decision: RoutingDecision
}

export class Intake {
  readonly #parts: IntakeParts
  /** Per bot: events get their place in the order in which they were handed in, whatever each of them has to look up. */
  readonly #tails = new Map<string, Promise<unknown>>()

  constructor(parts: IntakeParts) {
    this.#parts = parts
  }

  /** See `Events.accept`. Never rejects. */
  async accept(botUuid: string, incoming: IncomingEvent): Promise<Accepted> {
    try {
      return await this.#accept(botUuid, incoming)
    } catch (error) {
      return this.#failed(botUuid, error)
    }
  }

  async #accept(botUuid: string, incoming: IncomingEvent): Promise<Accepted> {
    const read = readIncoming(incoming)
    if (!read.ok) return this.#refuse(botUuid, 'invalid_event', { fault: read.fault }, false)
    const commit = await this.#inOrder(botUuid, () => this.#prepare(botUuid, incoming, read.value))
    if (commit === null) return this.#refuse(botUuid, 'unknown_bot', { bot_uuid: botUuid }, false)
    return commit.outcome
  }

  /**
   * Up to the hand-over to the store, bot by bot one after another. The outcome is wrapped, so that the next event does not
   * wait for this commit.
   */
  async #prepare(
    botUuid: string,
    incoming: IncomingEvent,
    event: PlatformEvent,
  ): Promise<{ readonly outcome: Promise<Accepted> } | null> {
    const bot = await this.#parts.needs.bot(botUuid)
    if (bot === undefined) return null
    const table = await this.#parts.routes.table(botUuid)
    const decision = await decide(table, { event, accountId: bot.account_id }, routingNeeds(this.#parts.needs))
    return { outcome: this.#write(bot, incoming, event, decision) }
  }

  async #write(
    bot: BotFacts,
    incoming: IncomingEvent,
    event: PlatformEvent,
    decision: RoutingDecision,
  ): Promise<Accepted> {
    const { store, clock, conversations, keysKeptMs } = this.#parts
    const now = clock.now()
    const key = incoming.dedupe_key
    const event_id = platformEventId(event, key, now)
    const envelope = envelopeOfEvent(event, incoming, bot, event_id, clock)
    const claim =
      key === null
        ? []
        : [claimKey({ bot_uuid: bot.bot_uuid, dedupe_key: key, event_id, now, expired: now - keysKeptMs })]
    const insert = insertEvent(eventValues(envelope, now))
    const trail = this.#trail({ envelope, decision })
    const posting = conversations.post(rowsOf(envelope, decision, conversations, now), envelope)
    const before = [...claim, insert, ...trail]
    try {
      const results = await store.commit([...before, ...posting.statements])
      posting.settled(results.slice(before.length))
    } catch (error) {
      posting.settled(null)
      if (!StoreError.is(error) || error.code !== 'refused') throw error
      if (key !== null && error.statement === 0) return this.#duplicate(bot, key)
      throw error
    }
    this.#tell(envelope)
    return answer(event_id, posting, decision)
  }

  async #duplicate(bot: BotFacts, key: string): Promise<Accepted> {
    const { store, trail, logger } = this.#parts
    const holder = await store.first(keyHolder({ bot_uuid: bot.bot_uuid, dedupe_key: key }))
    if (holder === undefined) throw new StoreError('failed', `the dedupe key "${key}" is held by nobody`)
    const { event_id } = holder
    const { workspace_uuid } = bot
    // Worth knowing, but no reason to have the platform deliver a third time.
    await store
      .commit([trail.because('duplicate', { workspace_uuid, event_id })])
      .catch((error: unknown) => logger.warn({ err: error, event_id }, 'A duplicate could not be noted'))
    return { status: 'duplicate', event_id }
  }

  #trail({ envelope, decision }: Prepared): readonly Statement[] {
    const { trail } = this.#parts
    const { event_id, workspace_uuid, event_type } = envelope
    const about = { workspace_uuid, event_id }
    const skipped = decision.skipped.map(({ processor_id, code, message }) =>
      trail.entry({ ...about, processor_id, step: 'route', code, message }),
    )
    const processors = targetsOf(decision).map(({ processor_id }) => processor_id)
    const route_id = decision.route?.route_id ?? null
    if (processors.length > 0) {
      const details = { processors, route_id, discarded: decision.discarded }
      return [trail.because('routed', { ...about, details }), ...skipped]
    }
    if (decision.discarded) return [trail.because('discarded', { ...about, details: { route_id } }), ...skipped]
    const { code, routes } = deciding(decision.candidates)
    const candidate = decision.candidates.find(({ route_id: id }) => id === routes[0])
    const details = {
      event_type,
      routes,
      candidates: decision.candidates.map(({ route_id: id, code: why }) => [id, why]),
    }
    // Codes about a processor have its name in the candidate's own sentence.
    return [
      code === 'no_route' || code === 'filters_mismatch' || code === 'route_disabled'
        ? trail.because(code, { ...about, details })
        : trail.entry({ ...about, step: 'route', code, message: candidate?.message ?? trailSentence(code), details }),
      ...skipped,
    ]
  }

  #tell(envelope: EventEnvelope): void {
    const { signals, conversations } = this.#parts
    const { event_id, event_type, workspace_uuid } = envelope
    const conversation_key = conversations.key(envelope, 'chat')
    signals.view({ kind: 'event', workspace_uuid, conversation_key, data: { event_id, event_type } })
  }

  async #inOrder<T>(botUuid: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(botUuid)
    const mine = before === undefined ? work() : before.then(work, work)
    this.#tails.set(botUuid, mine)
    try {
      return await mine
    } finally {
      if (this.#tails.get(botUuid) === mine) this.#tails.delete(botUuid)
    }
  }

  #refuse(botUuid: string, code: TrailCode, details: Readonly<Record<string, unknown>>, retry: boolean): Accepted {
    const message = trailSentence(code, details)
    this.#parts.logger.warn({ bot_uuid: botUuid, reason: code, ...details }, 'An event was refused')
    return { status: 'refused', reason: code, message, retry }
  }

  /** Nothing was kept: the platform should deliver again, where it can. */
  #failed(botUuid: string, error: unknown): Accepted {
    const stored = StoreError.is(error) ? error.code : null
    const code = stored === 'full' ? 'storage_full' : stored === 'closed' ? 'shutting_down' : 'storage_failed'
    this.#parts.logger.error({ err: error, bot_uuid: botUuid }, 'An event could not be taken in')
    return { status: 'refused', reason: code, message: trailSentence(code), retry: true }
  }
}

/** The processors of a decision: the routed one first. */
function targetsOf(decision: RoutingDecision): readonly { processor_id: string; scope: 'chat' | 'member' }[] {
  const { route, subscriptions } = decision
  const routed = route?.processor_id
  if (route === null || routed === null || routed === undefined) return subscriptions
  return [{ processor_id: routed, scope: route.scope }, ...subscriptions]
}

function rowsOf(
  envelope: EventEnvelope,
  decision: RoutingDecision,
  conversations: Pick<Conversations, 'lane' | 'key'>,
  now: number,
): readonly NewRow[] {
  return targetsOf(decision).map(({ processor_id, scope }) => ({
    row_id: timeId(now),
    workspace_uuid: envelope.workspace_uuid,
    event_id: envelope.event_id,
    bot_uuid: envelope.bot_uuid,
    processor_id,
    lane: conversations.lane(envelope, scope, processor_id),
    conversation_key: conversations.key(envelope, scope),
    scope,
  }))
}

/** Refused only when nobody takes it: a full lane of one processor is no reason to deliver to the others again. */
function answer(event_id: string, posting: Posting, decision: RoutingDecision): Accepted {
  const [first] = posting.refused
  if (first === undefined || posting.refused.length < targetsOf(decision).length)
    return { status: 'accepted', event_id }
  const message = trailSentence('backlog_full', { bound: first.bound, limit: first.limit })
  // Its sender has read that it was not taken; a redelivery by the platform would answer after all.
  return { status: 'refused', reason: 'backlog_full', message, retry: false }
}

/** Decisions ask for the same processors as everybody else. */
export function routingNeeds(needs: EventNeeds) {
  return {
    processor: (processorId: string) => needs.processor(processorId),
    eventPatterns: (runnerId: string) => needs.eventPatterns(runnerId),
  }
}
