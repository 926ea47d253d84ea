/** A small host for tests of runs: real store, gateway and storage; the plugin is a function, platforms and history are lists. */
import type { AdapterCapabilities } from '@runbound/platform-kit'
import type { JsonObject, PlatformEvent, RunnerContext, RunnerManifestInput } from '@runbound/protocol'
import { PlatformEventSchema, RunnerManifestSchema } from '@runbound/protocol/schemas'
import { openStore, type Statement, type Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { systemClock } from '../clock.ts'
import type { DeliveryScope, ReplyRequest } from '../delivery/types.ts'
import type { EventEnvelope, EventRecord } from '../events/types.ts'
import { request as asked, caller, installationGrant, type LogRecord, memoryLogger } from '../gateway/fixtures.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { Caller, Gateway } from '../gateway/types.ts'
import { createSealer } from '../identity/secrets.ts'
import type { RunnerDescriptor } from '../plugins/types.ts'
import { localSignals, type ViewChange } from '../signals.ts'
import { createStorage } from '../storage/storage.ts'
import { createTrail } from '../trail/trail.ts'
import { createRuns, type RunsOptions } from './runs.ts'
import type { Processor, RunNeeds, RunOutcome, RunRequest, Runs } from './types.ts'

/** What a scripted Runner can do: yield results, and call the host as its plugin would. */
export type Script = (ctx: RunnerContext, host: ScriptHost) => AsyncIterable<JsonObject>
export interface ScriptHost {
  /** Calls the host in this run. */
  call(action: string, data?: JsonObject): Promise<JsonObject>
  /** Calls the host as given, outside the run unless `run_id` is in the data. */
  raw(action: string, data: JsonObject): Promise<JsonObject>
  readonly signal: AbortSignal
}

export const RUNNER_ID = 'plugin:acme/demo/talker'
export const CAPABILITIES: AdapterCapabilities = {
  events: ['message.received'],
  apis: ['get_user_info', 'get_group_info', 'get_group_member_info', 'mute_member', 'kick_member'],
  streaming: { minIntervalMs: 100 },
  edit: true,
  reaction: false,
  quote: true,
  send: true,
  provesDelivery: false,
  interactions: null,
  limits: { maxText: 4_000, unit: 'utf16', maxAttachments: 10 },
}

export const ALL_CAPABILITIES = { tool_calling: true, steering: true, interactions: true } as const
export const ALL_PERMISSIONS = {
  models: ['invoke', 'stream', 'rerank', 'count_tokens'],
  tools: ['detail', 'call'],
  knowledge_bases: ['list', 'retrieve'],
  history: ['page', 'search'],
  events: ['get', 'page'],
  storage: ['plugin', 'workspace'],
  interactions: ['request'],
} as const satisfies RunnerManifestInput['permissions']

export function descriptor(manifest: Partial<RunnerManifestInput> = {}, runner_id = RUNNER_ID): RunnerDescriptor {
  return {
    runner_id,
    runner_name: 'talker',
    installation_uuid: 'mine',
    plugin_id: 'acme/demo',
    plugin_version: '1.0.0',
    manifest: RunnerManifestSchema.parse({
      id: runner_id,
      name: 'talker',
      label: { en_US: 'Talker' },
      usages: ['agent', 'event'],
      capabilities: ALL_CAPABILITIES,
      permissions: ALL_PERMISSIONS,
      ...manifest,
    }),
  }
}

export function processor(more: Partial<Processor> = {}): Processor {
  return {
    processor_id: 'p-1',
    workspace_uuid: 'w-1',
    kind: 'agent',
    name: 'Agent',
    runner_id: RUNNER_ID,
    config: {},
    grants: {},
    options: {},
    enabled: true,
    ...more,
  }
}

export const MESSAGE: PlatformEvent = PlatformEventSchema.parse({
  type: 'message.received',
  timestamp: 1_700_000_000,
  bot_uuid: 'b-1',
  adapter_name: 'demo',
  message_id: 'm-1',
  message_chain: [{ type: 'Plain', text: 'hello' }],
  sender: { id: 'u-1', nickname: 'Ann' },
  chat_type: 'group',
  chat_id: 'g-1',
  group: { id: 'g-1', name: 'G' },
})

export function envelope(more: Partial<EventEnvelope> = {}): EventEnvelope {
  return {
    event_id: 'e-1',
    event_type: 'message.received',
    event_time: 1_700_000_000,
    source: 'platform',
    workspace_uuid: 'w-1',
    bot_uuid: 'b-1',
    adapter_name: 'demo',
    conversation: { conversation_id: 'group_g-1', thread_id: null, chat_type: 'group', chat_id: 'g-1' },
    actor: { actor_type: 'user', actor_id: 'u-1', actor_name: 'Ann', metadata: {} },
    subject: { subject_type: 'group', subject_id: 'g-1', data: { group_name: 'G' } },
    reply_target: { target_type: 'group', target_id: 'g-1', message_id: 'm-1' },
    message_id: 'm-1',
    input: { text: 'hello', contents: [], attachments: [], interaction: null },
    data: MESSAGE,
    raw_ref: 'm-1',
    extra: { update_id: 7 },
    debug: null,
    ...more,
  }
}

let rows = 0
export function runRequest(more: Partial<RunRequest> = {}): RunRequest {
  rows += 1
  return {
    row_id: `row-${rows}`,
    envelope: envelope(),
    processor: processor(),
    conversation_key: 'w-1/b-1/group_g-1',
    attempt: 1,
    scope: 'chat',
    opening: () => [],
    closing: () => [],
    ...more,
  }
}

export interface SmallHost {
  readonly store: Store
  readonly gateway: Gateway
  readonly runs: Runs
  readonly caller: Caller
  readonly log: readonly LogRecord[]
  readonly views: readonly ViewChange[]
  readonly sentences: { readonly scope: DeliveryScope; readonly text: string; readonly once: string }[]
  readonly replies: ReplyRequest[]
  readonly endedStreams: string[]
  readonly contexts: RunnerContext[]
  /** Places for runs at the plugin: taken, and given back. */
  readonly places: { readonly taken: number; readonly released: number }
  /** Starts a run and waits for its outcome; throws when it did not start. */
  run(script: Script, more?: Partial<RunRequest>): Promise<RunOutcome>
  /** Starts a run without waiting for its end; resolves with its context once the plugin has it. */
  begin(
    script: Script,
    more?: Partial<RunRequest>,
  ): Promise<{ readonly ctx: RunnerContext; readonly outcome: Promise<RunOutcome> }>
  /** The ledger of a run as `type` and `data`, checked to be numbered from 1 without holes. */
  ledger(
    runId: string,
  ): Promise<readonly { readonly type: string; readonly data: JsonObject; readonly source: string }[]>
  /** Calls the host as the plugin does. */
  call(action: string, data: JsonObject): Promise<JsonObject>
  close(): Promise<void>
}

export async function smallHost(
  more: {
    readonly clock?: Clock
    readonly needs?: Partial<RunNeeds>
    readonly runner?: () => RunnerDescriptor
    readonly records?: readonly EventRecord[]
    readonly options?: Partial<RunsOptions>
  } = {},
): Promise<SmallHost> {
  const store = await openStore({ folder: ':memory:' })
  const clock = more.clock ?? systemClock
  const logger = memoryLogger()
  const signals = localSignals()
  const views: ViewChange[] = []
  signals.onView((change) => views.push(change))
  const gateway = createGateway({ store, clock, logger, checkAnswers: true })
  const storage = createStorage({ store, clock })
  const sentences: { scope: DeliveryScope; text: string; once: string }[] = []
  const replies: ReplyRequest[] = []
  const endedStreams: string[] = []
  const contexts: RunnerContext[] = []
  const places = { taken: 0, released: 0 }
  const scripts: Script[] = []
  const started: ((ctx: RunnerContext) => void)[] = []
  const plugin: Caller = { ...caller('mine'), plugin_id: 'acme/demo', grant: installationGrant(null) }
  const call = async (action: string, data: JsonObject): Promise<JsonObject> => {
    const answer = await gateway.handle(plugin, asked(action, data))
    if (Symbol.asyncIterator in answer) throw new Error('a stream was not expected')
    return answer
  }
  const needs: RunNeeds = {
    plugins: {
      runner: more.runner ?? (() => descriptor()),
      place: async () => {
        places.taken += 1
        const release = () => {
          places.released += 1
        }
        return { release }
      },
      runRunner: (_installation, _name, ctx, { signal }) => {
        contexts.push(ctx)
        started.shift()?.(ctx)
        const script = scripts.shift()
        if (script === undefined) throw new Error('no script for this run')
        return script(ctx, {
          call: (action, data = {}) => call(action, { ...data, run_id: ctx.run_id }),
          raw: call,
          signal: signal ?? new AbortController().signal,
        })
      },
    },
    capabilities: () => CAPABILITIES,
    history: {
      cursor: async () => ({ latest_cursor: 'c-41', transcript_seq: 41, has_history_before: true }),
      position: async () => 42,
      page: async () => ({ items: [], next_cursor: null, prev_cursor: null, has_more: false, total_count: null }),
      search: async ({ query }) => ({ items: [], total_count: null, query }),
    },
    events: {
      record: async (id) => more.records?.find((record) => record.event_id === id),
      page: async () => ({ items: [], next_cursor: null, prev_cursor: null, has_more: false, total_count: null }),
    },
    text: async () => [],
    visible: (key, record) => record.conversation_key === key,
    storage,
    tools: () => [],
    models: () => [],
    delivery: {
      sentence: (scope, text, once) => {
        const statements = [insertNote(once, text)]
        return { statements, wake: () => void sentences.push({ scope, text, once }) }
      },
      reply: async (reply) => {
        replies.push(reply)
        await reply.commit?.([])
        return { status: 'queued', delivery_id: 'd-1', message_id: null, parts: 1 }
      },
      endRun: async (runId) => void endedStreams.push(runId),
    },
    trail: createTrail({ store, clock }),
    ...more.needs,
  }
  const runs = createRuns({
    store,
    clock,
    logger,
    signals,
    gateway,
    owner: 'host-1',
    version: 'v0.1.0',
    secrets: createSealer(null),
    needs,
    ...more.options,
  })
  gateway.register(storage.handlers)
  gateway.register(runs.handlers)

  async function finished(result: ReturnType<Runs['start']>): Promise<RunOutcome> {
    const outcome = await result
    if (outcome.status === 'not_started') throw new Error(`not started: ${outcome.code} ${outcome.message}`)
    return outcome
  }

  return {
    store,
    gateway,
    runs,
    caller: plugin,
    log: logger.records,
    views,
    sentences,
    replies,
    endedStreams,
    contexts,
    places,
    run(script, request) {
      scripts.push(script)
      return finished(runs.start(runRequest(request)))
    },
    async begin(script, request) {
      scripts.push(script)
      const opened = Promise.withResolvers<RunnerContext>()
      started.push(opened.resolve)
      const outcome = finished(runs.start(runRequest(request)))
      return { ctx: await opened.promise, outcome }
    },
    async ledger(runId) {
      const page = await runs.events({
        run_id: runId,
        before_cursor: null,
        after_cursor: null,
        limit: 100,
        direction: 'forward',
      })
      page.items.forEach((event, index) => {
        if (event.sequence !== index + 1) throw new Error(`a hole: entry ${index} has the sequence ${event.sequence}`)
      })
      return page.items.map(({ type, data, source }) => ({ type, data, source: source ?? '' }))
    },
    call,
    async close() {
      await store.close()
    },
  }
}

/** A row of `settings`, to see whether another room's statement was kept. */
export function insertNote(name: string, value = 'x'): Statement {
  return { sql: 'insert into settings (name, value) values (?, ?)', params: [name, value], expect: 1 }
}

export async function notes(store: Store): Promise<readonly string[]> {
  const rows = await store.all<{ name: string }>({ sql: 'select name from settings order by name', params: [] })
  return rows.map((row) => row.name)
}

export const result = (ctx: RunnerContext, type: string, data: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  run_id: ctx.run_id,
  type,
  data,
  usage: null,
  sequence: null,
  timestamp: null,
  ...more,
})

/** A Runner that only ends. */
export const done: Script = async function* (ctx) {
  yield result(ctx, 'run.completed', { finish_reason: 'stop' })
}

/** A Runner that only calls the host. */
export function calls(work: (ctx: RunnerContext, host: ScriptHost) => Promise<void>): Script {
  return (ctx, host) => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        await work(ctx, host)
        return { done: true, value: undefined }
      },
    }),
  })
}

/** A Runner that says nothing until it is stopped. */
export const silent: Script = calls(async (_ctx, { signal }) => {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
})

/** A Runner that says nothing and does not hear. */
export const deaf: Script = calls(async () => {
  await new Promise(() => {})
})
