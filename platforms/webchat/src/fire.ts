/** The events that the panel of the page makes happen. Each really changes the little world, then tells the host. */
import type { PlatformEvent } from '@runbound/protocol'
import { type FireFrame, FrameError } from './frames.ts'
import { addMember, banUntil, endRequests, removeMember, withMute } from './groups.ts'
import { type Ban, BOT_ID, chatKey, type Group, holds, type LogRecord, type Member } from './model.ts'
import {
  done,
  eventRecord,
  nameOf,
  notice,
  type Plan,
  replyTo,
  requireGroup,
  requirePerson,
  type Scene,
} from './plan.ts'

export function planFire(scene: Scene, frame: FireFrame): Plan {
  switch (frame.event) {
    case 'group.member_joined':
    case 'group.member_left':
    case 'group.member_banned':
      return planMember(scene, frame)
    case 'group.info_updated':
      return planInfo(scene, frame)
    case 'bot.removed_from_group':
    case 'bot.muted':
    case 'bot.unmuted':
      return planBot(scene, frame)
    case 'bot.invited_to_group':
      return planInvite(scene, frame)
    case 'friend.request_received':
    case 'friend.added':
    case 'friend.removed':
      return planFriend(scene, frame)
    case 'feedback.received':
      return planFeedback(scene, frame)
    case 'platform.specific': {
      const { action, data } = frame
      const event = { ...scene.build.base(scene.now), type: frame.event, action, data }
      return fired(frame.uuid, [], event, 'bot', null)
    }
  }
}

type FrameOf<E extends FireFrame['event']> = Extract<FireFrame, { event: E }>

function planMember(
  scene: Scene,
  frame: FrameOf<'group.member_joined' | 'group.member_left' | 'group.member_banned'>,
): Plan {
  const { world, build, now } = scene
  const group = groupWithBot(scene, frame.group_id)
  const person = requirePerson(world, frame.user_id)
  const member = build.user(person)
  const base = build.base(now)
  if (frame.event === 'group.member_joined') {
    if (world.member(group.id, person.id)) throw new FrameError('conflict', `${person.name} is in this group already.`)
    if (holds(group.banned[person.id], now)) {
      throw new FrameError('not_allowed', `${person.name} is banned from this group.`)
    }
    const joined = addMember(group, person.id, 'member', now)
    const inviter = build.userOrNull(world, frame.inviter_id)
    const event = {
      ...base,
      type: frame.event,
      group: build.group(joined),
      member,
      inviter,
      join_type: frame.join_type,
    }
    return inGroup(scene, frame.uuid, joined, event, `${person.name} joined the group`)
  }
  requireMember(scene, group, person.id)
  const operator = build.userOrNull(world, frame.operator_id)
  if (frame.event === 'group.member_left') {
    const left = removeMember(group, person.id)
    const event = { ...base, type: frame.event, group: build.group(left), member, is_kicked: frame.is_kicked, operator }
    const how = frame.is_kicked ? `was removed by ${nameOf(scene, frame.operator_id)}` : 'left the group'
    return inGroup(scene, frame.uuid, left, event, `${person.name} ${how}`)
  }
  const ban = banUntil(frame.duration, now)
  const left: Group = { ...removeMember(group, person.id), banned: { ...group.banned, [person.id]: ban } }
  const event = { ...base, type: frame.event, group: build.group(left), member, operator, duration: frame.duration }
  return inGroup(scene, frame.uuid, left, event, `${person.name} was banned${howLong(frame.duration)}`)
}

function planInfo(scene: Scene, frame: FrameOf<'group.info_updated'>): Plan {
  const group = groupWithBot(scene, frame.group_id)
  const name = frame.name ?? group.name
  const description = frame.description ?? group.description
  const changed_fields = [
    ...(name === group.name ? [] : ['name']),
    ...(description === group.description ? [] : ['description']),
  ]
  if (changed_fields.length === 0) throw new FrameError('conflict', 'The group has this name and description already.')
  const changed: Group = { ...group, name, description }
  const operator = scene.build.userOrNull(scene.world, frame.operator_id)
  const base = scene.build.base(scene.now)
  const event = { ...base, type: frame.event, group: scene.build.group(changed), operator, changed_fields }
  const text = `${nameOf(scene, frame.operator_id)} changed the ${changed_fields.join(' and ')} of the group`
  return inGroup(scene, frame.uuid, changed, event, text)
}

function planBot(scene: Scene, frame: FrameOf<'bot.removed_from_group' | 'bot.muted' | 'bot.unmuted'>): Plan {
  const { build, now } = scene
  const group = groupWithBot(scene, frame.group_id)
  const operator = build.userOrNull(scene.world, frame.operator_id)
  const who = nameOf(scene, frame.operator_id)
  const base = build.base(now)
  if (frame.event === 'bot.removed_from_group') {
    const changed = removeMember(group, BOT_ID)
    const event = { ...base, type: frame.event, group: build.group(changed), operator }
    return inGroup(scene, frame.uuid, changed, event, `${who} removed the bot from the group`, false)
  }
  const muted: Ban | null = frame.event === 'bot.muted' ? banUntil(frame.duration, now) : null
  if (muted === null && !holds(scene.world.member(group.id, BOT_ID)?.muted, now)) {
    throw new FrameError('conflict', 'The bot is not muted in this group.')
  }
  const changed = withMute(group, BOT_ID, muted)
  const about = { ...base, group: build.group(changed), operator }
  const event: PlatformEvent =
    frame.event === 'bot.muted'
      ? { ...about, type: frame.event, duration: frame.duration }
      : { ...about, type: frame.event }
  const text = frame.event === 'bot.muted' ? `${who} muted the bot${howLong(frame.duration)}` : `${who} unmuted the bot`
  return inGroup(scene, frame.uuid, changed, event, text)
}

