/** Endpoints of conversations: every bot's, and what was said in them by whom. */
import type { EVENT_ENDPOINTS } from '@runbound/api'
import type { Chat } from '../../conversations/types.ts'
import { HostError } from '../../errors.ts'
import type { Handlers } from '../api-routes.ts'
import { namesOf } from '../names.ts'
import type { HandlerRooms } from './rooms.ts'

type ChatRecords = Pick<typeof EVENT_ENDPOINTS, 'listConversations' | 'getConversation' | 'listMessages'>

export function chatHandlers(rooms: HandlerRooms): Handlers<ChatRecords> {
  const { conversations, events, runs, identity } = rooms
  const { workspace_uuid } = identity
  const chatOf = async (key: string): Promise<Chat> => {
    const chat = await conversations.chat(workspace_uuid, key)
    if (chat === undefined)
      throw new HostError('not_found', 'There is no such conversation: nothing was said in it yet.')
    return chat
  }
  return {
    listConversations: async ({ query }) => {
      const { items, ...page } = await conversations.chats({
        workspace_uuid,
        bot_uuid: query.bot_uuid ?? null,
        q: query.q ?? null,
        debug: query.debug === undefined ? null : query.debug === 'true',
        before_cursor: query.before_cursor ?? null,
        limit: query.limit,
      })
      return { ...page, items: await shownChats(rooms, items) }
    },
    getConversation: async ({ params }) => {
      const [shown] = await shownChats(rooms, [await chatOf(params.conversation_key)])
      if (shown === undefined) throw new HostError('not_found', 'There is no such conversation.')
      return shown
    },
    listMessages: async ({ params: { conversation_key }, query }) => {
      await chatOf(conversation_key)
      const { items, ...page } = await conversations.messages({
        conversation_key,
        before_cursor: query.before_cursor ?? null,
        after_cursor: query.after_cursor ?? null,
        direction: query.direction,
        limit: query.limit,
      })
      const [names, about, said] = await Promise.all([
        namesOf(rooms),
        events.of(items.filter(({ role }) => role === 'user').map(({ event_id }) => event_id)),
        runs.heads(items.flatMap(({ run_id }) => (run_id === null ? [] : [run_id]))),
      ])
      return {
        ...page,
        items: items.map(({ content, content_json, created_at, metadata, ...item }) => ({
          ...item,
          text: content ?? '',
          chain: content_json as never,
          at: created_at,
          actor_name: item.role === 'user' ? (about.get(item.event_id)?.actor_name ?? null) : null,
          run_status: item.run_id === null ? null : (said.get(item.run_id)?.status ?? null),
          processor_name: names.processor(item.processor_id),
          how: typeof metadata.how === 'string' ? metadata.how : null,
        })),
      }
    },
  }
}

/** With names: of the bot, and of the person where the platform gave the chat none. */
async function shownChats(rooms: HandlerRooms, chats: readonly Chat[]) {
  const ids = chats.flatMap(({ person_event_id, last_event_id }) => [person_event_id, last_event_id])
  const [names, about] = await Promise.all([namesOf(rooms), rooms.events.of(ids.filter((id) => id !== null))])
  return chats.map((chat) => {
    const { title, last_role, last_text, last_event_id, last_run_id, person_event_id, ...shown } = chat
    const bot = names.bot(chat.bot_uuid)
    const person = about.get(person_event_id ?? '')?.actor_name
    const who = chat.chat_type === 'person' || chat.member_id !== null ? person : null
    return {
      ...shown,
      bot_name: bot?.name ?? null,
      platform: bot?.platform ?? null,
      name: title || who || chat.chat_id || chat.conversation_id,
      last:
        last_role === null
          ? null
          : {
              role: last_role,
              text: last_text ?? '',
              actor_name: last_role === 'user' ? (about.get(last_event_id ?? '')?.actor_name ?? null) : null,
              run_id: last_run_id,
            },
    }
  })
}
