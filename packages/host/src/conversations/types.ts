/** conversations/ owns the mailbox (both lanes), conversations, transcript and search. It never calls a plugin. */
import type { ReplyTarget } from '@runbound/platform-kit'
import type { HistoryPage, HistorySearchResult, TranscriptItem } from '@runbound/protocol'
import type { Statement, StatementResult } from '@runbound/store'
import type { Delivery } from '../delivery/types.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { Processors, Runs } from '../runs/types.ts'
import type { Admission } from './admission-types.ts'

/** A row to be: one per processor that gets the event. The routed processor's row comes first. */
export interface NewRow {
  readonly row_id: string
  readonly workspace_uuid: string
  readonly event_id: string
  readonly bot_uuid: string | null
  readonly processor_id: string
  /** What runs one after another: scope (conversation, else subject, else actor, else the event alone) and processor. */
  readonly lane: string
  readonly conversation_key: string | null
  readonly scope: 'chat' | 'member'
}

/** Rows on their way into the mailbox: statements for events' tx 1, and what to tell afterwards. */
export interface Posting {
  readonly statements: readonly Statement[]
  /** Rows that were not taken, because a backlog is full. Their sender reads a sentence; the statements hold it. */
  readonly refused: readonly RefusedRow[]
  /** To be called once: with the results of `statements` after the commit, or null when it failed. Never waits. */
  settled(results: readonly StatementResult[] | null): void
}

export interface RefusedRow {
  readonly row: NewRow
  /** Which bound was met: `The conversation` or `The workspace`, and its size. */
  readonly bound: string
  readonly limit: number
}

export interface Conversations {
  /**
   * Puts the rows of one event into the mailbox. A message that no turn will follow (no row, or all refused) gets its
   * history position at once.
   */
  post(rows: readonly NewRow[], envelope: EventEnvelope): Posting
  /**
   * Ends the runs of a host that died, queues what had no effect, tells the chat user. Called once, after runs can answer
   * `leftovers` and before `delivery.recover` (which sends the sentences), `start` and adapters.
   */
  recover(): Promise<RecoveryReport>
  /** Starts taking rows: those of the table first. */
  start(): Promise<void>
  /** Takes no new rows; resolves when nothing is active any more. Rows that wait stay for the next start. */
  drain(): Promise<void>
  /** How much waits and runs now. */
  load(): MailboxLoad

  /** The key of a conversation: workspace, bot, chat, thread and, in member scope, the member. */
  key(envelope: EventEnvelope, scope: 'chat' | 'member'): string | null
  /** The lane of an event at a processor. */
  lane(envelope: EventEnvelope, scope: 'chat' | 'member', processorId: string): string
  /** Statements for one delivered message: transcript entry and history position (delivery's tx 4). */
  said(message: SaidMessage): readonly Statement[]
  /** Begins a new conversation in this chat: what was said before is no longer history. */
  reset(workspaceUuid: string, botUuid: string, target: ReplyTarget): Promise<void>
  /**
   * Where the history of a run ends: the newest entry before its own message. Without an event, or while the message has no
   * position yet, the newest of all.
   */
  cursor(conversationKey: string, eventId?: string | null): Promise<HistoryEnd>
  /** History position of an event's own message, for `up_to`; null while it has none. */
  position(eventId: string, conversationKey: string): Promise<number | null>
  /**
   * For `history_page`. Cursors are opaque windows: `before_cursor` = older than the window, `after_cursor` = newer.
   * WireError `invalid_cursor` for a cursor of another conversation or method.
   */
  page(request: HistoryRequest): Promise<HistoryPage>
  /** For `history_search`. WireError `too_large` for a query over the limit. */
  search(request: SearchRequest): Promise<HistorySearchResult>
  /** Events whose message, or an answer to it, holds every word; newest first, below a position. */
  find(request: {
    readonly workspace_uuid: string
    readonly words: string
    readonly below: number
    readonly limit: number
    /** The newest position of a search over several pages. */
    readonly ceiling: number
  }): Promise<readonly { readonly position: number; readonly event_id: string }[]>
  /** The operator's list of conversations, the newest message first. WireError `invalid_cursor`. */
  chats(request: ChatRequest): Promise<ChatPage>
  /** One of them; undefined: not known in this workspace. */
  chat(workspaceUuid: string, conversationKey: string): Promise<Chat | undefined>
  /** All that was said in one, also before it began anew. WireError `invalid_cursor`. */
  messages(request: SaidRequest): Promise<SaidPage>
  /** The newest entries for the operator's views, oldest of them first, attachments included. */
  transcript(conversationKey: string, limit: number): Promise<readonly TranscriptItem[]>
}

/** Null: not filtered by. */
export interface ChatRequest {
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  /** Part of the title, the chat's or the member's id. */
  readonly q: string | null
  readonly debug: boolean | null
  readonly before_cursor: string | null
  readonly limit: number
}

