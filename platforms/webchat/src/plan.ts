/** What every command of a page has in common: it is decided at once from the world, and carried out by its records. */
import { type IncomingEvent, type ReplyTarget, replyTarget } from '@runbound/platform-kit'
import type { PlatformEvent } from '@runbound/protocol'
import type { EventBuilder } from './events.ts'
import { FrameError } from './frames.ts'
import type { Limits } from './limits.ts'
import {
  BOT_ID,
  type ChatKey,
  type CommandResult,
  chatOf,
  type Group,
  holds,
  type LogRecord,
  type Message,
  type Part,
  type Person,
} from './model.ts'
import type { World } from './world.ts'

/** What a plan is made from. `now` in epoch milliseconds. */
export interface Scene {
  readonly world: World
  readonly build: EventBuilder
  readonly limits: Limits
  readonly now: number
}

export interface Plan {
  readonly records: readonly LogRecord[]
  readonly result: CommandResult
}

/** A new message with everything at its start. */
export function newMessage(
  scene: Scene,
  content: Pick<Message, 'chat' | 'sender_id' | 'parts'> & Partial<Message>,
): Message {
  const n = scene.world.takeNumber()
  return {
    id: `m-${n}`,
    n,
    kind: 'message',
    at: scene.now,
    quote_id: null,
    version: 1,
    edited_at: null,
    deleted_at: null,
    reactions: [],
    reaction_changes: 0,
    status: 'sent',
    refusal: null,
    outcome: null,
    uuid: null,
    conversation_id: null,
    run_id: null,
    streaming: false,
    ...content,
  }
}

/** A line about the chat, said by nobody. */
export function notice(scene: Scene, chat: ChatKey, text: string): LogRecord {
  const parts: Part[] = [{ kind: 'text', text }]
  return { t: 'message', message: newMessage(scene, { chat, sender_id: null, parts, kind: 'notice' }) }
}

/** An event for the host, in the log until the host has it. */
export function eventRecord(event: {
  readonly key: string
  readonly lane: string
  readonly event: PlatformEvent
  readonly reply: ReplyTarget | null
  readonly message_id?: string
}): LogRecord {
  const incoming: IncomingEvent = {
    event: event.event,
    dedupe_key: event.key,
    thread_id: null,
    reply_target: event.reply,
    extra: { bot_account_id: BOT_ID },
  }
  const { key, lane } = event
  return { t: 'event', event: { key, lane, incoming, message_id: event.message_id ?? null, refused: false } }
}

/** Where an answer in that chat goes. */
export function replyTo(chat: ChatKey, messageId: string | null): ReplyTarget {
  const { type, id } = chatOf(chat)
  return replyTarget({ chat_type: type, chat_id: id }, messageId)
}

export function requirePerson(world: World, id: string): Person {
  const person = world.people.get(id)
  if (person === undefined) throw new FrameError('not_found', `There is no person "${id}". Reload the page.`)
  return person
}

export function requireGroup(world: World, id: string): Group {
  const group = world.groups.get(id)
  if (group === undefined) throw new FrameError('not_found', `There is no group "${id}". Reload the page.`)
  return group
}

/** The message, if the person may see it and it is still there. */
export function requireMessage(world: World, chat: ChatKey, personId: string, messageId: string): Message {
  requireChat(world, chat, personId)
  const message = world.message(messageId)
  if (message === undefined || message.chat !== chat || message.kind !== 'message') {
    throw new FrameError('not_found', 'This message is not in this chat any more.')
  }
  if (message.deleted_at !== null) throw new FrameError('conflict', 'This message has been deleted.')
  return message
}

export function requireChat(world: World, chat: ChatKey, personId: string): void {
  const person = requirePerson(world, personId)
  if (!world.canSee(chat, personId)) {
    throw new FrameError('not_allowed', `${person.name} is not in this chat. Choose another person or chat.`)
  }
}

/** Refuses a person who is muted in that chat. */
export function requireVoice(scene: Scene, chat: ChatKey, personId: string): void {
  const { type, id } = chatOf(chat)
  const muted = type === 'group' ? scene.world.member(id, personId)?.muted : null
  if (!holds(muted, scene.now)) return
  const until = muted?.until == null ? 'until somebody lifts it' : `until ${new Date(muted.until * 1000).toISOString()}`
  throw new FrameError('not_allowed', `${scene.world.people.get(personId)?.name} is muted in this group ${until}.`)
}

/** The plan of a command, with the record that makes its repetition harmless. */
export function done(
  uuid: string,
  records: readonly LogRecord[],
  message_id: string | null,
  event_key: string | null,
  created_id: string | null = null,
): Plan {
  const result = { message_id, event_key, created_id }
  return { records: [...records, { t: 'command', uuid, result }], result }
}

/** Who is meant by an id in a sentence. */
export function nameOf(scene: Scene, id: string | null): string {
  return id === null ? 'Somebody' : scene.build.userById(scene.world, id).nickname || BOT_ID
}
