/** Conversations of every bot and what was said in them. */
import { z } from 'zod'
import { JsonSchema, PageQuerySchema } from './basics.ts'

export const ConversationsQuerySchema = PageQuerySchema.extend({
  bot_uuid: z.string().optional(),
  /** Part of the chat's title, of its id or of a member's. */
  q: z.string().max(200).optional(),
  debug: z.enum(['true', 'false']).optional(),
})
export const ConversationSchema = z.object({
  conversation_key: z.string(),
  bot_uuid: z.string().nullable(),
  bot_name: z.string().nullable(),
  platform: z.string().nullable(),
  conversation_id: z.string(),
  thread_id: z.string().nullable(),
  chat_type: z.string().nullable(),
  chat_id: z.string().nullable(),
  /** Set where a route keeps a conversation per member. */
  member_id: z.string().nullable(),
  /** Title of the chat, else the person's name, else the platform's id. */
  name: z.string(),
  debug: z.boolean(),
  messages: z.int(),
  created_at: z.number(),
  last_at: z.number(),
  last: z
    .object({ role: z.string(), text: z.string(), actor_name: z.string().nullable(), run_id: z.string().nullable() })
    .nullable(),
  runs_active: z.int(),
})
export const MessagesQuerySchema = PageQuerySchema.extend({
  after_cursor: z.string().optional(),
  direction: z.enum(['forward', 'backward']).default('backward'),
})
export const ChatMessageSchema = z.object({
  /** History position, from 1. */
  seq: z.int(),
  role: z.string(),
  item_type: z.string(),
  text: z.string(),
  /** The message chain, bytes left out; null for one that was only text. */
  chain: JsonSchema.nullable(),
  /** Epoch milliseconds. */
  at: z.number(),
  event_id: z.string(),
  message_id: z.string().nullable(),
  actor_id: z.string().nullable(),
  actor_name: z.string().nullable(),
  /** The run that said it, by which processor. */
  run_id: z.string().nullable(),
  run_status: z.string().nullable(),
  processor_id: z.string().nullable(),
  processor_name: z.string().nullable(),
  delivery_id: z.string().nullable(),
  /** How it went out, as stored: `message`, `stream:finished`, `simulated`, `resent`, `after_restart`; null: it came in. */
  how: z.string().nullable(),
  /** False: before the conversation began anew, so runs do not see it. */
  in_history: z.boolean(),
})
