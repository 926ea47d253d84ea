import { PlatformEventSchema } from '@runbound/protocol/schemas'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FireFrame } from './frames.ts'
import { FIRE_EVENTS } from './session.ts'
import { never, openChat, outgoing, type TestChat } from './testing/chat.ts'
import { FakePage } from './testing/fake-page.ts'

let chat: TestChat
let page: FakePage

beforeEach(async () => {
  chat = await openChat()
  page = await FakePage.open(chat.adapter)
})
afterEach(() => chat.remove())

type Fire = FireFrame extends infer F ? (F extends { uuid: string } ? Omit<F, 'uuid' | 'type'> : never) : never

async function fire(frame: Fire) {
  return page.command({ type: 'fire', ...frame })
}

const api = (action: string, params = {}) => chat.adapter.api?.(action, params, never)
const group_id = 'g-4'
const by = { group_id, operator_id: 'u-1' }

test('every event of the panel is valid, declared, and handed over once', async () => {
  const sent = await chat.adapter.send(outgoing('an answer'), never)
  const frames: Fire[] = [
    { event: 'group.member_left', ...by, user_id: 'u-3', is_kicked: true },
    { event: 'group.member_joined', group_id, user_id: 'u-3', inviter_id: 'u-1', join_type: 'invite' },
    { event: 'group.member_banned', ...by, user_id: 'u-3', duration: 60 },
    { event: 'group.info_updated', ...by, name: 'Salon', description: null },
    { event: 'friend.removed', user_id: 'u-1' },
    { event: 'friend.added', user_id: 'u-1' },
    { event: 'friend.request_received', user_id: 'u-2', message: 'hello' },
    { event: 'bot.invited_to_group', name: 'Club', inviter_id: 'u-2' },
    { event: 'bot.muted', ...by, duration: 60 },
    { event: 'bot.unmuted', ...by },
    { event: 'bot.removed_from_group', ...by },
    {
      event: 'feedback.received',
      user_id: 'u-1',
      message_id: sent.message_id ?? '',
      feedback_type: 2,
      content: 'wrong',
    },
    { event: 'platform.specific', action: 'poke', data: { target_id: 5, deep: { a: [null] } } },
  ]
  for (const frame of frames) {
    expect(await fire(frame), frame.event).toMatchObject({ type: 'ack', event_id: expect.any(String) })
  }
  const events = chat.services.accepted.map(({ event }) => event)
  expect(events.map(({ type }) => type)).toEqual(frames.map(({ event }) => event))
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(FIRE_EVENTS))
  for (const event of events) {
    expect(PlatformEventSchema.parse(event), event.type).toEqual(event)
    expect(chat.adapter.capabilities.events).toContain(event.type)
  }
  expect(events[0]).toMatchObject({ member: { nickname: 'Chen' }, operator: { id: 'u-1' }, group: { member_count: 3 } })
  expect(events[3]).toMatchObject({ group: { name: 'Salon' }, changed_fields: ['name'] })
})

test('what is made to happen really changes the chat', async () => {
  const members = async () => {
    const list = await api('get_group_member_list', { group_id })
    return Array.isArray(list) ? list.length : 0
  }
  expect(await members()).toBe(4)
  await fire({ event: 'group.member_banned', ...by, user_id: 'u-3', duration: null })
  expect(await members()).toBe(3)
  expect(await page.say('u-3', 'group:g-4', 'let me in')).toMatchObject({ code: 'not_allowed' })
  expect(
    await fire({ event: 'group.member_joined', group_id, user_id: 'u-3', inviter_id: null, join_type: null }),
  ).toMatchObject({
    code: 'not_allowed',
  })
  await fire({ event: 'bot.muted', ...by, duration: null })
  const toGroup = outgoing('hi', { target: { target_type: 'group', target_id: group_id } })
  await expect(chat.adapter.send(toGroup, never)).rejects.toMatchObject({ kind: 'refused' })
  await fire({ event: 'bot.unmuted', ...by })
  await chat.adapter.send(toGroup, never)
})

test('what can not happen is refused with the reason, and makes no event', async () => {
  expect(
    await fire({ event: 'group.member_joined', group_id, user_id: 'u-1', inviter_id: null, join_type: null }),
  ).toMatchObject({ code: 'conflict' })
  expect(await fire({ event: 'group.member_left', ...by, user_id: 'u-99', is_kicked: false })).toMatchObject({
    code: 'not_found',
  })
  expect(await fire({ event: 'bot.unmuted', ...by })).toMatchObject({ code: 'conflict' })
  expect(await fire({ event: 'group.info_updated', ...by, name: 'Lounge', description: null })).toMatchObject({
    code: 'conflict',
  })
  expect(
    await fire({ event: 'feedback.received', user_id: 'u-1', message_id: 'm-1', feedback_type: 1, content: null }),
  ).toMatchObject({ code: 'not_found' })
  expect(chat.services.emitted).toEqual([])
})

test('requests wait for the bot, over a restart, until it decides', async () => {
  await fire({ event: 'friend.request_received', user_id: 'u-2', message: 'hello' })
  await fire({ event: 'bot.invited_to_group', name: 'Club', inviter_id: 'u-2' })
  const ids = chat.services.accepted.flatMap(({ event }) => ('request_id' in event ? [event.request_id] : []))
  await chat.restart()
  page = await FakePage.open(chat.adapter)
  const welcome = await page.wait('welcome')
  expect(welcome.requests.map(({ id }) => id)).toEqual(ids)
  expect(await api('get_friend_list')).not.toContainEqual(expect.objectContaining({ id: 'u-2' }))
  await api('approve_friend_request', { request_id: ids[0], approve: true, remark: 'my friend' })
  expect(await api('get_friend_list')).toContainEqual(expect.objectContaining({ id: 'u-2', remark: 'my friend' }))
  await api('approve_group_invite', { request_id: ids[1], approve: true })
  expect(await api('get_group_list')).toContainEqual(expect.objectContaining({ name: 'Club', member_count: 2 }))
  expect(chat.services.accepted.at(-1)?.event).toMatchObject({ type: 'friend.added', user: { id: 'u-2' } })
  await expect(api('approve_group_invite', { request_id: ids[1], approve: true })).rejects.toMatchObject({
    kind: 'refused',
  })
})
