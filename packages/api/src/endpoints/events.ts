/** Events and conversations: what came in, why it was answered or not, what was said. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as s from '../schemas.ts'

const event = s.params('event_id')
const chat = s.params('conversation_key')

export const EVENT_ENDPOINTS = {
  listEvents: endpoint({ method: 'get', path: '/api/v1/events', summary: 'What came in, newest first, with why it was answered or not', scope: 'read', query: s.EventsQuerySchema, response: s.pageOf(s.EventItemSchema) }),
  getEvent: endpoint({ method: 'get', path: '/api/v1/events/{event_id}', summary: 'One event with its envelope and trail', scope: 'read', params: event, response: s.EventDetailSchema }),
  why: endpoint({ method: 'get', path: '/api/v1/events/{event_id}/why', summary: 'Why an event got an answer or none', scope: 'read', params: event, response: s.WhySchema }),
  debugEvent: endpoint({ method: 'post', path: '/api/v1/events/debug', summary: 'Gives an event to one processor, with simulated delivery', scope: 'operate', body: s.DebugEventSchema, response: z.object({ event_id: z.string() }) }),
  listEventTypes: endpoint({ method: 'get', path: '/api/v1/event-types', summary: 'Event ids, each with its fields and a sample that fits', scope: 'read', response: z.object({ items: z.array(s.EventTypeSchema) }) }),
  listReasons: endpoint({ method: 'get', path: '/api/v1/reasons', summary: 'Reason codes of trails, and the ways to stay silent', scope: 'read', response: z.object({ reasons: z.array(s.ReasonSchema), silence: z.array(s.SilenceSchema) }) }),
  listConversations: endpoint({ method: 'get', path: '/api/v1/conversations', summary: 'Conversations of every bot, the newest message first', scope: 'read', query: s.ConversationsQuerySchema, response: s.pageOf(s.ConversationSchema) }),
  getConversation: endpoint({ method: 'get', path: '/api/v1/conversations/{conversation_key}', summary: 'One conversation', scope: 'read', params: chat, response: s.ConversationSchema }),
  listMessages: endpoint({ method: 'get', path: '/api/v1/conversations/{conversation_key}/messages', summary: 'What was said in a conversation, by whom and by which run', scope: 'read', params: chat, query: s.MessagesQuerySchema, response: s.pageOf(s.ChatMessageSchema) }),
} // biome-ignore format: a table