/** A conversation in the operator's list; times in milliseconds. */
export interface Chat {
  readonly conversation_key: string
  readonly bot_uuid: string | null
  readonly conversation_id: string
  readonly thread_id: string | null
  readonly chat_type: string | null
  readonly chat_id: string | null
  readonly member_id: string | null
  readonly title: string | null
  readonly debug: boolean
  readonly messages: number
  readonly created_at: number
  readonly last_at: number
  readonly last_role: string | null
  readonly last_text: string | null
  readonly last_event_id: string | null
  readonly last_run_id: string | null
  /** Event of the newest message of a person. */
  readonly person_event_id: string | null
  readonly runs_active: number
}

export interface ChatPage {
  readonly items: readonly Chat[]
  readonly next_cursor: string | null
  readonly prev_cursor: string | null
  readonly has_more: boolean
}

export interface SaidRequest {
  readonly conversation_key: string
  readonly before_cursor: string | null
  readonly after_cursor: string | null
  readonly direction: 'forward' | 'backward'
  readonly limit: number
}

/** One entry of the transcript, as stored. */
export interface Said {
  readonly seq: number
  readonly role: string
  readonly item_type: string
  readonly content: string | null
  readonly content_json: unknown
  readonly created_at: number
  readonly event_id: string
  readonly run_id: string | null
  readonly processor_id: string | null
  readonly delivery_id: string | null
  readonly message_id: string | null
  readonly actor_id: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** False: before the conversation began anew. */
  readonly in_history: boolean
}

export interface SaidPage {
  readonly items: readonly Said[]
  readonly next_cursor: string | null
  readonly prev_cursor: string | null
  readonly has_more: boolean
}

export interface HistoryRequest {
  readonly conversation_key: string
  /** A run sees positions up to its own; null: all. */
  readonly up_to: number | null
  readonly before_cursor: string | null
  readonly after_cursor: string | null
  /** Clamped to 1..100. */
  readonly limit: number
  /** From which end the page is taken: newest first, or oldest first. */
  readonly direction: 'backward' | 'forward'
  readonly include_attachments: boolean
}

export interface SearchRequest {
  readonly conversation_key: string
  readonly up_to: number | null
  readonly query: string
  /** Null: all. */
  readonly roles: readonly string[] | null
  readonly item_types: readonly string[] | null
  /** Clamped to 1..100. */
  readonly top_k: number
}

export interface HistoryEnd {
  readonly latest_cursor: string | null
  readonly transcript_seq: number | null
  readonly has_history_before: boolean
}

export interface SaidMessage {
  readonly transcript_id: string
  readonly workspace_uuid: string
  readonly conversation_key: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly thread_id: string | null
  readonly role: 'user' | 'assistant' | 'system'
  /** Cut to 4,000 characters for the entry; all of it can be searched. */
  readonly content: string
  /** A chain, or an object. Bytes are left out. */
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
  /** Runs of the dead host that were ended. */
  readonly ended: number
  readonly queued_again: number
  readonly interrupted: number
}

export interface MailboxLoad {
  /** Rows that are not done: parked, waiting and active. */
  readonly open: number
  readonly active: number
  readonly parked: number
  /** Turns that may run at once. */
  readonly limit: number
}

/** Bounds and texts; every one has a default. */
export interface ConversationOptions {
  /** Turns that run at once. Default 512. */
  readonly maxActive?: number
  /** Of these, turns of one processor, so that a stuck one leaves room for the others. Default three quarters. */
  readonly maxActivePerProcessor?: number
  /** Rows of one lane that may wait. Default 100. */
  readonly maxPerLane?: number
  /** Rows of a workspace that may wait. Default 10,000. */
  readonly maxPerWorkspace?: number
  /** How long the rules before a run may take, in milliseconds. Default 60,000. */
  readonly admissionTimeoutMs?: number
  /** First pause before a turn that could not start is tried again, in milliseconds; doubled up to 60 times it. Default 500. */
  readonly retryMs?: number
  /** What the chat user reads when a backlog is full. Empty: nothing. */
  readonly busySentence?: string
  /** What the chat user reads when a run failed or was interrupted and its processor has no sentence of its own. */
  readonly failedSentence?: string
}

/** What conversations needs of other rooms; given by host.ts. */
export interface ConversationNeeds {
  readonly runs: Pick<Runs, 'start' | 'leftovers' | 'endLeft'>
  readonly processors: Pick<Processors, 'get'>
  readonly delivery: Pick<Delivery, 'sentence'>
  /** The stored envelope of an event (events/). */
  envelope(eventId: string): Promise<EventEnvelope | undefined>
  /** Rules before a run (pipelines/). Absent: every row is run. */
  readonly admission?: Admission
}
