/** A host for tests: the other end of a memory link, which records what a plugin asks and answers what the test says. */
import { createPeer, type Peer } from '@runbound/link'
import { memoryTransports } from '@runbound/link/memory'
import type { Json, JsonObject, RunnerContextInput, RunnerResult } from '@runbound/protocol'
import { AVAILABLE_APIS } from '@runbound/protocol'
import { definePlugin, type Plugin, type PluginSession, type Runner } from './index.ts'
import type { PluginLog } from './serve/surroundings.ts'

/** One request of the plugin. */
export interface Asked {
  readonly action: string
  readonly data: JsonObject
}

/** Answers one action; a throw is a refusal. */
export type Answer = (
  data: JsonObject,
  signal: AbortSignal,
) => JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>

/** A plugin that is served to this host. */
export interface FakeHost {
  readonly peer: Peer
  readonly session: PluginSession
  /** Requests of the plugin after its registration, in order. */
  readonly asked: Asked[]
  readonly logged: string[]
  /** Starts a run and reads it to its end. */
  run(context?: JsonObject, runner?: string): Promise<RunnerResult[]>
  /** Starts a run; the caller reads it. */
  start(context?: JsonObject, runner?: string, signal?: AbortSignal): AsyncIterable<JsonObject>
  close(): Promise<void>
}

/** Serves a plugin (or one with just this Runner) and initialises it, unless `settings` is null. */
export async function fakeHost(
  served: Plugin | Runner,
  options: {
    readonly answers?: Readonly<Record<string, Answer>>
    readonly settings?: JsonObject | null
    readonly log?: PluginLog
    readonly serve?: Partial<Parameters<Plugin['serve']>[1]>
  } = {},
): Promise<FakeHost> {
  const plugin = 'kind' in served ? pluginOf(served) : served
  const [ours, theirs] = memoryTransports()
  const asked: Asked[] = []
  const logged: string[] = []
  const peer = createPeer({
    transport: ours,
    handler: ({ action, data, signal }) => {
      if (action !== 'register_plugin') asked.push({ action, data })
      const answer = options.answers?.[action]
      if (answer === undefined && action === 'register_plugin') return {}
      if (answer === undefined) throw new Error(`The test has no answer to ${action}`)
      return answer(data, signal)
    },
  })
  const session = plugin.serve(theirs, {
    capability: 'one-use',
    log: (level, text) => void logged.push(`${level}: ${text}`),
    ...options.serve,
  })
  await session.registered
  if (options.settings !== null) await initialize(peer, options.settings ?? {})
  const start: FakeHost['start'] = (context = {}, runner_name = 'r', signal) =>
    peer.stream('run_runner', { runner_name, context: contextOf(context) }, { signal, timeoutMs: 10_000 })
  return {
    peer,
    session,
    asked,
    logged,
    start,
    async run(context, runner) {
      const results: RunnerResult[] = []
      for await (const result of start(context, runner)) results.push(result as unknown as RunnerResult)
      return results
    },
    async close() {
      await peer.close()
      await session.closed
    },
  }
}

/** Sends settings, as a host does after registration and when they change. */
export async function initialize(peer: Peer, plugin_config: JsonObject): Promise<void> {
  await peer.call('initialize_plugin', { plugin_settings: { enabled: true, priority: 0, plugin_config } })
}

/** A plugin with these components. */
export function pluginOf(...components: Runner[]): Plugin {
  return definePlugin({ author: 'acme', name: 'test', version: '1.0.0', components })
}

/** A full context of a message in a private chat; `changes` replace top-level fields. */
export function contextOf(changes: JsonObject = {}): JsonObject {
  const context = {
    run_id: 'run-1',
    trigger: { type: 'message.received', source: 'platform', timestamp: 1_700_000_000 },
    event: {
      event_id: 'e-1',
      event_type: 'message.received',
      source: 'platform',
      event_time: 1_700_000_000,
      data: { type: 'message.received', bot_uuid: 'bot-1', message_id: 'm-1', sender: { id: 'u-1', nickname: 'Ann' } },
    },
    conversation: { conversation_id: 'c-1', bot_id: 'bot-1' },
    input: { text: 'hello' },
    delivery: { surface: 'platform' },
    resources: granted(),
    context: { available_apis: flags() },
    runtime: { deadline_at: null },
  } satisfies RunnerContextInput | JsonObject
  return { ...(context as unknown as JsonObject), ...changes }
}

/** Every flag on, except those named. */
export function flags(...off: string[]): JsonObject {
  return Object.fromEntries(AVAILABLE_APIS.map((name) => [name, !off.includes(name)]))
}

/** Resources of a run that was granted one of each. */
export function granted(changes: { readonly [list: string]: Json } = {}): JsonObject {
  return {
    models: [{ model_id: 'llm-1', operations: [] }],
    tools: [
      {
        tool_name: 'event_reply',
        tool_type: 'platform',
        description: 'Reply',
        operations: ['detail', 'call'],
        parameters: { type: 'object' },
      },
      { tool_name: 'look', tool_type: 'plugin', operations: ['call'] },
      { tool_name: 'read', tool_type: 'plugin', operations: ['detail'] },
    ],
    knowledge_bases: [{ kb_id: 'kb-1', kb_name: 'K', operations: ['list', 'retrieve'] }],
    storage: { plugin_storage: true, workspace_storage: true },
    ...changes,
  }
}
