/** Runs and what came of them: list, timeline, ledger, grant, trace, deliveries. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as s from '../schemas.ts'

const run = s.params('run_id')
const delivery = s.params('delivery_id')

export const RUN_ENDPOINTS = {
  listRuns: endpoint({ method: 'get', path: '/api/v1/runs', summary: 'Runs, newest first', scope: 'read', query: s.RunsQuerySchema, response: s.pageOf(s.RunSchema) }),
  getRun: endpoint({ method: 'get', path: '/api/v1/runs/{run_id}', summary: 'One run', scope: 'read', params: run, response: s.RunSchema }),
  runTimeline: endpoint({ method: 'get', path: '/api/v1/runs/{run_id}/timeline', summary: 'Everything of a run in the order of time', scope: 'read', params: run, query: s.TimelineQuerySchema, response: s.pageOf(s.TimelineEntrySchema) }),
  runEvents: endpoint({
    method: 'get', path: '/api/v1/runs/{run_id}/events', summary: 'The ledger of a run', scope: 'read', params: run,
    query: s.PageQuerySchema.extend({ after_cursor: z.string().optional(), direction: z.enum(['forward', 'backward']).default('forward') }), response: s.pageOf(s.RunEventSchema),
  }),
  runGrant: endpoint({ method: 'get', path: '/api/v1/runs/{run_id}/grant', summary: 'What a run may do, and why', scope: 'read', params: run, response: s.RunGrantSchema }),
  runTrace: endpoint({ method: 'get', path: '/api/v1/runs/{run_id}/trace', summary: 'What the host saw a run do', scope: 'read', params: run, response: z.object({ items: z.array(z.looseObject({})) }) }),
  cancelRun: endpoint({ method: 'post', path: '/api/v1/runs/{run_id}/cancel', summary: 'Cancels a run', scope: 'operate', params: run, body: z.strictObject({ reason: z.string().max(500).nullable().default(null) }), response: z.object({ cancelled: z.boolean() }) }),
  listDeliveries: endpoint({ method: 'get', path: '/api/v1/deliveries', summary: 'The outbox, newest first', scope: 'read', query: z.object({ state: z.string().optional(), limit: z.coerce.number().int().min(1).max(500).default(100) }), response: z.object({ items: z.array(s.DeliverySchema) }) }),
  resend: endpoint({ method: 'post', path: '/api/v1/deliveries/{delivery_id}/resend', summary: 'Sends what is unknown, held or failed again', scope: 'operate', params: delivery, response: s.OkSchema }),
  discard: endpoint({ method: 'post', path: '/api/v1/deliveries/{delivery_id}/discard', summary: 'Gives up what is unknown or held', scope: 'operate', params: delivery, response: s.OkSchema }),
} // biome-ignore format: a table
