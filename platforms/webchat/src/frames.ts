/**
 * The web chat's WebSocket protocol, version 1. One JSON object per frame; `type` picks the shape.
 *
 * 1. The page opens `ws` below the bot's address and says `hello` with the version it speaks. The server answers
 *    `welcome` (people, groups, chats, limits). After that the server pushes changes by itself.
 * 2. Commands (`send`, `edit`, `delete`, `react`, `fire`, `create_person`, `create_group`, `new_conversation`) carry a `uuid` that the page
 *    makes. The server answers each with `ack` or `error`, both with that uuid. A page that got no answer, because the
 *    connection broke, repeats the frame with the same uuid: it is carried out once, and answered each time.
 * 3. `history` carries an `id` that comes back with the answer.
 * 4. Every frame about a message names its chat and its message id, so that a page which shows another chat by now never
 *    mixes them up. `stream` says the end of the text of one message: everything before `from` stays.
 * 5. A frame that can't be read gets an `error` with code `invalid_frame`; the connection stays open.
 */
import type { Json, JsonObject } from '@runbound/protocol'
import type { Limits } from './limits.ts'
import type { ChatKey, Group, Message, PendingRequest, Person } from './model.ts'

export const FRAME_VERSION = 1

/** A small file inside the frame, as `data:<mime>;base64,<data>`. Larger ones are uploaded before and named by id. */
export type FrameAttachment = { readonly file_id: string } | { readonly name: string; readonly data_url: string }

/** Events that the page can make happen, besides those that messages cause. */
export type FireFrame = { readonly type: 'fire'; readonly uuid: string } & (
  | {
      readonly event: 'group.member_joined'
      readonly group_id: string
      readonly user_id: string
      readonly inviter_id: string | null
      readonly join_type: string | null
    }
  | {
      readonly event: 'group.member_left'
      readonly group_id: string
      readonly user_id: string
      readonly operator_id: string | null
      readonly is_kicked: boolean
    }
  | {
      readonly event: 'group.member_banned'
      readonly group_id: string
      readonly user_id: string
      readonly operator_id: string | null
      /** Seconds; null: without end. */
      readonly duration: number | null
    }
  | {
      readonly event: 'group.info_updated'
      readonly group_id: string
      readonly operator_id: string | null
      readonly name: string | null
      readonly description: string | null
    }
  | { readonly event: 'friend.request_received'; readonly user_id: string; readonly message: string | null }
  | { readonly event: 'friend.added' | 'friend.removed'; readonly user_id: string }
  | { readonly event: 'bot.invited_to_group'; readonly name: string; readonly inviter_id: string }
  | { readonly event: 'bot.removed_from_group'; readonly group_id: string; readonly operator_id: string | null }
  | {
      readonly event: 'bot.muted'
      readonly group_id: string
      readonly operator_id: string | null
      readonly duration: number | null
    }
  | { readonly event: 'bot.unmuted'; readonly group_id: string; readonly operator_id: string | null }
  | {
      readonly event: 'feedback.received'
      readonly user_id: string
      readonly message_id: string
      /** 1 like, 2 dislike, 3 withdrawn. */
      readonly feedback_type: 1 | 2 | 3
      readonly content: string | null
    }
  | { readonly event: 'platform.specific'; readonly action: string; readonly data: JsonObject }
)
export type FireEvent = FireFrame['event']

interface ByPerson {
  readonly uuid: string
  /** Who does it; a person of this world, never the bot. */
  readonly user_id: string
  readonly chat: ChatKey
}

