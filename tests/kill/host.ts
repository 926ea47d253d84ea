/**
 * The host that is killed: `node host.ts '<HostTask as JSON>'`, with an IPC channel to its parent. It says `ready`, answers
 * `left?` with what is not settled yet, and dies by SIGKILL of its own hand at the point that it was told.
 */
import { createLogger, type Host, type NodeRuntime, startHost } from '@runbound/host'
import { oraclePlatform } from '@runbound/platform-kit/oracle'
import { BEHAVIOURS, nameOf, SENTENCE } from './behaviours.ts'
import { killPlugin } from './plugin/index.ts'
import { INLINE_POINTS, POINTS, type Point, withPoints } from './points.ts'

export interface HostTask {
  readonly folder: string
  /** Port of the oracle. */
  readonly port: number
  /** Folder of the packed plugin; null: the plugin runs inside the host. */
  readonly plugin: string | null
  readonly runtime: NodeRuntime | null
  /** Die when this point is reached for the n-th time. */
  readonly die: { readonly point: Point; readonly nth: number } | null
}

/** What the host says to its parent. */
export type HostSays =
  | { readonly says: 'ready'; readonly bots: Readonly<Record<string, string>>; readonly pluginPid: number | null }
  | { readonly says: 'left'; readonly rows: number; readonly runs: number; readonly parts: number }

const task: HostTask = JSON.parse(process.argv[2] ?? '')
const counted = new Map<Point, number>()

function reached(point: Point): void {
  const count = (counted.get(point) ?? 0) + 1
  counted.set(point, count)
  if (task.die?.point === point && task.die.nth === count) process.kill(process.pid, 'SIGKILL')
}

function isPoint(name: string): name is Point {
  return name in POINTS
}

const plugin = killPlugin(async (point) => {
  if (isPoint(point) && INLINE_POINTS.has(point)) reached(point)
})

const host = await startHost({
  folder: task.folder,
  platforms: { oracle: async () => withPoints(oraclePlatform, reached) },
  runtime: task.runtime,
  inline: task.plugin === null ? [plugin] : [],
  checkAnswers: true,
  logger: createLogger({ level: process.env.KILL_LOG === undefined ? 'silent' : 'warn' }),
})
host.signals.onView((change) => {
  if (change.kind === 'run') reached('run.ended')
})

/** Bots, agents and routes, once. A host that starts again finds them. */
async function setUp(running: Host): Promise<void> {
  if ((await running.platforms.bots()).length > 0) return
  if (task.plugin !== null) {
    const { installation_uuid, manifest_digest, package_digest } = await running.plugins.install({ path: task.plugin })
    await running.plugins.approve(installation_uuid, { manifest_digest, package_digest, accept_not_isolated: true })
  }
  const { workspace_uuid } = running.identity
  const processor = (kind: 'agent' | 'plugin_processor', name: string, runner: string) =>
    running.runs.processors.put({
      processor_id: name,
      workspace_uuid,
      kind,
      name,
      runner_id: `plugin:runbound/kill/${runner}`,
      config: {},
      grants: {},
      options: kind === 'agent' ? { sentence: SENTENCE } : {},
      enabled: true,
    })
  await processor('plugin_processor', 'note', 'note')
  for (const behaviour of BEHAVIOURS) {
    const name = nameOf(behaviour)
    const { bot_uuid } = await running.platforms.put({
      name,
      platform: 'oracle',
      settings: {
        port: task.port,
        proves_delivery: behaviour.proves,
        streaming_interval_ms: behaviour.streams ? 20 : -1,
      },
    })
    await processor('agent', name, behaviour.runner)
    await running.events.setRoutes(bot_uuid, [
      {
        route_id: `route-${name}`,
        event_pattern: 'message.received',
        filters: [],
        target_type: 'agent',
        processor_id: name,
        priority: 0,
        scope: 'chat',
        enabled: true,
        description: '',
      },
    ])
    // A plugin processor beside some of the agents: it must get every message, and answer none.
    if (behaviour.runner === 'echo')
      await running.events.setSubscriptions(bot_uuid, [{ processor_id: 'note', scope: 'chat', enabled: true }])
  }
}

async function count(table: 'mailbox' | 'runs' | 'outbox', where: string): Promise<number> {
  const row = await host.store.first<{ n: number }>({
    sql: `select count(*) as n from ${table} where ${where}`,
    params: [],
  })
  return row?.n ?? 0
}

async function left(): Promise<HostSays> {
  const rows = await count('mailbox', `state <> 'done'`)
  const runs = await count('runs', `status in ('created', 'queued', 'claimed', 'running')`)
  const parts = await count('outbox', `state in ('streaming', 'queued', 'sending')`)
  return { says: 'left', rows, runs, parts }
}

const say = (message: HostSays): void => void process.send?.(message)

await setUp(host)
const bots = Object.fromEntries((await host.platforms.bots()).map(({ name, bot_uuid }) => [name, bot_uuid]))
say({ says: 'ready', bots, pluginPid: host.plugins.list()[0]?.pid ?? null })
process.on('message', (message) => {
  if (message === 'left?') void left().then(say)
  if (message === 'stop') void host.stop().then(() => process.exit(0))
})
// Nothing here is meant to outlive the test.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