function planInvite(scene: Scene, frame: FrameOf<'bot.invited_to_group'>): Plan {
  const { world, build, now } = scene
  const inviter = requirePerson(world, frame.inviter_id)
  if (world.groups.size >= scene.limits.maxGroups) {
    throw new FrameError('limit_reached', `There may be ${scene.limits.maxGroups} groups.`)
  }
  const id = `g-${world.takeNumber()}`
  const owner: Member = { user_id: inviter.id, role: 'owner', joined_at: Math.floor(now / 1000), muted: null }
  const group: Group = { id, name: frame.name, description: null, owner_id: inviter.id, members: [owner], banned: {} }
  const request = { id: `r-${world.takeNumber()}`, kind: 'invite' as const, group_id: id, inviter_id: inviter.id }
  const event = {
    ...build.base(now),
    type: frame.event,
    group: build.group(group),
    inviter: build.user(inviter),
    request_id: request.id,
  }
  const records: LogRecord[] = [
    { t: 'group', group },
    { t: 'request', request },
    notice(scene, chatKey('group', id), `${inviter.name} invited the bot`),
  ]
  return fired(frame.uuid, records, event, chatKey('group', id), null, id)
}

function planFriend(
  scene: Scene,
  frame: FrameOf<'friend.request_received'> | FrameOf<'friend.added' | 'friend.removed'>,
): Plan {
  const { world, build, now } = scene
  const person = requirePerson(world, frame.user_id)
  const chat = chatKey('private', person.id)
  const about = { ...build.base(now), user: build.user(person) }
  const asFriend = (friend: boolean): LogRecord => ({ t: 'person', person: { ...person, friend } })
  if (frame.event === 'friend.request_received') {
    const { message } = frame
    const request = { id: `r-${world.takeNumber()}`, kind: 'friend' as const, user_id: person.id, message }
    const line = notice(scene, chat, `${person.name} asks to be a friend${message === null ? '' : `: ${message}`}`)
    const records: LogRecord[] = [...endRequests(world, person.id), asFriend(false), { t: 'request', request }, line]
    return fired(
      frame.uuid,
      records,
      { ...about, type: frame.event, request_id: request.id, message },
      chat,
      replyTo(chat, null),
    )
  }
  const added = frame.event === 'friend.added'
  if (person.friend === added) {
    throw new FrameError(
      'conflict',
      `${person.name} is ${added ? 'a friend of the bot already' : 'no friend of the bot'}.`,
    )
  }
  const line = notice(scene, chat, `${person.name} ${added ? 'became a friend of the bot' : 'ended the friendship'}`)
  const records: LogRecord[] = [...(added ? endRequests(world, person.id) : []), asFriend(added), line]
  return fired(frame.uuid, records, { ...about, type: frame.event }, chat, replyTo(chat, null))
}

function planFeedback(scene: Scene, frame: FrameOf<'feedback.received'>): Plan {
  const { world, build, now } = scene
  requirePerson(world, frame.user_id)
  const message = world.message(frame.message_id)
  if (message === undefined || !world.canSee(message.chat, frame.user_id) || message.sender_id !== BOT_ID) {
    throw new FrameError('not_found', 'Feedback is about a message of the bot in one of your chats.')
  }
  const reply = replyTo(message.chat, message.id)
  const event = {
    ...build.base(now),
    type: frame.event,
    feedback_id: frame.uuid,
    feedback_type: frame.feedback_type,
    feedback_content: frame.content,
    inaccurate_reasons: null,
    user_id: frame.user_id,
    session_id: `${reply.target_type}_${reply.target_id}`,
    message_id: message.id,
    stream_id: null,
  }
  return fired(frame.uuid, [], event, message.chat, reply)
}

/** A change of a group, a line about it in the chat, and the event. */
function inGroup(
  scene: Scene,
  uuid: string,
  group: Group,
  event: PlatformEvent,
  text: string,
  answerable = true,
): Plan {
  const chat = chatKey('group', group.id)
  const records: LogRecord[] = [{ t: 'group', group }, notice(scene, chat, text)]
  return fired(uuid, records, event, chat, answerable ? replyTo(chat, null) : null)
}

function fired(
  uuid: string,
  records: readonly LogRecord[],
  event: PlatformEvent,
  lane: string,
  reply: ReturnType<typeof replyTo> | null,
  createdId: string | null = null,
): Plan {
  return done(uuid, [...records, eventRecord({ key: uuid, lane, event, reply })], null, uuid, createdId)
}

/** The host hears only of groups that the bot is in, as on any platform. */
function groupWithBot(scene: Scene, id: string): Group {
  const group = requireGroup(scene.world, id)
  if (scene.world.member(id, BOT_ID) === undefined) {
    throw new FrameError('conflict', 'The bot is not in this group, so it would not hear of this. Invite it first.')
  }
  return group
}

function requireMember(scene: Scene, group: Group, userId: string): void {
  if (scene.world.member(group.id, userId) === undefined) {
    throw new FrameError('conflict', `${nameOf(scene, userId)} is not in this group.`)
  }
}

function howLong(duration: number | null): string {
  return duration === null ? '' : ` for ${duration} s`
}