export type SendFrame = ByPerson & {
  readonly type: 'send'
  readonly text: string
  readonly quote_id: string | null
  readonly attachments: readonly FrameAttachment[]
}
export type EditFrame = ByPerson & { readonly type: 'edit'; readonly message_id: string; readonly text: string }
export type DeleteFrame = ByPerson & { readonly type: 'delete'; readonly message_id: string }
export type ReactFrame = ByPerson & {
  readonly type: 'react'
  readonly message_id: string
  readonly reaction: string
  readonly add: boolean
}
export type CreatePersonFrame = { readonly type: 'create_person'; readonly uuid: string; readonly name: string }
export type CreateGroupFrame = {
  readonly type: 'create_group'
  readonly uuid: string
  readonly name: string
  readonly owner_id: string
  readonly member_ids: readonly string[]
  readonly bot_role: 'admin' | 'member'
}
/** What was said before is no longer history for the bot. Only where `welcome` says `can_reset`. */
export type NewConversationFrame = ByPerson & { readonly type: 'new_conversation' }
export type CommandFrame =
  | NewConversationFrame
  | SendFrame
  | EditFrame
  | DeleteFrame
  | ReactFrame
  | FireFrame
  | CreatePersonFrame
  | CreateGroupFrame

export type ClientFrame =
  | { readonly type: 'hello'; readonly v: number }
  | {
      readonly type: 'history'
      readonly id: string
      readonly chat: ChatKey
      /** Messages before this number; null: the newest. */
      readonly before: number | null
      readonly limit: number
    }
  | { readonly type: 'typing'; readonly user_id: string; readonly chat: ChatKey }
  | { readonly type: 'ping' }
  | CommandFrame

/** Why a frame was not carried out. The message says what to do; `retry`: the same frame may work later. */
export type FrameErrorCode =
  | 'invalid_frame'
  | 'version'
  | 'too_large'
  | 'too_fast'
  | 'not_found'
  | 'not_allowed'
  | 'conflict'
  | 'limit_reached'
  /** The host did not take the event; `reason` is its trail code. */
  | 'refused'
  | 'unavailable'

export type ServerFrame =
  | {
      readonly type: 'welcome'
      readonly v: number
      readonly bot: { readonly id: string; readonly uuid: string; readonly name: string }
      readonly limits: Limits
      /** The host can start a new conversation in a chat. */
      readonly can_reset: boolean
      readonly events: readonly FireEvent[]
      readonly people: readonly Person[]
      readonly groups: readonly Group[]
      readonly requests: readonly PendingRequest[]
      /** The newest message of each chat that has one. */
      readonly newest: readonly Message[]
    }
  | {
      readonly type: 'history'
      readonly id: string
      readonly chat: ChatKey
      readonly messages: readonly Message[]
      readonly more: boolean
    }
  /** A message is new, or anything of it has changed. */
  | { readonly type: 'message'; readonly chat: ChatKey; readonly message: Message }
  | {
      readonly type: 'stream'
      readonly chat: ChatKey
      readonly message_id: string
      readonly conversation_id: string | null
      readonly run_id: string | null
      /** UTF-16 position: what the text has before it stays. */
      readonly from: number
      readonly text: string
    }
  | { readonly type: 'typing'; readonly chat: ChatKey; readonly user_id: string }
  | { readonly type: 'person'; readonly person: Person }
  | { readonly type: 'group'; readonly group: Group }
  | { readonly type: 'requests'; readonly requests: readonly PendingRequest[] }
  /** What the page knows may be wrong: it says `hello` again and reads its chats anew. */
  | { readonly type: 'reset' }
  | { readonly type: 'pong' }
  | {
      readonly type: 'ack'
      readonly uuid: string
      readonly message_id: string | null
      readonly created_id: string | null
      /** The host's id of the event; null where none was made (the bot is not in that group). */
      readonly event_id: string | null
    }
  | {
      readonly type: 'error'
      /** Of the command that failed; null if the frame had none that could be read. */
      readonly uuid: string | null
      readonly code: FrameErrorCode
      readonly message: string
      readonly retry: boolean
      /** The host's reason, for code `refused`. */
      readonly reason?: string
      readonly details?: Json
    }

/** A client frame that is not carried out; becomes an `error` frame. Never leaves this package. */
export class FrameError extends Error {
  readonly code: FrameErrorCode
  readonly retry: boolean
  readonly reason: string | null

  constructor(code: FrameErrorCode, message: string, options: { retry?: boolean; reason?: string } = {}) {
    super(message)
    this.name = 'FrameError'
    this.code = code
    this.retry = options.retry ?? false
    this.reason = options.reason ?? null
  }
}
