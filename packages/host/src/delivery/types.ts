/** delivery/ owns the outbox: replies, streams, splitting, throttling, simulation. It never decides rights. */
import type { ReplyTarget } from '@runbound/platform-kit'
import type { JsonObject, MessageChain } from '@runbound/protocol'
import type { Statement } from '@runbound/store'

/** Where an answer belongs: enough to send it, to write history, and to find it again. */
export interface DeliveryScope {
  readonly workspace_uuid: string
  readonly bot_uuid: string
  readonly target: ReplyTarget
  readonly run_id: string | null
  readonly event_id: string | null
  readonly processor_id: string | null
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly thread_id: string | null
  /** The message that `quote_origin` quotes. */
  readonly origin_message_id: string | null
  /** The event is a message: native streams are possible. */
  readonly message_event: boolean
  /** A debug run: nothing reaches the platform, results say `simulated`. */
  readonly debug: boolean
}

export interface ReplyRequest {
  readonly scope: DeliveryScope
  readonly chain: MessageChain
  readonly quote_origin: boolean
  /** How long to wait for the platform in milliseconds before answering `queued`. */
  readonly waitMs: number
  readonly signal: AbortSignal
  /** Commits the intent (outbox rows) guarded by the run and marks its effect. Absent: the host's own sentence. */
  readonly commit?: (statements: readonly Statement[]) => Promise<unknown>
  /** What history and ledger say of its way: a stream on a platform that has none. Default: a message. */
  readonly how?: 'buffered'
}

export interface DeliveryResult {
  readonly status: 'sent' | 'queued' | 'simulated' | 'failed' | 'unknown'
  readonly delivery_id: string
  readonly message_id: string | null
  readonly parts: number
  /** Present when a quote was asked for: whether the platform quotes. */
  readonly quoted?: boolean
  readonly reason?: string
  readonly error?: string
}

/** `reply_stream` of one run: `text` is always the whole text so far. */
export interface StreamRequest {
  readonly scope: DeliveryScope
  readonly stream_id: string
  readonly operation: 'update' | 'finish' | 'abort'
  readonly text: string
  readonly signal: AbortSignal
  readonly waitMs: number
  readonly commit: (statements: readonly Statement[]) => Promise<unknown>
}

export interface StreamResult {
  readonly stream_id: string
  readonly status: 'open' | 'completed' | 'cancelled'
  readonly delivery: 'streaming' | 'buffered' | 'simulated'
  readonly mock: boolean
  readonly text?: string
  readonly message_id?: string | null
  readonly delivery_id?: string
}

export interface Delivery {
  reply(request: ReplyRequest): Promise<DeliveryResult>
  stream(request: StreamRequest): Promise<StreamResult>
  /** The run has ended: open native streams are closed with what is shown, buffers are dropped. */
  endRun(runId: string, why: string): Promise<void>
  /**
   * A sentence of the host for the chat user (failure, backlog full, interrupted): statements for another room's unit and
   * a wake to call after its commit. `once` makes a second sentence of the same key do nothing.
   */
  sentence(
    scope: DeliveryScope,
    text: string,
    once: string,
  ): { readonly statements: readonly Statement[]; readonly wake: () => void }
  /** `queued` is sent, `sending` asks the adapter or becomes `unknown`, open streams are finished with the sentence. */
  recover(): Promise<{ readonly queued: number; readonly unknown: number; readonly finished: number }>
  start(): void
  drain(): Promise<void>
  list(request: {
    readonly workspace_uuid: string
    readonly states: readonly string[] | null
    readonly limit: number
  }): Promise<readonly OutboxItem[]>
  resend(deliveryId: string): Promise<void>
  discard(deliveryId: string): Promise<void>
}

export interface OutboxItem {
  readonly delivery_id: string
  readonly part: number
  readonly parts: number
  readonly state: string
  readonly bot_uuid: string
  readonly run_id: string | null
  readonly conversation_id: string | null
  readonly text: string
  readonly reason: string | null
  readonly error: string | null
  readonly attempts: number
  readonly created_at: number
  readonly sent_at: number | null
}

/** What delivery needs of other rooms; given by host.ts. */
export interface DeliveryNeeds {
  /** Transcript statements of a delivered message (conversations/). */
  said(message: {
    readonly scope: DeliveryScope
    readonly delivery_id: string
    /** Of the entry. Parts that went out in a later life of the answer are a new entry of the same delivery. */
    readonly key: string
    readonly text: string
    readonly chain: MessageChain
    readonly message_id: string | null
    readonly how: string
  }): readonly Statement[]
  /** Ledger statements while the run is running (runs/). */
  ledger(runId: string, type: string, data: JsonObject): readonly Statement[]
  /** What the chat user reads when an answer was cut off by a restart; empty: nothing. */
  sentenceOf(processorId: string | null): Promise<string>
}
