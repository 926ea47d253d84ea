/** What people do with messages: say, edit, delete, react. Each function decides; nothing is written here. */

import { splitMentions, toChain } from './chains.ts'
import { type DeleteFrame, type EditFrame, FrameError, type ReactFrame, type SendFrame } from './frames.ts'
import { type ChatKey, chatOf, type LogRecord, type Message, type Part, type StoredFile } from './model.ts'
import {
  done,
  eventRecord,
  newMessage,
  type Plan,
  replyTo,
  requireChat,
  requireMessage,
  requirePerson,
  requireVoice,
  type Scene,
} from './plan.ts'

/** A person says something; `files` are the attachments, stored already. */
export function planSend(scene: Scene, frame: SendFrame, files: readonly StoredFile[]): Plan {
  const { world, build } = scene
  requireChat(world, frame.chat, frame.user_id)
  requireVoice(scene, frame.chat, frame.user_id)
  const quoted = quotedMessage(scene, frame)
  const total = files.reduce((sum, file) => sum + file.size, 0)
  if (total > scene.limits.maxFileBytes) {
    throw new FrameError('too_large', `The files of one message may have ${scene.limits.maxFileBytes} bytes together.`)
  }
  const heard = world.hasBot(frame.chat)
  const message = newMessage(scene, {
    chat: frame.chat,
    sender_id: frame.user_id,
    parts: [...textParts(scene, frame.chat, frame.text), ...files.map((file): Part => ({ kind: 'file', file }))],
    quote_id: quoted?.id ?? null,
    uuid: frame.uuid,
    status: heard ? 'waiting' : 'sent',
  })
  const records: LogRecord[] = [...fileRecords(scene, files), { t: 'message', message }]
  if (heard) {
    const event = build.received(world, message, toChain(message, quoted))
    const reply = replyTo(frame.chat, message.id)
    records.push(eventRecord({ key: frame.uuid, lane: frame.chat, event, reply, message_id: message.id }))
  }
  return done(frame.uuid, records, message.id, heard ? frame.uuid : null)
}

export function planEdit(scene: Scene, frame: EditFrame): Plan {
  const { world, build } = scene
  const old = requireMessage(world, frame.chat, frame.user_id, frame.message_id)
  requireVoice(scene, frame.chat, frame.user_id)
  if (old.sender_id !== frame.user_id) throw new FrameError('not_allowed', 'Only who wrote a message may edit it.')
  if (old.status === 'refused') {
    throw new FrameError('conflict', 'This message was not delivered. Send it again, or delete it.')
  }
  const parts = [...textParts(scene, frame.chat, frame.text), ...old.parts.filter((part) => part.kind === 'file')]
  const message: Message = { ...old, parts, version: old.version + 1, edited_at: scene.now }
  const key = `${message.id}:v${message.version}`
  const records: LogRecord[] = [{ t: 'message', message }]
  if (!world.hasBot(frame.chat)) return done(frame.uuid, records, message.id, null)
  const event = {
    ...build.base(scene.now),
    type: 'message.edited' as const,
    message_id: message.id,
    new_content: toChain(message, undefined),
    editor: build.userById(world, frame.user_id),
    ...build.chat(world, frame.chat),
  }
  records.push(
    eventRecord({ key, lane: frame.chat, event, reply: replyTo(frame.chat, message.id), message_id: message.id }),
  )
  return done(frame.uuid, records, message.id, key)
}

