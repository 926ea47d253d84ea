/** Changes of a group as values: who is in it, who is muted, which requests are over. */
import type { MemberRole } from '@runbound/protocol'
import type { CreateGroupFrame, CreatePersonFrame } from './frames.ts'
import { FrameError } from './frames.ts'
import { type Ban, BOT_ID, chatKey, type Group, type LogRecord, type Member } from './model.ts'
import { done, nameOf, notice, type Plan, requirePerson, type Scene } from './plan.ts'
import type { World } from './world.ts'

/** `now` in epoch milliseconds. A member who is there already stays as is. */
export function addMember(group: Group, userId: string, role: MemberRole, now: number): Group {
  if (group.members.some((member) => member.user_id === userId)) return group
  const member: Member = { user_id: userId, role, joined_at: Math.floor(now / 1000), muted: null }
  return { ...group, members: [...group.members, member] }
}

export function removeMember(group: Group, userId: string): Group {
  return { ...group, members: group.members.filter((member) => member.user_id !== userId) }
}

export function withMute(group: Group, userId: string, muted: Ban | null): Group {
  const members = group.members.map((member) => (member.user_id === userId ? { ...member, muted } : member))
  return { ...group, members }
}

/** When a ban or mute of that many seconds ends; null: without end. */
export function banUntil(duration: number | null, now: number): Ban {
  return { until: duration === null ? null : Math.floor(now / 1000) + duration }
}

/** Ends the friend requests of a person. */
export function endRequests(world: World, userId: string): LogRecord[] {
  return [...world.requests.values()]
    .filter((request) => request.kind === 'friend' && request.user_id === userId)
    .map(({ id }) => ({ t: 'request_done', id }))
}

export function planPerson(scene: Scene, frame: CreatePersonFrame): Plan {
  const { world, limits } = scene
  if (world.people.size >= limits.maxPeople) {
    throw new FrameError('limit_reached', `There may be ${limits.maxPeople} people.`)
  }
  // `@Name` has to mean one person.
  if ([...world.people.values()].some(({ name }) => name === frame.name) || nameOf(scene, BOT_ID) === frame.name) {
    throw new FrameError('conflict', `Somebody is called "${frame.name}" already. Choose another name.`)
  }
  const id = `u-${world.takeNumber()}`
  const person = { id, name: frame.name, friend: true, remark: null }
  return done(frame.uuid, [{ t: 'person', person }], null, null, id)
}

export function planGroup(scene: Scene, frame: CreateGroupFrame): Plan {
  const { world, limits, now } = scene
  if (world.groups.size >= limits.maxGroups) {
    throw new FrameError('limit_reached', `There may be ${limits.maxGroups} groups.`)
  }
  const owner = requirePerson(world, frame.owner_id)
  for (const id of frame.member_ids) requirePerson(world, id)
  const id = `g-${world.takeNumber()}`
  const empty: Group = { id, name: frame.name, description: null, owner_id: owner.id, members: [], banned: {} }
  const withOwner = addMember(empty, owner.id, 'owner', now)
  const withPeople = frame.member_ids.reduce((group, userId) => addMember(group, userId, 'member', now), withOwner)
  const group = addMember(withPeople, BOT_ID, frame.bot_role, now)
  const line = notice(scene, chatKey('group', id), `${owner.name} made the group`)
  return done(frame.uuid, [{ t: 'group', group }, line], null, null, id)
}
