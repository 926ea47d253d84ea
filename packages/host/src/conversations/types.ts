/** conversations/ owns the mailbox (both lanes), conversations, transcript and search. It never calls a plugin. */
import type { HistoryPage, HistorySearchResult, TranscriptItem } from '@runbound/protocol'
import type { Statement } from '@runbound/store'
import type { EventEnvelope } from '../events/types.ts'

/** A row to be: one per processor that gets the event. */
export interface NewRow {
  readonly row_id: string
  readonly workspace_uuid: string
  readonly event_id: string
  readonly bot_uuid: string | null
  readonly processor_id: string
  /** What runs one after another: scope (conversation, else subject, else actor, else the event alone) and processor. */
  readonly lane: string
  readonly conversation_key: string | null
}

export interface Conversations {
  /**
   * Statements that put rows into the mailbox, for events' tx 1; or the reason why a backlog is full.
   * `sentence`: what the chat user reads when the newest is refused.
   */
  post(rows: readonly NewRow[], envelope: EventEnvelope): { readonly statements: readonly Statement[] } | { readonly refused: string; readonly message: string }
  /** Tells the scheduler that rows were committed. Never waits. */
  wake(rows: readonly NewRow[]): void
  /** Ends the runs of a host that died, queues what had no effect, tells the chat user. Called once, before adapters start. */
  recover(): Promise<RecoveryReport>
  /** Starts taking rows. */
  start(): void
  /** Takes no new rows; resolves when nothing is active any more. */
  drain(): Promise<void>

  /** The key of a conversation: workspace, bot, chat, thread and, in member scope, the member. */
  key(envelope: EventEnvelope, scope: 'chat' | 'member'): string | null
  /** Statements for one delivered message: transcript entry and history position (delivery's tx 4). */
  said(message: SaidMessage): readonly Statement[]
  /** History position of the newest entry before a run's own message, for `ctx.context`. */
  cursor(conversationKey: string): Promise<{ readonly latest_cursor: string | null; readonly transcript_seq: number | null; readonly has_history_before: boolean }>
  /** For `history_page`. Cursors are opaque windows: `before_cursor` = older than the window, `after_cursor` = newer. */
  page(request: HistoryRequest): Promise<HistoryPage>
  search(request: { readonly conversation_key: string; readonly up_to: number | null; readonly query: string; readonly roles: readonly string[] | null; readonly item_types: readonly string[] | null; readonly top_k: number }): Promise<HistorySearchResult>
  /** The newest entries for the operator's views. */
  transcript(conversationKey: string, limit: number): Promise<readonly TranscriptItem[]>
}

export interface HistoryRequest {
  readonly conversation_key: string
  /** A run sees positions up to its own; null: all. */
  readonly up_to: number | null
  readonly before_cursor: string | null
  readonly after_cursor: string | null
  readonly limit: number
  readonly direction: 'backward' | 'forward'
  readonly include_attachments: boolean
}

export interface SaidMessage {
  readonly transcript_id: string
  readonly workspace_uuid: string
  readonly conversation_key: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly thread_id: string | null
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string
  readonly content_json: unknown
  readonly attachment_refs: readonly unknown[]
  readonly event_id: string
  readonly run_id: string | null
  readonly processor_id: string | null
  readonly delivery_id: string | null
  readonly message_id: string | null
  readonly actor_id: string | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface RecoveryReport {
  readonly ended: number
  readonly queued_again: number
  readonly interrupted: number
}
