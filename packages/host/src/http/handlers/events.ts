/** Endpoints of events and conversations. */
import type { EVENT_ENDPOINTS } from '@runbound/api'
import { HostError } from '../../errors.ts'
import type { Handlers } from '../api-routes.ts'
import type { HandlerRooms } from './rooms.ts'
import { soon } from './soon.ts'

export function eventHandlers(rooms: HandlerRooms): Handlers<typeof EVENT_ENDPOINTS> {
  const { events, trail } = rooms
  return {
    listEvents: soon,
    getEvent: soon,
    why: async ({ params }) => {
      const verdict = await trail.why(params.event_id)
      if (verdict === null)
        throw new HostError(
          'not_found',
          `Nothing is known of event ${params.event_id}: it never reached this host, or its trail has been deleted.`,
        )
      return {
        event_id: params.event_id,
        code: verdict.code,
        sentence: verdict.sentence,
        answered: verdict.answered,
        who: verdict.who,
        entries: verdict.entries.map((entry) => ({ ...entry })),
      }
    },
    debugEvent: async ({ body: { actor, options, bot_uuid, conversation_id, ...body } }) =>
      events.acceptDebug({
        ...body,
        event: body.event as never,
        ...(conversation_id === undefined ? {} : { conversation_id }),
        ...(bot_uuid === undefined ? {} : { bot_uuid }),
        ...(actor === undefined ? {} : { actor: { ...actor, metadata: {} } }),
        ...(options === undefined ? {} : { options: options as never }),
      }),
    listEventTypes: soon,
    listReasons: soon,
    listConversations: soon,
    getConversation: soon,
    listMessages: soon,
  }
}
