/** Which answers a live change makes old: by the kind of change, and by what it is about. */
import { ENDPOINTS, type EndpointName, type LiveChange } from '@runbound/api'

/**
 * Endpoints by the kind of change. Names are matched as they begin, so that an endpoint added to a family is fresh by
 * itself: `listRuns`, `getRun`, `runEvents` all belong to runs.
 */
const MADE_OLD: Readonly<Record<string, RegExp>> = {
  run: /^(listRuns|getRun|run[A-Z]|status$|listEvents|getEvent|why$|listConversations|getConversation|listMessages)/,
  ledger: /^(getRun$|run[A-Z])/,
  event: /^(listEvents|getEvent|why$|listConversations|getConversation|listMessages)/,
  delivery: /^(listDeliveries|runTimeline|listConversations|getConversation|listMessages|getEvent|why$)/,
  plugin: /^(listPlugins|getPlugin|plugin[A-Z]|status$|getProcessor|listProcessors)/,
  log: /^pluginLogs$/,
}

/** An endpoint whose answers are old; with `about`, only those whose input names it so. */
export interface Old {
  readonly name: EndpointName
  /** A path parameter and its value. */
  readonly about: { readonly param: string; readonly value: string } | null
}

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]

/** Everything that a change makes old. */
export function madeOld(change: LiveChange): Old[] {
  const pattern = MADE_OLD[change.kind]
  if (pattern === undefined) return []
  return NAMES.filter((name) => pattern.test(name) && ENDPOINTS[name].method === 'get').map((name) => ({
    name,
    about: aboutOf(name, change),
  }))
}

/** True when an answer to this input may be old. */
export function concerns(input: unknown, about: Old['about']): boolean {
  if (about === null) return true
  const params = typeof input === 'object' && input !== null && 'params' in input ? input.params : null
  return typeof params === 'object' && params !== null && Reflect.get(params, about.param) === about.value
}

/** What a change says of itself, where the endpoint asks for one of that: one run, one conversation, one installation. */
function aboutOf(name: EndpointName, change: LiveChange): Old['about'] {
  const data = typeof change.data === 'object' && change.data !== null ? change.data : {}
  for (const param of ['run_id', 'conversation_key', 'installation_uuid', 'event_id'] as const) {
    if (!ENDPOINTS[name].path.includes(`{${param}}`)) continue
    const value: unknown = Reflect.get(change, param) ?? Reflect.get(data, param)
    return typeof value === 'string' ? { param, value } : null
  }
  return null
}
