import type { Json, JsonObject } from '@runbound/protocol'
import {
  MessageReceivedEventSchema,
  UserGroupMemberSchema,
  UserGroupSchema,
  UserSchema,
} from '@runbound/protocol/schemas'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { API_NAMES } from './apis.ts'
import { never, openChat, outgoing, type TestChat } from './testing/chat.ts'
import { FakePage } from './testing/fake-page.ts'

let chat: TestChat
let page: FakePage
let said = ''
let answered = ''

const lounge = { chat_type: 'group', chat_id: 'g-4' }

beforeEach(async () => {
  chat = await openChat()
  page = await FakePage.open(chat.adapter)
  const ack = await page.say('u-2', 'group:g-4', 'hello @Ann')
  said = ack.type === 'ack' ? (ack.message_id ?? '') : ''
  const target = { target_type: 'group', target_id: 'g-4' } as const
  answered = (await chat.adapter.send(outgoing('answer', { target }), never)).message_id ?? ''
})
afterEach(() => chat.remove())

const api = (action: string, params: JsonObject = {}): Promise<Json> =>
  chat.adapter.api?.(action, params, never) ?? Promise.reject(new Error('no APIs'))

test('every declared API is documented or our own, and refuses nonsense with a reason', async () => {
  const documented = [
    'get_user_info',
    'get_friend_list',
    'get_group_info',
    'get_group_list',
    'get_group_member_list',
    'get_group_member_info',
    'get_message',
    'delete_message',
    'set_group_name',
    'mute_member',
    'unmute_member',
    'kick_member',
    'leave_group',
    'approve_friend_request',
    'approve_group_invite',
    'edit_message',
  ]
  expect([...API_NAMES].sort()).toEqual([...documented, 'add_reaction', 'remove_reaction'].sort())
  expect(chat.adapter.capabilities.apis).toEqual(API_NAMES)
  for (const name of API_NAMES.filter((one) => !['get_friend_list', 'get_group_list'].includes(one))) {
    await expect(api(name), name).rejects.toMatchObject({ kind: 'invalid' })
    const wrong = {
      user_id: 'u-99',
      group_id: 'g-99',
      chat_type: 'group',
      chat_id: 'g-99',
      message_id: 'm-99',
      request_id: 'r-99',
      approve: true,
      name: 'x',
      new_content: [],
      reaction: 'x',
    }
    await expect(api(name, wrong), name).rejects.toMatchObject({ kind: expect.stringMatching(/refused|invalid/) })
  }
  for (const name of ['toString', '__proto__', 'constructor']) {
    await expect(api(name), name).rejects.toMatchObject({ kind: 'not_supported' })
  }
})

describe('reading', () => {
  test('people and groups in the documented shapes', async () => {
    expect(UserSchema.parse(await api('get_user_info', { user_id: 'u-1' }))).toMatchObject({
      nickname: 'Ann',
      is_bot: false,
    })
    expect(UserSchema.parse(await api('get_user_info', { user_id: 'bot' }))).toMatchObject({ is_bot: true })
    expect(UserGroupSchema.parse(await api('get_group_info', { group_id: 'g-4' }))).toMatchObject({
      name: 'Lounge',
      member_count: 4,
    })
    const member = await api('get_group_member_info', { group_id: 'g-4', user_id: 'u-1' })
    expect(UserGroupMemberSchema.parse(member)).toMatchObject({ role: 'owner', user: { nickname: 'Ann' } })
    expect(await api('get_friend_list')).toMatchObject([{ id: 'u-1' }, { id: 'u-2' }, { id: 'u-3' }])
    expect(await api('get_group_list')).toMatchObject([{ id: 'g-4' }])
    expect(await api('get_group_member_list', { group_id: 'g-4' })).toHaveLength(4)
  })

  test('a message as it came, and not from another chat', async () => {
    const message = MessageReceivedEventSchema.parse(await api('get_message', { ...lounge, message_id: said }))
    expect(message).toMatchObject({ message_id: said, sender: { id: 'u-2' }, chat_type: 'group', bot_role: 'admin' })
    expect(message.message_chain.at(-1)).toEqual({ type: 'At', target: 'u-1', display: 'Ann' })
    await expect(api('get_message', { chat_type: 'person', chat_id: 'u-2', message_id: said })).rejects.toMatchObject({
      kind: 'refused',
    })
  })

  test('a group without the bot is hidden from it', async () => {
    await api('leave_group', { group_id: 'g-4' })
    expect(await api('get_group_list')).toEqual([])
    await expect(api('get_group_info', { group_id: 'g-4' })).rejects.toMatchObject({ kind: 'refused' })
    await expect(api('get_message', { ...lounge, message_id: said })).rejects.toMatchObject({ kind: 'refused' })
  })
})