/** Deletes a message of one's own, or any as an owner or administrator of the group. */
export function planDelete(scene: Scene, frame: DeleteFrame): Plan {
  const { world, build } = scene
  const old = requireMessage(world, frame.chat, frame.user_id, frame.message_id)
  const { type, id } = chatOf(frame.chat)
  const role = type === 'group' ? world.member(id, frame.user_id)?.role : 'member'
  if (old.sender_id !== frame.user_id && role === 'member') {
    throw new FrameError('not_allowed', 'Only who wrote a message, or an administrator of the group, may delete it.')
  }
  const records: LogRecord[] = [{ t: 'message', message: withoutContent(old, scene.now) }]
  // The host never heard of a message that it refused.
  if (!world.hasBot(frame.chat) || old.status === 'refused') {
    records.push({ t: 'event_done', key: old.uuid ?? '' })
    return done(frame.uuid, records, old.id, null)
  }
  const key = `${old.id}:deleted`
  const event = {
    ...build.base(scene.now),
    type: 'message.deleted' as const,
    message_id: old.id,
    operator: build.userById(world, frame.user_id),
    ...build.chat(world, frame.chat),
  }
  records.push(eventRecord({ key, lane: frame.chat, event, reply: replyTo(frame.chat, null) }))
  return done(frame.uuid, records, old.id, key)
}

/** Adds or removes a reaction. One that is already so changes nothing and makes no event. */
export function planReact(scene: Scene, frame: ReactFrame): Plan {
  const { world, build } = scene
  const old = requireMessage(world, frame.chat, frame.user_id, frame.message_id)
  const message = withReaction(old, frame.user_id, frame.reaction, frame.add, scene.limits.maxReactionsPerMessage)
  if (message === old) return done(frame.uuid, [], old.id, null)
  const records: LogRecord[] = [{ t: 'message', message }]
  if (!world.hasBot(frame.chat)) return done(frame.uuid, records, old.id, null)
  const key = `${old.id}:r${message.reaction_changes}`
  const event = {
    ...build.base(scene.now),
    type: 'message.reaction' as const,
    message_id: old.id,
    user: build.user(requirePerson(world, frame.user_id)),
    reaction: frame.reaction,
    is_add: frame.add,
    ...build.chat(world, frame.chat),
  }
  records.push(eventRecord({ key, lane: frame.chat, event, reply: replyTo(frame.chat, old.id) }))
  return done(frame.uuid, records, old.id, key)
}

/** The message with or without somebody's reaction; the same object if nothing changes. Throws `limit_reached`. */
export function withReaction(message: Message, userId: string, reaction: string, add: boolean, most: number): Message {
  if (/\p{Cc}/u.test(reaction)) throw new FrameError('invalid_frame', 'A reaction is an emoji or a short word.')
  const old = message.reactions.find((one) => one.reaction === reaction)
  if ((old?.user_ids.includes(userId) ?? false) === add) return message
  if (add && old === undefined && message.reactions.length >= most) {
    throw new FrameError('limit_reached', `A message may have ${most} different reactions.`)
  }
  const user_ids = add ? [...(old?.user_ids ?? []), userId] : (old?.user_ids.filter((id) => id !== userId) ?? [])
  const changed = { reaction, user_ids }
  const reactions = (
    old === undefined ? [...message.reactions, changed] : message.reactions.map((one) => (one === old ? changed : one))
  ).filter((one) => one.user_ids.length > 0)
  return { ...message, reactions, reaction_changes: message.reaction_changes + 1 }
}

/** What stays of a deleted message: that it was there. */
export function withoutContent(message: Message, now: number): Message {
  const gone = { deleted_at: now, parts: [], reactions: [], streaming: false, refusal: null, outcome: null }
  return { ...message, ...gone, status: 'sent' }
}

function quotedMessage(scene: Scene, frame: SendFrame): Message | undefined {
  if (frame.quote_id === null) return undefined
  return requireMessage(scene.world, frame.chat, frame.user_id, frame.quote_id)
}

function textParts(scene: Scene, chat: ChatKey, text: string): Part[] {
  const { type, id } = chatOf(chat)
  if (text === '' || type === 'private') return text === '' ? [] : [{ kind: 'text', text }]
  const { world, build } = scene
  const members = world.groups.get(id)?.members ?? []
  const names = members.map(({ user_id }) => ({ id: user_id, name: build.userById(world, user_id).nickname }))
  return splitMentions(
    text,
    names.filter(({ name }) => name !== ''),
  )
}

function fileRecords(scene: Scene, files: readonly StoredFile[]): LogRecord[] {
  return files.filter(({ id }) => !scene.world.files.has(id)).map((file) => ({ t: 'file', file }))
}
