/** Bots, platforms, routes and processors: what the operator sets up. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as s from '../schemas.ts'

const bot = s.params('bot_uuid')
const processor = s.params('processor_id')

export const BOT_ENDPOINTS = {
  listPlatforms: endpoint({ method: 'get', path: '/api/v1/platforms', summary: 'Platforms with the settings that a bot on them has', scope: 'read', response: z.object({ items: z.array(s.PlatformSchema) }) }),
  listBots: endpoint({ method: 'get', path: '/api/v1/bots', summary: 'Bots and how they are', scope: 'read', response: z.object({ items: z.array(s.BotSchema) }) }),
  getBot: endpoint({ method: 'get', path: '/api/v1/bots/{bot_uuid}', summary: 'One bot with what its platform can do', scope: 'read', params: bot, response: s.BotDetailSchema }),
  putBot: endpoint({ method: 'put', path: '/api/v1/bots', summary: 'Creates or changes a bot', scope: 'configure', body: s.BotInputSchema, response: s.BotSchema }),
  compareBot: endpoint({
    method: 'post', path: '/api/v1/bots/compare', summary: 'Which settings of a bot would change; changes nothing', scope: 'configure',
    body: s.BotInputSchema, response: z.object({ changed: z.array(z.string()) }),
  }),
  removeBot: endpoint({ method: 'delete', path: '/api/v1/bots/{bot_uuid}', summary: 'Removes a bot', scope: 'configure', params: bot, response: s.OkSchema }),
  getRoutes: endpoint({ method: 'get', path: '/api/v1/bots/{bot_uuid}/routes', summary: 'Routes and plugin processors of a bot', scope: 'read', params: bot, response: z.object({ routes: z.array(s.RouteSchema), plugin_processors: z.array(s.SubscriptionSchema) }) }),
  setRoutes: endpoint({
    method: 'put', path: '/api/v1/bots/{bot_uuid}/routes', summary: 'Replaces the routes and plugin processors of a bot', scope: 'configure', params: bot,
    body: z.strictObject({ routes: z.array(s.RouteInputSchema), plugin_processors: z.array(s.SubscriptionSchema).default([]) }), response: s.OkSchema,
  }),
  dryRun: endpoint({ method: 'post', path: '/api/v1/bots/{bot_uuid}/routes/dry-run', summary: 'Where an event would go, and why not elsewhere; runs and stores nothing', scope: 'read', params: bot, body: s.DryRunInputSchema, response: s.DryRunSchema }),
  listProcessors: endpoint({ method: 'get', path: '/api/v1/processors', summary: 'Agents and plugin processors', scope: 'read', response: z.object({ items: z.array(s.ProcessorSchema) }) }),
  getProcessor: endpoint({ method: 'get', path: '/api/v1/processors/{processor_id}', summary: 'One agent or plugin processor with its Runner and where it is used', scope: 'read', params: processor, response: s.ProcessorDetailSchema }),
  putProcessor: endpoint({ method: 'put', path: '/api/v1/processors', summary: 'Creates or changes an agent or plugin processor', scope: 'configure', body: s.ProcessorInputSchema, response: s.ProcessorSchema }),
  compareProcessor: endpoint({
    method: 'post', path: '/api/v1/processors/compare', summary: 'What an agent or plugin processor would become, and what of it would change; changes nothing', scope: 'configure',
    body: s.ProcessorInputSchema, response: z.object({ changed: z.array(z.string()), processor: s.ProcessorSchema }),
  }),
  explainGrant: endpoint({ method: 'post', path: '/api/v1/processors/explain-grant', summary: 'What runs of a processor may do, and what manifest, operator, event and actor each say; changes nothing', scope: 'read', body: s.ExplainGrantInputSchema, response: s.ExplainedGrantSchema }),
  removeProcessor: endpoint({ method: 'delete', path: '/api/v1/processors/{processor_id}', summary: 'Removes an agent or plugin processor', scope: 'configure', params: processor, response: s.OkSchema }),
} // biome-ignore format: a table