describe('acting', () => {
  test('moderation changes the group, over a restart, and is no event to the bot itself', async () => {
    const before = chat.services.emitted.length
    await api('set_group_name', { group_id: 'g-4', name: 'Salon' })
    await api('mute_member', { group_id: 'g-4', user_id: 'u-2', duration: 0 })
    expect(await page.say('u-2', 'group:g-4', 'hm')).toMatchObject({ code: 'not_allowed' })
    await api('unmute_member', { group_id: 'g-4', user_id: 'u-2' })
    expect((await page.say('u-2', 'group:g-4', 'hm')).type).toBe('ack')
    await api('kick_member', { group_id: 'g-4', user_id: 'u-3' })
    await chat.restart()
    expect(await api('get_group_info', { group_id: 'g-4' })).toMatchObject({ name: 'Salon', member_count: 3 })
    expect(chat.services.emitted.slice(before).map(({ event }) => event.type)).toEqual(['message.received'])
  })

  test('nobody acts on the owner, and a bot that is no administrator on nobody', async () => {
    await expect(api('kick_member', { group_id: 'g-4', user_id: 'u-1' })).rejects.toMatchObject({ kind: 'refused' })
    const made = await page.command({
      type: 'create_group',
      name: 'Plain',
      owner_id: 'u-1',
      member_ids: ['u-2'],
      bot_role: 'member',
    })
    const group_id = made.type === 'ack' ? made.created_id : null
    for (const [action, params] of [
      ['kick_member', { user_id: 'u-2' }],
      ['mute_member', { user_id: 'u-2', duration: 5 }],
      ['set_group_name', { name: 'Mine' }],
    ] as const) {
      await expect(api(action, { group_id, ...params }), action).rejects.toMatchObject({ kind: 'refused' })
    }
    expect(await api('get_group_info', { group_id })).toMatchObject({ name: 'Plain', member_count: 3 })
  })

  test('the bot edits and deletes what it said; of others only deletes, as an administrator', async () => {
    await api('edit_message', { ...lounge, message_id: answered, new_content: [{ type: 'Plain', text: 'better' }] })
    expect(await api('get_message', { ...lounge, message_id: answered })).toMatchObject({
      message_chain: [{ type: 'Source' }, { text: 'better' }],
    })
    await expect(
      api('edit_message', { ...lounge, message_id: said, new_content: [{ type: 'Plain', text: 'x' }] }),
    ).rejects.toMatchObject({ kind: 'refused' })
    await expect(api('edit_message', { ...lounge, message_id: answered, new_content: 'text' })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await api('delete_message', { ...lounge, message_id: said })
    await expect(api('get_message', { ...lounge, message_id: said })).rejects.toMatchObject({ kind: 'refused' })
    const private_ = await page.say('u-1', 'private:u-1', 'mine')
    await expect(
      api('delete_message', {
        chat_type: 'private',
        chat_id: 'u-1',
        message_id: private_.type === 'ack' ? private_.message_id : '',
      }),
    ).rejects.toMatchObject({ kind: 'refused' })
  })

  test('the bot reacts and takes it back', async () => {
    await api('add_reaction', { ...lounge, message_id: said, reaction: '👍' })
    const { message } = await page.wait('message', ({ message }) => message.reactions.length === 1)
    expect(message.reactions).toEqual([{ reaction: '👍', user_ids: ['bot'] }])
    await api('remove_reaction', { ...lounge, message_id: said, reaction: '👍' })
    await page.wait(
      'message',
      ({ message: one }) => one.id === said && one.reaction_changes === 2 && one.reactions.length === 0,
    )
  })
})
