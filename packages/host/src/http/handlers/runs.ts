/** Endpoints of runs and deliveries. */
import type { RUN_ENDPOINTS } from '@runbound/api'
import type { AgentRun, RunEventPage, RunPage } from '@runbound/protocol'
import { HostError } from '../../errors.ts'
import type { Handlers } from '../api-routes.ts'
import { type HandlerRooms, OK } from './rooms.ts'
import { soon } from './soon.ts'

export function runHandlers(rooms: HandlerRooms): Handlers<typeof RUN_ENDPOINTS> {
  const { identity, runs, delivery } = rooms
  const { workspace_uuid } = identity
  const needRun = async (runId: string) => {
    const run = await runs.get(runId)
    if (run === undefined)
      throw new HostError('not_found', `There is no run ${runId}. \`runbound runs list\` shows the newest.`)
    return run
  }
  return {
    listRuns: async ({ query }) => {
      const page = await runs.list({
        workspace_uuid,
        processor_id: query.processor_id ?? null,
        statuses: query.status === undefined ? null : query.status.split(','),
        before_cursor: query.before_cursor ?? null,
        limit: query.limit,
      })
      return { ...pageOf(page), items: page.items.map(withView) as never }
    },
    getRun: async ({ params }) => withView(await needRun(params.run_id)) as never,
    runTimeline: soon,
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
    runGrant: async ({ params }) => ((await runs.explain(params.run_id)) ?? (await needRun(params.run_id))) as never,
    runTrace: async ({ params }) => ({ items: [...(await runs.trace(params.run_id))] as never }),
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

const pageOf = (value: RunEventPage | RunPage) => ({
  items: [...value.items] as never,
  next_cursor: value.next_cursor,
  prev_cursor: value.prev_cursor,
  has_more: value.has_more,
})

const withView = (run: AgentRun) => ({
  ...run,
  view: {
    bot_name: null,
    processor_name: null,
    processor_kind: String(run.metadata.processor_kind),
    plugin_id: (run.runner_id ?? '').replace(/^plugin:|\/[^/]*$/g, ''),
    runner_name: (run.runner_id ?? '').replace(/^.*\//, ''),
    installation_uuid: '',
    actor_id: null,
    actor_name: null,
    event_type: run.metadata.event_type,
    conversation_key: null,
    input: null,
    created_at: (run.created_at ?? 0) * 1000,
    finished_at: run.finished_at === null ? null : run.finished_at * 1000,
    duration_ms: null,
    waited_ms: null,
    reason_code: run.metadata.reason_code,
    attempt: run.metadata.attempt,
    effect: run.metadata.effect,
    debug: false,
    last_sequence: 0,
  },
})
