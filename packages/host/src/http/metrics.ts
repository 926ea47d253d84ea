/** `GET /metrics`: Prometheus' text, for whoever has the scope `metrics`. A scraper sends its API key as a bearer token. */
import { METRICS_PATH } from '@runbound/api'
import type { Hono } from 'hono'
import type { Doors } from './doors.ts'
import { failure } from './failures.ts'

/** The version of the text format is part of its type. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function mountMetrics(app: Hono, doors: Doors, metrics: () => Promise<string>): void {
  app.get(METRICS_PATH, async (c) => {
    const refusal = doors.allows(await doors.principal(c.req.raw.headers), 'metrics')
    if (refusal !== null) return failure(refusal.status, refusal.code, refusal.message)
    return new Response(await metrics(), { headers: { 'content-type': TYPE, 'cache-control': 'no-store' } })
  })
}
