/** What tests of the rooms behind the gateway share: callers, invocations, grants that say one thing to everything. */
import type { IncomingRequest } from '@runbound/link'
import type { Denial, InstallationGrant, JsonObject, RunnerContext } from '@runbound/protocol'
import { RunnerContextSchema } from '@runbound/protocol/schemas'
import type { Statement, Store } from '@runbound/store'
import type { Logger } from '../logger.ts'
import type { Caller, GrantedTool, HostRunGrant, Invocation, RunFacts, TraceEntry } from './types.ts'

export const DENIED: Denial = { reason: 'permission_denied', message: 'the test says no' }

/** Answers every question with the same. */
export function runGrant(answer: Denial | null, tools: readonly GrantedTool[] = []): HostRunGrant {
  const say = () => answer
  return {
    flag: say,
    tool: say,
    model: say,
    knowledgeBase: say,
    storage: say,
    stateScope: say,
    platform: say,
    interaction: say,
    tools,
    granted: (name) => tools.find((tool) => tool.name === name),
    platformTool: ({ action }) => answer ?? tools.find((tool) => tool.api === action) ?? DENIED,
  }
}

export function installationGrant(answer: Denial | null): InstallationGrant {
  const say = () => answer
  return { api: say, tool: say, storage: say, admin: say }
}

export function caller(installation_uuid: string, answer: Denial | null = null): Caller {
  return {
    installation_uuid,
    plugin_id: `acme/${installation_uuid}`,
    workspace_uuid: 'w-1',
    source: 'inline',
    grant: installationGrant(answer),
  }
}

export const FACTS: RunFacts = {
  processor_id: 'p-1',
  processor_kind: 'agent',
  event_id: 'e-1',
  event_type: 'message.received',
  bot_uuid: 'b-1',
  conversation_id: 'group_g-1',
  conversation_key: 'w-1/b-1/group_g-1',
  thread_id: null,
  reply_target: { target_type: 'group', target_id: 'g-1' },
  message_id: 'm-1',
  request_id: null,
  actor: { actor_type: 'user', actor_id: 'u-1', actor_name: 'Ann', metadata: {} },
  subject: { subject_type: 'group', subject_id: 'g-1', data: {} },
  prompt: [],
  simulate: null,
}

export function context(run_id: string): RunnerContext {
  return RunnerContextSchema.parse({
    run_id,
    trigger: { type: 'message.received' },
    event: { event_id: 'e-1', event_type: 'message.received', source: 'platform' },
    input: { text: 'hello' },
    delivery: { surface: 'platform' },
    resources: {},
    runtime: {},
  })
}

export interface FakeInvocation extends Invocation {
  readonly traces: TraceEntry[]
  readonly marks: { count: number }
  readonly controller: AbortController
}

/** A living invocation whose writes go straight to the store. */
export function invocation(
  run_id: string,
  installation_uuid: string,
  options: {
    readonly store?: Pick<Store, 'commit'>
    readonly grant?: HostRunGrant
    readonly facts?: Partial<RunFacts>
    readonly deadlineAt?: number | null
  } = {},
): FakeInvocation {
  const traces: TraceEntry[] = []
  const marks = { count: 0 }
  const controller = new AbortController()
  return {
    run_id,
    installation_uuid,
    workspace_uuid: 'w-1',
    grant: options.grant ?? runGrant(null),
    context: context(run_id),
    facts: { ...FACTS, ...options.facts },
    owner: {
      commit: async (statements: readonly Statement[], { effect }) => {
        if (effect) marks.count += 1
        return options.store?.commit(statements) ?? []
      },
      markEffect: async () => {
        marks.count += 1
      },
      trace: (entry) => traces.push(entry),
    },
    signal: controller.signal,
    deadlineAt: options.deadlineAt ?? null,
    traces,
    marks,
    controller,
  }
}

export function request(action: string, data: JsonObject = {}, signal?: AbortSignal): IncomingRequest {
  return { action, data, seqId: 1, bytes: 100, signal: signal ?? new AbortController().signal }
}

export interface LogRecord {
  readonly level: string
  readonly details: object
  readonly message: string
}

/** Keeps what is logged. */
export function memoryLogger(records: LogRecord[] = []): Logger & { readonly records: LogRecord[] } {
  const write = (level: string) => (details: object, message: string) => {
    records.push({ level, details, message })
  }
  return {
    records,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => memoryLogger(records),
  }
}

/** A clock that stands still until it is moved. */
export function handClock(start = 1_700_000_000_000) {
  let now = start
  return {
    now: () => now,
    move(ms: number) {
      now += ms
    },
  }
}
