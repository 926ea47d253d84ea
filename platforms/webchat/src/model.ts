/** The little world of a web chat: people, groups, messages, and the records that its log consists of. */
import type { IncomingEvent } from '@runbound/platform-kit'
import type { ChatType, MemberRole } from '@runbound/protocol'

/** The bot's own account in its world. */
export const BOT_ID = 'bot'

/** `private:<user id>` or `group:<group id>`. */
export type ChatKey = `${ChatType}:${string}`

export interface Person {
  readonly id: string
  readonly name: string
  readonly friend: boolean
  readonly remark: string | null
}

/** `until` in epoch seconds; null: without end. */
export interface Ban {
  readonly until: number | null
}

export interface Member {
  readonly user_id: string
  readonly role: MemberRole
  /** Epoch seconds. */
  readonly joined_at: number
  readonly muted: Ban | null
}

export interface Group {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly owner_id: string | null
  /** The bot is one of them while it is in the group. */
  readonly members: readonly Member[]
  readonly banned: { readonly [userId: string]: Ban }
}

/** How the page shows a file. Only `image` is ever shown inside the page by its content. */
export type FileView = 'image' | 'audio' | 'file'

export interface StoredFile {
  readonly id: string
  /** A label that came from outside, cleaned; never a path. */
  readonly name: string
  readonly size: number
  readonly mime: string
  readonly view: FileView
  /** Epoch milliseconds. */
  readonly stored_at: number
}

/** One piece of a message as the page shows it. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mention'; readonly user_id: string; readonly name: string }
  | { readonly kind: 'mention_all' }
  | { readonly kind: 'file'; readonly file: StoredFile }
  /** A file or picture elsewhere: shown as a link, never loaded by the page or the host. */
  | { readonly kind: 'link'; readonly url: string; readonly label: string }

export interface Reaction {
  readonly reaction: string
  readonly user_ids: readonly string[]
}

/** `waiting`: not yet taken by the host. `refused`: the host said no; `refusal` says why. */
export type MessageStatus = 'sent' | 'waiting' | 'refused'

export interface Message {
  readonly id: string
  /** Order over all chats; the number in the id. */
  readonly n: number
  readonly chat: ChatKey
  /** A notice is a line about the chat ("Ben joined"), said by nobody. */
  readonly kind: 'message' | 'notice'
  readonly sender_id: string | null
  /** Epoch milliseconds. */
  readonly at: number
  readonly parts: readonly Part[]
  readonly quote_id: string | null
  /** From 1; each edit adds one. */
  readonly version: number
  readonly edited_at: number | null
  readonly deleted_at: number | null
  readonly reactions: readonly Reaction[]
  /** Counts every change of a reaction, so that added, removed, added are three events. */
  readonly reaction_changes: number
  readonly status: MessageStatus
  readonly refusal: { readonly message: string; readonly retry: boolean } | null
  /** Why a person's message got no answer, once everything that it caused has ended. Null: answered, or not known. */
  readonly outcome: {
    readonly status: 'silent' | 'failed'
    readonly reason: string | null
    readonly message: string | null
  } | null
  /** The page's own id of a message that a person wrote. */
  readonly uuid: string | null
  readonly conversation_id: string | null
  readonly run_id: string | null
  /** True while a native stream writes it. */
  readonly streaming: boolean
}

export type PendingRequest =
  | { readonly id: string; readonly kind: 'friend'; readonly user_id: string; readonly message: string | null }
  | { readonly id: string; readonly kind: 'invite'; readonly group_id: string; readonly inviter_id: string | null }

/** What a command of a page led to: answered again when the page repeats it after a broken connection. */
export interface CommandResult {
  readonly message_id: string | null
  readonly event_key: string | null
  /** Id of the person or group that was made. */
  readonly created_id: string | null
}

/** An event that the host has not taken yet. Files stand in it by id; their bytes are filled in when it is handed over. */
export interface PendingEvent {
  readonly key: string
  /** Events of one lane are handed over one after another. */
  readonly lane: string
  readonly incoming: IncomingEvent
  readonly message_id: string | null
  readonly refused: boolean
}

/** One entry of the log. Each is an upsert or a removal, so that applying one twice changes nothing. */
export type LogRecord =
  | { readonly t: 'person'; readonly person: Person }
  | { readonly t: 'group'; readonly group: Group }
  | { readonly t: 'message'; readonly message: Message }
  | { readonly t: 'request'; readonly request: PendingRequest }
  | { readonly t: 'request_done'; readonly id: string }
  | { readonly t: 'command'; readonly uuid: string; readonly result: CommandResult }
  | { readonly t: 'event'; readonly event: PendingEvent }
  | { readonly t: 'event_done'; readonly key: string }
  | { readonly t: 'delivery'; readonly key: string; readonly message_id: string; readonly at: number }
  | { readonly t: 'file'; readonly file: StoredFile }
  | { readonly t: 'file_gone'; readonly id: string }
  /** The next number for ids; written by a rewrite of the log. */
  | { readonly t: 'next'; readonly n: number }
  /** The time of the youngest delivery key that had to be forgotten. */
  | { readonly t: 'forgot'; readonly at: number }

/** Key of a chat. */
export function chatKey(type: ChatType, id: string): ChatKey {
  return `${type}:${id}`
}

/** Type and id in a chat key. */
export function chatOf(key: ChatKey): { type: ChatType; id: string } {
  const at = key.indexOf(':')
  return { type: key.slice(0, at) === 'group' ? 'group' : 'private', id: key.slice(at + 1) }
}

/** True while a ban or mute holds; `now` in epoch milliseconds. */
export function holds(ban: Ban | null | undefined, now: number): boolean {
  return ban != null && (ban.until === null || ban.until * 1000 > now)
}
