/**
 * What a platform adapter is. One package per platform; the host sees only this. An adapter is done when it passes the
 * contract suite (`@runbound/platform-kit/contract`).
 */
import type { Json, JsonObject, MessageChain, PlatformEvent } from '@runbound/protocol'

/** How a platform counts the length of a text. `rendered` asks the adapter's `measure`. */
export type LengthUnit = 'utf16' | 'codepoint' | 'byte' | 'rendered'

export interface AdapterLimits {
  /** Longest text of one message, in `unit`. null: no limit. */
  readonly maxText: number | null
  readonly unit: LengthUnit
  /** Length of what is really sent, where markup makes the text longer. Needed for unit `rendered`. */
  measure?(text: string): number
  /** Most attachments (images, files) in one message. null: no limit. */
  readonly maxAttachments: number | null
}

/** What the adapter can do. Truth, not hope: `ctx.delivery` and grants are computed from it. */
export interface AdapterCapabilities {
  /** Event ids that it can emit. */
  readonly events: readonly string[]
  /** Platform API names that `api` answers: `get_user_info`, `mute_member`, ... (docs-facts.md §4.1). */
  readonly apis: readonly string[]
  /** Native streams, and the shortest time between two edits of one message in milliseconds. null: none. */
  readonly streaming: { readonly minIntervalMs: number } | null
  readonly edit: boolean
  readonly reaction: boolean
  readonly quote: boolean
  /** Proactive sends to a target (not only answers to an event). */
  readonly send: boolean
  /** The outcome of a send can be asked for later by its delivery key. */
  readonly provesDelivery: boolean
  readonly interactions: {
    readonly field_types: readonly string[]
    readonly action_styles: readonly string[]
    readonly supports_updates: boolean
    readonly max_fields: number | null
  } | null
  readonly limits: AdapterLimits
}

/** Where a message goes. Wire data: also `ctx.delivery.reply_target`. */
export interface ReplyTarget {
  readonly target_type: 'person' | 'group'
  readonly target_id: string
  /** Thread, topic or forum post inside the chat. */
  readonly thread_id?: string | null
  /** The message that is answered, where there is one. */
  readonly message_id?: string | null
}

/** An event as an adapter hands it in. The host gives it its id, conversation, actor and subject. */
export interface IncomingEvent {
  readonly event: PlatformEvent
  /**
   * What makes a second delivery of the same event recognisable: the platform's update id, else content key and platform
   * time, else null (never deduplicated). Unique within the bot.
   */
  readonly dedupe_key: string | null
  readonly thread_id?: string | null
  readonly reply_target?: ReplyTarget | null
  /** Data of the entry adapter without a stable property: `ctx.adapter.extra`. */
  readonly extra?: JsonObject
  /** A reference to the raw platform object, for `event.raw_ref`. */
  readonly raw_ref?: string | null
}

/** What became of an emitted event. The adapter confirms to its platform only after this. */
export type Accepted =
  | { readonly status: 'accepted'; readonly event_id: string }
  | { readonly status: 'duplicate'; readonly event_id: string }
  /** `reason` is a trail code (`backlog_full`, `invalid_event`, ...); `retry`: the platform should deliver again. */
  | { readonly status: 'refused'; readonly reason: string; readonly message: string; readonly retry: boolean }

/** How everything that one event caused has ended. */
export interface Settled {
  /** `answered`: at least one message was delivered. `silent`: no processor answered. `failed`: a run or delivery failed. */
  readonly status: 'answered' | 'silent' | 'failed'
  /** Trail code of a failure or of the silence (`route_not_found`, `runner_failed`, ...); null if there is nothing to say. */
  readonly reason: string | null
  /** One sentence that may be shown to the caller; never a stack, a path or a key. */
  readonly message: string | null
}

export interface AdapterServices {
  readonly bot_uuid: string
  readonly bot_name: string
  emit(event: IncomingEvent): Promise<Accepted>
  log(level: 'debug' | 'info' | 'warning' | 'error', text: string, details?: JsonObject): void
  /** Aborts when the bot stops. */
  readonly signal: AbortSignal
  now(): number
  /**
   * Private data folder of this bot, for adapters that keep a log or files of their own. Made by the adapter when it is
   * missing; removed by the host with the bot. Absent where the host has no data folder.
   */
  readonly folder?: string
  /** Small durable notes of the adapter (poll offsets, sequence numbers); awaited before the adapter goes on. */
  readonly notes: { get(key: string): Promise<string | null>; set(key: string, value: string): Promise<void> }
  /**
   * Resolves once every run that this event caused has ended and its messages are delivered or given up; at once if that
   * is so already. For platforms whose request waits for the answer. Rejects when `signal` aborts. Absent: the host can't
   * say, and the adapter takes the first complete answer for the end.
   */
  settled?(event_id: string, signal: AbortSignal): Promise<Settled>
  /** Starts a new conversation in this chat: what was said before is no longer history. Absent: the host can't. */
  resetConversation?(target: ReplyTarget): Promise<void>
}

