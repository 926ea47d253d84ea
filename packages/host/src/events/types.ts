/** events/ owns routes, subscriptions, events, event_keys: intake (normalise, deduplicate, persist, route). It never waits for a run. */
import type { Accepted, IncomingEvent, ReplyTarget } from '@runbound/platform-kit'
import type {
  ActorContext,
  AgentEventRecord,
  AgentInput,
  EventPage,
  JsonObject,
  PlatformEvent,
  SubjectContext,
} from '@runbound/protocol'
import type { Processor } from '../runs/types.ts'
import type { TrailCode } from '../trail/codes.ts'
import type { EventType } from './event-types.ts'

/** An event as the host keeps it: what contexts are built from. Stored in `events.envelope`. */
export interface EventEnvelope {
  readonly event_id: string
  readonly event_type: string
  /** Seconds. */
  readonly event_time: number
  readonly source: 'platform' | 'webui' | 'api' | 'scheduler' | 'system'
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  readonly adapter_name: string | null
  readonly conversation: EventConversation | null
  readonly actor: ActorContext | null
  readonly subject: SubjectContext | null
  readonly reply_target: ReplyTarget | null
  readonly message_id: string | null
  readonly input: AgentInput
  /** The platform event in wire spelling, without the raw platform object. */
  readonly data: PlatformEvent | JsonObject
  readonly raw_ref: string | null
  readonly extra: JsonObject
  /** A debug run: every platform call is simulated; state and history are apart. */
  readonly debug: DebugOptions | null
}

export interface EventConversation {
  /** `person_<id>` or `group_<id>`. */
  readonly conversation_id: string
  readonly thread_id: string | null
  readonly chat_type: 'person' | 'group'
  readonly chat_id: string
}

export interface DebugOptions {
  /** Sample results and errors per platform tool, instead of the built-in ones. */
  readonly results?: Readonly<Record<string, unknown>>
  readonly errors?: Readonly<Record<string, string>>
  readonly unsupported_apis?: readonly string[]
  readonly streaming?: boolean
}

export interface RouteFilter {
  /** Dotted path into the event's data, or `message_text`, `message_element_types`, `is_at_bot`, `chat_type`. */
  readonly field: string
  readonly operator: 'eq' | 'neq' | 'contains' | 'not_contains' | 'starts_with' | 'regex'
  readonly value: unknown
}

export interface Route {
  readonly route_id: string
  readonly bot_uuid: string
  readonly event_pattern: string
  readonly filters: readonly RouteFilter[]
  readonly target_type: 'agent' | 'pipeline' | 'discard'
  readonly processor_id: string | null
  readonly priority: number
  readonly position: number
  readonly scope: 'chat' | 'member'
  readonly enabled: boolean
  readonly description: string
}

export interface Subscription {
  readonly bot_uuid: string
  readonly processor_id: string
  readonly scope: 'chat' | 'member'
  readonly enabled: boolean
}

/** A route that did not take an event, and why. */
export interface RejectedRoute {
  readonly route_id: string
  readonly code: TrailCode
  readonly message: string
}

/** A plugin processor of the bot that can't get any event now, and why. */
export interface SkippedSubscription {
  readonly processor_id: string
  readonly code: TrailCode
  readonly message: string
}

/** Where one event goes: at most one route, and every plugin processor that declares it. */
export interface RoutingDecision {
  readonly route: Route | null
  readonly discarded: boolean
  readonly candidates: readonly RejectedRoute[]
  readonly subscriptions: readonly { readonly processor_id: string; readonly scope: 'chat' | 'member' }[]
  readonly skipped: readonly SkippedSubscription[]
}

/** What events needs to know about a bot. */
export interface BotFacts {
  readonly bot_uuid: string
  readonly workspace_uuid: string
  /** Name of the adapter, as in `event.data.adapter_name`. */
  readonly adapter_name: string
  /** The bot's own account on the platform, for `is_at_bot`; null: not known. */
  readonly account_id: string | null
}

/** What events needs of other rooms; given by host.ts. */
export interface EventNeeds {
  /** Undefined: no such bot. Asked for each event, so it should come from memory. */
  bot(botUuid: string): BotFacts | undefined | Promise<BotFacts | undefined>
  processor(processorId: string): Promise<Processor | undefined>
  /** Event patterns that a Runner's manifest declares; null when no approved, enabled plugin brings it. */
  eventPatterns(runnerId: string): readonly string[] | null
  /** Events by what was said (conversations/). */
  said(request: {
    readonly workspace_uuid: string
    readonly words: string
    readonly below: number
    readonly limit: number
    /** The newest position of a search over several pages. */
    readonly ceiling: number
  }): Promise<readonly { readonly position: number; readonly event_id: string }[]>
  /** Every bot of the workspace. */
  bots(): Promise<readonly string[]>
}

/** Routes and subscriptions that are not saved, to decide with in the place of the stored ones. */
export interface RoutingDraft {
  readonly routes?: readonly Omit<Route, 'bot_uuid' | 'position'>[]
  readonly subscriptions?: readonly Omit<Subscription, 'bot_uuid'>[]
}

/** Where an event would go, and why not elsewhere. */
export interface DryRun {
  readonly event_type: string
  /** `routed`, `discarded`, or what tells best why no route took it. */
  readonly code: TrailCode
  readonly sentence: string
  readonly routes: readonly {
    readonly route_id: string
    readonly position: number
    readonly event_pattern: string
    readonly description: string
    readonly target_type: Route['target_type']
    readonly processor_id: string | null
    readonly processor_name: string | null
    readonly wins: boolean
    readonly code: TrailCode
    readonly sentence: string
  }[]
  readonly plugin_processors: readonly {
    readonly processor_id: string
    readonly processor_name: string | null
    readonly scope: 'chat' | 'member'
    readonly gets: boolean
    readonly code: TrailCode
    readonly sentence: string
  }[]
}

