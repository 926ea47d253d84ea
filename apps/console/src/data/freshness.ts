/** Which answers a live change makes old. Changes of a quarter second are taken together, so a busy host is not asked for each. */
import { ENDPOINTS, type EndpointName, type LiveChange } from '@runbound/api'
import { onChange, onReopened } from './live.ts'
import { queryClient } from './queries.ts'

const TOGETHER_MS = 250

/**
 * Endpoints by the kind of change. Names are matched as they begin, so that an endpoint added to a family is fresh by
 * itself: `listRuns`, `getRun`, `runEvents` all belong to runs.
 */
const MADE_OLD: Readonly<Record<string, RegExp>> = {
  run: /^(listRuns|getRun|searchRuns|run[A-Z]|status$|why$|listConversations|listMessages|conversation|metrics)/,
  ledger: /^(getRun$|run[A-Z])/,
  event: /^(listEvents|getEvent|searchEvents|event[A-Z]|why$|listConversations|listMessages|conversation)/,
  delivery: /^(listDeliveries|runDeliveries|runTimeline|listConversations|listMessages|conversation|why$)/,
  plugin: /^(listPlugins|getPlugin|status$)/,
  log: /^pluginLogs$/,
  bot: /^(status$|listBots|getBot)/,
}

/** True when an answer of this endpoint may be old after this change. */
export function madeOld(change: LiveChange, name: string): boolean {
  return MADE_OLD[change.kind]?.test(name) ?? false
}

/** Starts looking; returns what ends it. */
export function keepFresh(): () => void {
  const names = Object.keys(ENDPOINTS) as EndpointName[]
  const waiting = new Map<string, { name: EndpointName; run_id: string | null }>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    timer = undefined
    const all = [...waiting.values()]
    waiting.clear()
    for (const { name, run_id } of all)
      void queryClient.invalidateQueries({
        queryKey: [name],
        ...(run_id === null ? {} : { predicate: ({ queryKey }) => concerns(queryKey[1], run_id) }),
      })
  }
  const offChange = onChange((change) => {
    const run_id = change.run_id ?? null
    for (const name of names) {
      if (!madeOld(change, name)) continue
      const one = isOfOneRun(name) ? run_id : null
      waiting.set(`${name} ${one}`, { name, run_id: one })
    }
    timer ??= setTimeout(flush, TOGETHER_MS)
  })
  const offReopened = onReopened(() => void queryClient.invalidateQueries())
  return () => {
    offChange()
    offReopened()
    clearTimeout(timer)
  }
}

function isOfOneRun(name: EndpointName): boolean {
  return ENDPOINTS[name].path.includes('{run_id}')
}

function concerns(input: unknown, runId: string): boolean {
  const params = typeof input === 'object' && input !== null && 'params' in input ? input.params : null
  return typeof params === 'object' && params !== null && 'run_id' in params && params.run_id === runId
}