export interface OutgoingMessage {
  readonly target: ReplyTarget
  /** One message as the platform can take it: already split. */
  readonly chain: MessageChain
  /** Quote this message of the chat, if the platform can. */
  readonly quote_message_id?: string | null
  /** Stable over retries of the same part: adapters pass it on where the platform deduplicates by it. */
  readonly delivery_key: string
  readonly conversation_id: string | null
  readonly run_id: string | null
  /** Position of this part in its answer, from 1, and whether it is the last of the run's answer so far known. */
  readonly part: number
  readonly parts: number
}

export interface SentMessage {
  /** The platform's id of the message; null where it has none. */
  readonly message_id: string | null
  readonly result?: JsonObject
}

/** A native stream: one platform message that changes. Calls come one after another, never faster than declared. */
export interface OutgoingStream {
  update(text: string): Promise<void>
  /** Writes the final text; afterwards the message is closed. */
  finish(text: string): Promise<SentMessage>
  /** Closes the message with what is shown. */
  abort(text: string): Promise<SentMessage>
}

/** Picks a stream up again after a restart of the host. */
export interface StreamTarget {
  readonly message: Omit<OutgoingMessage, 'chain'>
  readonly message_id: string | null
}

export interface Adapter {
  readonly capabilities: AdapterCapabilities
  /** The bot's own account on the platform, once started: an `At` of it mentions the bot. Absent or null: unknown. */
  readonly selfId?: string | null
  /** Connects. Rejects with AdapterError when the settings are wrong; resolves once events can arrive. */
  start(): Promise<void>
  /** Stops taking events, closes connections. Idempotent; resolves within five seconds. */
  stop(): Promise<void>
  /** Sends one message. Rejects with {@link AdapterError}; anything else counts as `unknown_outcome`. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SentMessage>
  /** Opens a native stream with its first text. Present when `capabilities.streaming` is not null. */
  openStream?(
    message: Omit<OutgoingMessage, 'chain'>,
    text: string,
    signal: AbortSignal,
  ): Promise<{ readonly message_id: string | null; readonly stream: OutgoingStream }>
  /** Takes up a stream that an earlier process opened; null: it can't be continued. */
  resumeStream?(target: StreamTarget): Promise<OutgoingStream | null>
  /** What became of a send: asked for after a crash. Present when `capabilities.provesDelivery`. */
  outcome?(
    deliveryKey: string,
  ): Promise<
    | { readonly status: 'sent'; readonly message_id: string | null }
    | { readonly status: 'not_sent' }
    | { readonly status: 'unknown' }
  >
  /** A platform API by name; answers any JSON. Rejects with AdapterError. */
  api?(action: string, params: JsonObject, signal: AbortSignal): Promise<Json>
  /** Shows "typing" where the platform can. Failures are ignored. */
  typing?(target: ReplyTarget): Promise<void>
}

/** A request as the host's HTTP server passes it on; plain web types, so that adapters need no server library. */
export type HttpRoute = (request: Request) => Promise<Response>

/** A WebSocket that the host's server accepted for an adapter: already checked for session, Origin and Host. */
export interface AdapterSocket {
  send(text: string): void
  close(code?: number, reason?: string): void
  onMessage(listener: (text: string) => void): void
  onClose(listener: () => void): void
  /** Who connected, by the host's own sign-in. */
  readonly account_id: string
}

export interface AdapterSetting {
  readonly name: string
  readonly type: 'string' | 'secret' | 'integer' | 'number' | 'boolean' | 'select'
  readonly label: string
  readonly description?: string
  readonly required?: boolean
  readonly default?: Json
  readonly options?: readonly string[]
}

/** What a platform package exports. Loaded lazily, by name. */
export interface PlatformDefinition {
  /** `webchat`, `http`, `telegram`, ... */
  readonly name: string
  readonly label: string
  readonly settings: readonly AdapterSetting[]
  /**
   * Checks settings before they are stored, and does nothing else; throws a ConfigError that names the field. Secrets are
   * filled in, defaults too. Absent: what `settings` declares is all there is to check.
   */
  check?(settings: JsonObject): void
  /** Throws the same ConfigErrors as `check`. */
  create(settings: JsonObject, services: AdapterServices): AdapterInstance
}

export interface AdapterInstance extends Adapter {
  /**
   * HTTP routes below `/bots/<bot_uuid>`, for platforms that call us. `auth: 'own'`: the adapter itself verifies every
   * request (signature); `auth: 'session'`: only signed-in accounts of the host reach it.
   */
  readonly http?: { readonly auth: 'own' | 'session'; readonly handle: HttpRoute }
  /** WebSocket below `/bots/<bot_uuid>/ws`; always `session`. */
  readonly socket?: (socket: AdapterSocket, request: Request) => void
}
