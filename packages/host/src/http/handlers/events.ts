/** Endpoints of events: what came in, why it was answered or not, and made-up ones. */
import type { EVENT_ENDPOINTS } from '@runbound/api'
import { HostError } from '../../errors.ts'
import type { EventOnly } from '../../events/types.ts'
import type { Handlers } from '../api-routes.ts'
import { shownEvents } from '../names.ts'
import type { HandlerRooms } from './rooms.ts'

type EventRecords = Omit<typeof EVENT_ENDPOINTS, 'listConversations' | 'getConversation' | 'listMessages'>

export function eventHandlers(rooms: HandlerRooms): Handlers<EventRecords> {
  const { events, trail, identity } = rooms
  /** Verdicts are worked out from trails, not stored. */
  const ofOutcome = (outcome: string): EventOnly => ({
    scope: outcome,
    async pick(found) {
      const verdicts = await trail.verdicts(found.map(({ event_id }) => event_id))
      return new Set([...verdicts].filter(([, verdict]) => verdict.outcome === outcome).map(([event_id]) => event_id))
    },
  })
  return {
    listEvents: async ({ query }) => {
      const search = {
        workspace_uuid: identity.workspace_uuid,
        bot_uuid: query.bot_uuid ?? null,
        event_type: query.event_type ?? null,
        conversation_key: query.conversation_key ?? null,
        from: query.from ?? null,
        until: query.until ?? null,
        q: query.q ?? null,
      }
      const { outcome, limit } = query
      const at = { before_cursor: query.before_cursor ?? null, after_cursor: query.after_cursor ?? null, limit }
      const only = outcome === undefined ? undefined : ofOutcome(outcome)
      const { items, ...page } = await events.search({ ...search, ...at }, only)
      return { ...page, items: await shownEvents(rooms, items) }
    },
    getEvent: async ({ params: { event_id } }) => {
      const [found, envelope, entries] = await Promise.all([
        events.of([event_id]),
        events.shown(event_id),
        trail.of(event_id),
      ])
      const [shown] = await shownEvents(rooms, [...found.values()])
      if (shown === undefined || envelope === undefined) return unknownEvent(event_id)
      return { ...shown, envelope: envelope as never, trail: entries.map((entry) => ({ ...entry })) }
    },
    why: async ({ params }) => {
      const verdict = (await trail.why(params.event_id)) ?? unknownEvent(params.event_id)
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
    listEventTypes: () => ({ items: events.types() as never }),
    listReasons: () => trail.reasons(),
  }
}

function unknownEvent(eventId: string): never {
  throw new HostError(
    'not_found',
    `Nothing is known of event ${eventId}: it never reached this host, or its trail has been deleted.`,
  )
}
