/** Every endpoint of the HTTP API. `docs/` and the client are made from this table; the host fails to start without a handler. */
import { BOT_ENDPOINTS } from './endpoints/bots.ts'
import { EVENT_ENDPOINTS } from './endpoints/events.ts'
import { HOST_ENDPOINTS } from './endpoints/host.ts'
import { IDENTITY_ENDPOINTS } from './endpoints/identity.ts'
import { PLUGIN_ENDPOINTS } from './endpoints/plugins.ts'
import { RUN_ENDPOINTS } from './endpoints/runs.ts'

export const ENDPOINTS = {
  ...HOST_ENDPOINTS,
  ...IDENTITY_ENDPOINTS,
  ...PLUGIN_ENDPOINTS,
  ...BOT_ENDPOINTS,
  ...RUN_ENDPOINTS,
  ...EVENT_ENDPOINTS,
}

export type Endpoints = typeof ENDPOINTS
export type EndpointName = keyof Endpoints

/** Server-sent events of what changes: events, runs, ledgers, deliveries, plugins, their log lines. Scope `read`. */
export const LIVE_PATH = '/api/v1/live'
/** What a Prometheus server scrapes, as text. Scope `metrics`. */
export const METRICS_PATH = '/metrics'