/** Null: not filtered by. */
export interface EventSearch {
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  /** An event id (`message.received`) or a family (`message.*`). */
  readonly event_type: string | null
  readonly conversation_key: string | null
  /** Milliseconds, both included. */
  readonly from: number | null
  readonly until: number | null
  /** Words of the message, a link to it, its id at the platform, or an event id. */
  readonly q: string | null
  readonly before_cursor: string | null
  readonly after_cursor: string | null
  readonly limit: number
}

/** An event in the operator's list. `event_time` in seconds, `created_at` in milliseconds. */
export interface FoundEvent {
  readonly seq: number
  readonly event_id: string
  readonly event_type: string
  readonly event_time: number | null
  readonly source: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly thread_id: string | null
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly message_id: string | null
  readonly input_summary: string | null
  readonly created_at: number
  /** Made up by somebody. */
  readonly debug: boolean
}

/** What a list is narrowed by that no column holds. A cursor belongs to its `scope` too. */
export interface EventOnly {
  readonly scope: string
  /** Ids of those that stay. */
  pick(events: readonly FoundEvent[]): Promise<ReadonlySet<string>>
}

/** Ends early where much is looked through and little fits: `has_more` then says that there may be more. */
export interface FoundEvents {
  readonly items: readonly FoundEvent[]
  readonly next_cursor: string | null
  readonly prev_cursor: string | null
  readonly has_more: boolean
}

export interface Events {
  /** Takes an event in: tx 1. Resolves once it is durable (or refused); never waits for a run. */
  accept(botUuid: string, incoming: IncomingEvent): Promise<Accepted>
  /**
   * Puts a made-up event straight to one processor, with simulated delivery: what the event debugger, the cli and tests use.
   * Resolves with the event id once it is durable.
   */
  acceptDebug(request: DebugEvent): Promise<{ readonly event_id: string }>
  /** What routing would do, without doing it. */
  decide(botUuid: string, event: PlatformEvent, draft?: RoutingDraft): Promise<RoutingDecision>
  /**
   * The same in sentences, for a typed event or a recorded one, with stored routes or a draft of them. HostError `not_found`
   * (bot, event), `invalid_config` with the place.
   */
  dryRun(
    botUuid: string,
    event: { readonly event?: JsonObject; readonly event_id?: string },
    draft?: RoutingDraft,
  ): Promise<DryRun>
  envelope(eventId: string): Promise<EventEnvelope | undefined>
  /** For `event_get`: record of an event inside the scope of a run. */
  record(eventId: string): Promise<EventRecord | undefined>
  /** For `event_page`: newest first; `before` is an opaque cursor. */
  page(request: EventPageRequest): Promise<EventPage>

  /** The operator's list, newest first. WireError `invalid_cursor`. */
  search(search: EventSearch, only?: EventOnly): Promise<FoundEvents>
  /** Events by id: who and what they were about. */
  of(eventIds: readonly string[]): Promise<ReadonlyMap<string, FoundEvent>>
  /** The envelope as views show it: bytes left out. */
  shown(eventId: string): Promise<object | undefined>
  /**
   * What an event of this type looks like when it comes to a processor: for looking at grants. With a bot as if it came
   * through it, without one as a debug run. HostError `invalid_config` at `event_type`.
   */
  typical(processor: Processor, eventType: string, botUuid: string | null): EventEnvelope
  /** Every event id with its fields and a sample that fits. */
  types(): readonly EventType[]

  routes(botUuid: string): Promise<readonly Route[]>
  /** Replaces the routes of a bot; every fault is named (unknown processor, pipeline for other events, bad pattern or filter). */
  setRoutes(botUuid: string, routes: readonly Omit<Route, 'bot_uuid' | 'position'>[]): Promise<void>
  subscriptions(botUuid: string): Promise<readonly Subscription[]>
  setSubscriptions(botUuid: string, subscriptions: readonly Omit<Subscription, 'bot_uuid'>[]): Promise<void>
  /** `setRoutes` and `setSubscriptions` in one: a fault in either changes nothing. */
  setRouting(
    botUuid: string,
    routes: readonly Omit<Route, 'bot_uuid' | 'position'>[],
    subscriptions: readonly Omit<Subscription, 'bot_uuid'>[],
  ): Promise<void>
  /** A bot or a processor was removed (its routes went with it): what is remembered of the bot is read anew. */
  forgetBot(botUuid: string): void
  /** Begins to delete old keys, events and trails now and then. */
  start(): void
  stop(): Promise<void>
}

/** How long things are kept, in days. */
export interface EventOptions {
  /** Dedupe keys. Default 7. */
  readonly keysKeptDays?: number
  /** Events and their trails. Default 30. */
  readonly eventsKeptDays?: number
}

/** The record of an event. `conversation_key` is that of the chat, without a member. */
export type EventRecord = AgentEventRecord & { readonly conversation_key: string | null }

export interface EventPageRequest {
  /** In member scope only the member's own events come. */
  readonly conversation_key: string
  /** Null: all types. */
  readonly event_types: readonly string[] | null
  readonly before_cursor: string | null
  /** Clamped to 1..100. */
  readonly limit: number
}

export interface DebugEvent {
  readonly processor_id: string
  readonly event: PlatformEvent | JsonObject
  readonly event_type: string
  readonly conversation_id?: string
  readonly actor?: ActorContext
  readonly bot_uuid?: string | null
  readonly options?: DebugOptions
}
