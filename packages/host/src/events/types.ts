/** events/ owns routes, subscriptions, events, event_keys: intake (normalise, deduplicate, persist, route). It never waits for a run. */
import type { Accepted, IncomingEvent, ReplyTarget } from '@runbound/platform-kit'
import type { ActorContext, AgentInput, EventPage, AgentEventRecord, JsonObject, PlatformEvent, SubjectContext } from '@runbound/protocol'

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

/** Where one event goes: at most one route, and every plugin processor that declares it. */
export interface RoutingDecision {
  readonly route: Route | null
  readonly discarded: boolean
  readonly candidates: readonly { readonly route_id: string; readonly code: string; readonly message: string }[]
  readonly subscriptions: readonly { readonly processor_id: string; readonly scope: 'chat' | 'member' }[]
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
  decide(botUuid: string, event: PlatformEvent): Promise<RoutingDecision>
  envelope(eventId: string): Promise<EventEnvelope | undefined>
  /** For `event_get`: record of an event inside the scope of a run. */
  record(eventId: string): Promise<(AgentEventRecord & { readonly conversation_key: string | null }) | undefined>
  /** For `event_page`: newest first; `before` is an opaque cursor. */
  page(request: { readonly conversation_key: string; readonly event_types: readonly string[] | null; readonly before_cursor: string | null; readonly limit: number }): Promise<EventPage>

  routes(botUuid: string): Promise<readonly Route[]>
  /** Replaces the routes of a bot; every fault is named (unknown processor, pipeline for other events, bad pattern or filter). */
  setRoutes(botUuid: string, routes: readonly Omit<Route, 'bot_uuid' | 'position'>[]): Promise<void>
  subscriptions(botUuid: string): Promise<readonly Subscription[]>
  setSubscriptions(botUuid: string, subscriptions: readonly Omit<Subscription, 'bot_uuid'>[]): Promise<void>
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
