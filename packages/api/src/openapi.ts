/** The endpoint records as an OpenAPI document: what the host serves and what its server validates by. */
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS, LIVE_PATH, METRICS_PATH } from './endpoints.ts'
import { ApiErrorSchema, JsonSchema, LiveChangeSchema, LiveQuerySchema } from './schemas.ts'

const json = (schema: Endpoint['response'], description: string) => ({
  content: { 'application/json': { schema } },
  description,
})

// Any JSON holds JSON again, which the generator would follow without an end: here it says only what it may be.
z.globalRegistry.add(JsonSchema, { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] })

/** One record as a route of zod-openapi. */
export function routeOf(record: Endpoint) {
  return createRoute({
    method: record.method,
    path: record.path,
    summary: record.summary,
    description: `Scope: ${record.scope}`,
    request: {
      ...(record.params === undefined ? {} : { params: record.params }),
      ...(record.query === undefined ? {} : { query: record.query }),
      ...(record.body === undefined ? {} : { body: { ...json(record.body, 'the input'), required: true } }),
    },
    responses: { 200: json(record.response, 'done'), default: json(ApiErrorSchema, 'the one error shape') },
  })
}

/** The OpenAPI 3.1 document of the whole API. */
export function openApiDocument(version: string): object {
  const app = new OpenAPIHono()
  for (const record of Object.values(ENDPOINTS)) app.openAPIRegistry.registerPath(routeOf(record))
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: LIVE_PATH,
    summary: 'What changes, as it changes: server-sent events, each `data:` one LiveChange',
    description:
      'Scope: read. A reader that does not keep up is ended and comes again; a comment line comes every 15 s.',
    request: { query: LiveQuerySchema },
    responses: {
      200: { content: { 'text/event-stream': { schema: LiveChangeSchema } }, description: 'the stream' },
      default: json(ApiErrorSchema, 'the one error shape'),
    },
  })
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: METRICS_PATH,
    summary: "Metrics in Prometheus' text format",
    description: 'Scope: metrics',
    responses: {
      200: { content: { 'text/plain': { schema: z.string() } }, description: 'done' },
      default: json(ApiErrorSchema, 'the one error shape'),
    },
  })
  return app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Runbound', version } })
}
