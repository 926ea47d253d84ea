/** Endpoints of runs and deliveries. */
import type { RUN_ENDPOINTS } from '@runbound/api'
import type { RunEventPage } from '@runbound/protocol'
import { HostError } from '../../errors.ts'
import type { Handlers } from '../api-routes.ts'
import { shownRuns } from '../names.ts'
import { type HandlerRooms, OK } from './rooms.ts'

export function runHandlers(rooms: HandlerRooms): Handlers<typeof RUN_ENDPOINTS> {
  const { identity, runs, delivery } = rooms
  const { workspace_uuid } = identity
  const needRun = async (runId: string) => {
    const run = await runs.get(runId)
    return run ?? notRun(runId)
  }
  return {
    listRuns: async ({ query }) => {
      const { status, q, debug, limit } = query
      const { items, ...page } = await runs.search({
        workspace_uuid,
        statuses: status === undefined ? null : status.split(','),
        processor_id: query.processor_id ?? null,
        installation_uuid: query.installation_uuid ?? null,
        bot_uuid: query.bot_uuid ?? null,
        actor_id: query.actor_id ?? null,
        event_id: query.event_id ?? null,
        conversation_key: query.conversation_key ?? null,
        debug: debug === undefined ? null : debug === 'true',
        from: query.from ?? null,
        until: query.until ?? null,
        q: q ?? null,
        before_cursor: query.before_cursor ?? null,
        after_cursor: query.after_cursor ?? null,
        limit,
      })
      return { ...page, items: (await shownRuns(rooms, items)) as never }
    },
    getRun: async ({ params }) => {
      const run = await runs.found(params.run_id)
      const [shown] = run === undefined ? [] : await shownRuns(rooms, [run])
      return (shown ?? notRun(params.run_id)) as never
    },
    runTimeline: async ({ params: { run_id }, query }) => {
      await needRun(run_id)
      const page = await runs.timeline({
        run_id,
        lanes: query.lanes === undefined ? null : query.lanes.split(','),
        before_cursor: query.before_cursor ?? null,
        after_cursor: query.after_cursor ?? null,
        limit: query.limit,
        direction: query.direction,
      })
      return { ...page, items: [...page.items] as never }
    },
    runEvents: async ({ params, query }) => {
      await needRun(params.run_id)
      return pageOf(
        await runs.events({
          run_id: params.run_id,
          before_cursor: query.before_cursor ?? null,
          after_cursor: query.after_cursor ?? null,
          limit: query.limit,
          direction: query.direction,
        }),
      )
    },
    runGrant: async ({ params: { run_id } }) => {
      const lines = (await runs.grant(run_id)) ?? notRun(run_id)
      return { lines: [...lines] }
    },
    runTrace: async ({ params: { run_id } }) => {
      await needRun(run_id)
      return { items: [...(await runs.trace(run_id))] as never }
    },
    cancelRun: async ({ params, body }, principal) => {
      await needRun(params.run_id)
      const id = principal.kind === 'session' ? principal.account.account_id : principal.key_id
      return { cancelled: await runs.cancel(params.run_id, { kind: 'operator', id }, body.reason) }
    },
    listDeliveries: async ({ query }) => ({
      items: [
        ...(await delivery.list({
          workspace_uuid,
          states: query.state === undefined ? null : query.state.split(','),
          limit: query.limit,
        })),
      ],
    }),
    resend: async ({ params }) => {
      await delivery.resend(params.delivery_id)
      return OK
    },
    discard: async ({ params }) => {
      await delivery.discard(params.delivery_id)
      return OK
    },
  }
}

const pageOf = (value: RunEventPage) => ({
  items: [...value.items] as never,
  next_cursor: value.next_cursor,
  prev_cursor: value.prev_cursor,
  has_more: value.has_more,
})

function notRun(runId: string): never {
  throw new HostError('not_found', `There is no run ${runId}. \`runbound runs list\` shows the newest.`)
}
