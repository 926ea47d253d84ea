/** Every endpoint of the HTTP API. `docs/` and the client are made from this table; the host fails to start without a handler. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as s from './schemas.ts'

const uuid = <K extends string>(name: K) => z.object({ [name]: z.string().min(1) } as Record<K, z.ZodString>)
const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before_cursor: z.string().optional(),
})

export const ENDPOINTS = {
  status: endpoint({ method: 'get', path: '/api/v1/status', summary: 'What runs: version, bots, plugins, runners', scope: 'read', response: s.StatusSchema }),
  inspect: endpoint({ method: 'get', path: '/api/v1/store', summary: 'Facts of the database: schema, integrity, sizes', scope: 'read', response: s.FactsSchema }),
  backup: endpoint({
    method: 'post', path: '/api/v1/backup', summary: 'Copies the database to a file on the host while it runs', scope: 'configure',
    body: z.strictObject({ file: s.NameSchema }), response: z.object({ file: z.string(), bytes: z.number() }),
  }),
  loginLink: endpoint({ method: 'post', path: '/api/v1/login-link', summary: 'A link that signs the owner in once', scope: 'configure', response: z.object({ url: z.string(), expires_at: z.number() }) }),
  signOut: endpoint({ method: 'delete', path: '/api/v1/session', summary: 'Ends the session of this browser', scope: 'chat', response: s.OkSchema }),

  listPlugins: endpoint({ method: 'get', path: '/api/v1/plugins', summary: 'Installations and how they are', scope: 'read', response: z.object({ items: z.array(s.PluginStatusSchema.extend({ approved: z.boolean() })) }) }),
  getPlugin: endpoint({ method: 'get', path: '/api/v1/plugins/{installation_uuid}', summary: 'One installation with its manifest', scope: 'read', params: uuid('installation_uuid'), response: s.InstallationSchema }),
  installPlugin: endpoint({
    method: 'post', path: '/api/v1/plugins/install', summary: 'Installs a packed folder on the host; nothing runs before the approval', scope: 'plugins',
    body: z.strictObject({ path: s.NameSchema }), response: s.InstallationSchema,
  }),
  approvePlugin: endpoint({
    method: 'post', path: '/api/v1/plugins/{installation_uuid}/approve', summary: 'Approves exactly this manifest and these files', scope: 'plugins', params: uuid('installation_uuid'),
    body: z.strictObject({ manifest_digest: z.string(), package_digest: z.string(), grant: s.InstallationGrantSchema.optional(), accept_not_isolated: z.boolean().optional() }),
    response: s.InstallationSchema,
  }),
  setPluginSettings: endpoint({ method: 'put', path: '/api/v1/plugins/{installation_uuid}/settings', summary: 'Settings of a plugin', scope: 'plugins', params: uuid('installation_uuid'), body: s.JsonObjectSchema, response: s.InstallationSchema }),
  enablePlugin: endpoint({ method: 'post', path: '/api/v1/plugins/{installation_uuid}/enable', summary: 'Switches a plugin on', scope: 'plugins', params: uuid('installation_uuid'), response: s.OkSchema }),
  disablePlugin: endpoint({ method: 'post', path: '/api/v1/plugins/{installation_uuid}/disable', summary: 'Switches a plugin off', scope: 'plugins', params: uuid('installation_uuid'), response: s.OkSchema }),
  restartPlugin: endpoint({ method: 'post', path: '/api/v1/plugins/{installation_uuid}/restart', summary: 'Starts a plugin anew', scope: 'operate', params: uuid('installation_uuid'), response: s.OkSchema }),
  removePlugin: endpoint({
    method: 'delete', path: '/api/v1/plugins/{installation_uuid}', summary: 'Removes a plugin; its data only when asked', scope: 'plugins', params: uuid('installation_uuid'),
    query: z.object({ data: z.enum(['true', 'false']).default('false') }), response: s.OkSchema,
  }),
  pluginLogs: endpoint({
    method: 'get', path: '/api/v1/plugins/{installation_uuid}/logs', summary: 'The newest lines that a plugin wrote', scope: 'read', params: uuid('installation_uuid'),
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(200) }), response: z.object({ items: z.array(s.LogLineSchema) }),
  }),
  devPlugin: endpoint({ method: 'post', path: '/api/v1/dev', summary: 'Loads a plugin from its author\'s folder and reloads it on each save', scope: 'plugins', body: z.strictObject({ folder: s.NameSchema }), response: s.InstallationSchema }),
  endDevPlugin: endpoint({ method: 'delete', path: '/api/v1/dev/{installation_uuid}', summary: 'Ends a development session', scope: 'plugins', params: uuid('installation_uuid'), response: s.OkSchema }),
  debugKey: endpoint({ method: 'post', path: '/api/v1/debug-key', summary: 'A key for debug connections; ends after two hours', scope: 'plugins', response: z.object({ key: z.string(), expires_at: z.number(), url: z.string() }) }),

  putBot: endpoint({ method: 'put', path: '/api/v1/bots', summary: 'Creates or changes a bot', scope: 'configure', body: s.BotInputSchema, response: s.BotSchema }),
  compareBot: endpoint({
    method: 'post', path: '/api/v1/bots/compare', summary: 'Which settings of a bot would change; changes nothing', scope: 'configure',
    body: s.BotInputSchema, response: z.object({ changed: z.array(z.string()) }),
  }),
  removeBot: endpoint({ method: 'delete', path: '/api/v1/bots/{bot_uuid}', summary: 'Removes a bot', scope: 'configure', params: uuid('bot_uuid'), response: s.OkSchema }),
  getRoutes: endpoint({ method: 'get', path: '/api/v1/bots/{bot_uuid}/routes', summary: 'Routes and plugin processors of a bot', scope: 'read', params: uuid('bot_uuid'), response: z.object({ routes: z.array(s.RouteSchema), plugin_processors: z.array(s.SubscriptionSchema) }) }),
  setRoutes: endpoint({
    method: 'put', path: '/api/v1/bots/{bot_uuid}/routes', summary: 'Replaces the routes and plugin processors of a bot', scope: 'configure', params: uuid('bot_uuid'),
    body: z.strictObject({ routes: z.array(s.RouteInputSchema), plugin_processors: z.array(s.SubscriptionSchema).default([]) }), response: s.OkSchema,
  }),
  listProcessors: endpoint({ method: 'get', path: '/api/v1/processors', summary: 'Agents and plugin processors', scope: 'read', response: z.object({ items: z.array(s.ProcessorSchema) }) }),
  putProcessor: endpoint({ method: 'put', path: '/api/v1/processors', summary: 'Creates or changes an agent or plugin processor', scope: 'configure', body: s.ProcessorInputSchema, response: s.ProcessorSchema }),
  compareProcessor: endpoint({
    method: 'post', path: '/api/v1/processors/compare', summary: 'What an agent or plugin processor would become, and what of it would change; changes nothing', scope: 'configure',
    body: s.ProcessorInputSchema, response: z.object({ changed: z.array(z.string()), processor: s.ProcessorSchema }),
  }),
  removeProcessor: endpoint({ method: 'delete', path: '/api/v1/processors/{processor_id}', summary: 'Removes an agent or plugin processor', scope: 'configure', params: uuid('processor_id'), response: s.OkSchema }),

  listRuns: endpoint({
    method: 'get', path: '/api/v1/runs', summary: 'Runs, newest first', scope: 'read',
    query: page.extend({ status: z.string().optional(), processor_id: z.string().optional() }), response: s.pageOf(s.RunSchema),
  }),
  getRun: endpoint({ method: 'get', path: '/api/v1/runs/{run_id}', summary: 'One run', scope: 'read', params: uuid('run_id'), response: s.RunSchema }),
  runEvents: endpoint({
    method: 'get', path: '/api/v1/runs/{run_id}/events', summary: 'The ledger of a run', scope: 'read', params: uuid('run_id'),
    query: page.extend({ after_cursor: z.string().optional(), direction: z.enum(['forward', 'backward']).default('forward') }), response: s.pageOf(s.RunEventSchema),
  }),
  runGrant: endpoint({ method: 'get', path: '/api/v1/runs/{run_id}/grant', summary: 'What a run may do, and why', scope: 'read', params: uuid('run_id'), response: z.looseObject({}) }),
  runTrace: endpoint({ method: 'get', path: '/api/v1/runs/{run_id}/trace', summary: 'What the host saw a run do', scope: 'read', params: uuid('run_id'), response: z.object({ items: z.array(z.looseObject({})) }) }),
  cancelRun: endpoint({ method: 'post', path: '/api/v1/runs/{run_id}/cancel', summary: 'Cancels a run', scope: 'operate', params: uuid('run_id'), body: z.strictObject({ reason: z.string().max(500).nullable().default(null) }), response: z.object({ cancelled: z.boolean() }) }),

  why: endpoint({ method: 'get', path: '/api/v1/events/{event_id}/why', summary: 'Why an event got an answer or none', scope: 'read', params: uuid('event_id'), response: s.WhySchema }),
  debugEvent: endpoint({
    method: 'post', path: '/api/v1/events/debug', summary: 'Gives an event to one processor, with simulated delivery', scope: 'operate',
    body: z.strictObject({ processor_id: s.NameSchema, event_type: s.NameSchema, event: s.JsonObjectSchema, conversation_id: z.string().max(256).optional(), bot_uuid: z.string().nullable().optional() }),
    response: z.object({ event_id: z.string() }),
  }),
  listDeliveries: endpoint({ method: 'get', path: '/api/v1/deliveries', summary: 'The outbox, newest first', scope: 'read', query: z.object({ state: z.string().optional(), limit: z.coerce.number().int().min(1).max(500).default(100) }), response: z.object({ items: z.array(s.DeliverySchema) }) }),
  resend: endpoint({ method: 'post', path: '/api/v1/deliveries/{delivery_id}/resend', summary: 'Sends what is unknown, held or failed again', scope: 'operate', params: uuid('delivery_id'), response: s.OkSchema }),
  discard: endpoint({ method: 'post', path: '/api/v1/deliveries/{delivery_id}/discard', summary: 'Gives up what is unknown or held', scope: 'operate', params: uuid('delivery_id'), response: s.OkSchema }),
} // biome-ignore format: a table

export type Endpoints = typeof ENDPOINTS
export type EndpointName = keyof Endpoints

/** Server-sent events of what changes: runs, ledgers, deliveries, plugins, logs. Scope `read`. */
export const LIVE_PATH = '/api/v1/live'
