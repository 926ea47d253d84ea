/** One run as a test looks at it: how it ended, what it said and did, and what it was refused. */
import type { Host } from '@runbound/host'
import type { AgentRun, AgentRunEvent, Json, JsonObject } from '@runbound/protocol'
import { isJsonObject } from '@runbound/protocol/schemas'
import { TestKitError } from './errors.ts'

/** A line of the run's log (`ctx.log`). */
export interface RunLogLine {
  readonly level: string
  readonly text: string
}

/** A call of the run that the host saw. */
export interface RunCall {
  readonly method: string
  /** What it was about, where that has a name: a tool, a key. */
  readonly target: string | null
  readonly outcome: string
  /** The stable reason of a refusal or failure. */
  readonly reason: string | null
}

/** Why the run may or may not do one thing, as it was worked out when it started. */
export interface GrantLine {
  /** Such as `tool:weather`, `flag:history_page`, `storage:plugin`, `model:parrot`. */
  readonly thing: string
  readonly allowed: boolean
  /** Who refused it: `manifest`, `operator`, `event`, `platform`, `host`. */
  readonly by: string | null
  readonly why: string | null
}

/** A run that has ended, or its state at the moment when it was looked at. */
export interface TestRun {
  readonly run_id: string
  /** `completed`, `failed`, `cancelled` or `timeout`; `running` while it runs. */
  readonly status: string
  /** Why it ended so; null for nothing to say. */
  readonly reason: string | null
  readonly event_type: string | null
  readonly record: AgentRun
  /** All entries of the ledger, in the order of `sequence`. */
  readonly ledger: readonly AgentRunEvent[]
  readonly logs: readonly RunLogLine[]
  /** What the host saw it do. Calls that the SDK refuses by itself never reach the host: see `grant`. */
  readonly calls: readonly RunCall[]
  /** What the host refused: calls (from `calls`), and results that were yielded and not taken. */
  readonly denials: readonly RunCall[]
  /** Texts that were returned or yielded as messages: recorded, and in an agent or plugin processor not sent. */
  readonly produced: readonly string[]
  readonly grant: readonly GrantLine[]
}

const PAGE = 100

/**
 * Reads a run of a host. Rejects with TestKitError `no_run`.
 *
 * @example
 * ```ts
 * import { readRun, type StartedTestHost } from '@runbound/testing'
 *
 * export const statusOf = async (t: StartedTestHost, runId: string) => (await readRun(t.host, runId)).status
 * ```
 */
export async function readRun(host: Host, runId: string): Promise<TestRun> {
  const record = await host.runs.get(runId)
  if (record === undefined) throw new TestKitError('no_run', `There is no run ${runId}.`)
  const ledger = await readLedger(host, runId)
  const calls = (await host.runs.trace(runId)).map(callOf)
  const rejected = ledger
    .filter(({ type }) => type === 'result.rejected')
    .map(({ data }) => ({
      method: `yield ${text(data.type)}`,
      target: null,
      outcome: 'denied',
      reason: text(data.reason),
    }))
  return {
    run_id: runId,
    status: record.status,
    reason: record.status_reason,
    event_type: text(record.metadata.event_type) || null,
    record,
    ledger,
    logs: ledger
      .filter(({ type }) => type === 'processor.log')
      .map(({ data }) => ({ level: text(data.level), text: text(data.text) })),
    calls,
    denials: [...calls.filter(({ outcome }) => outcome === 'denied'), ...rejected],
    produced: ledger.flatMap(producedText),
    grant: grantLines(await host.runs.explain(runId)),
  }
}

/**
 * Reads the runs of these events, oldest first; among the newest hundred of the host.
 *
 * @example
 * ```ts
 * import { readRunsOf, type StartedTestHost } from '@runbound/testing'
 *
 * export const howManyRan = async (t: StartedTestHost, eventId: string) => (await readRunsOf(t.host, [eventId])).length
 * ```
 */
export async function readRunsOf(host: Host, eventIds: readonly string[]): Promise<TestRun[]> {
  const { items } = await host.runs.list({
    workspace_uuid: host.identity.workspace_uuid,
    statuses: null,
    before_cursor: null,
    limit: 100,
  })
  const wanted = new Set(eventIds)
  const own = items.filter(({ event_id }) => event_id !== null && wanted.has(event_id)).reverse()
  return Promise.all(own.map(({ run_id }) => readRun(host, run_id)))
}

async function readLedger(host: Host, run_id: string): Promise<AgentRunEvent[]> {
  const entries: AgentRunEvent[] = []
  let after_cursor: string | null = null
  for (;;) {
    const page = await host.runs.events({
      run_id,
      before_cursor: null,
      after_cursor,
      limit: PAGE,
      direction: 'forward',
    })
    entries.push(...page.items)
    if (!page.has_more || page.next_cursor === null) return entries
    after_cursor = page.next_cursor
  }
}

function callOf(entry: JsonObject): RunCall {
  return {
    method: text(entry.method),
    target: entry.target === null ? null : text(entry.target),
    outcome: text(entry.outcome),
    reason: entry.reason === null ? null : text(entry.reason),
  }
}

function producedText({ type, data }: AgentRunEvent): string[] {
  if (type !== 'message.completed' && type !== 'run.completed') return []
  const content = isJsonObject(data.message) ? data.message.content : null
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return [content.map((part) => (isJsonObject(part) ? text(part.text) : '')).join('')]
}

function grantLines(explained: JsonObject | undefined): GrantLine[] {
  const lines = explained?.lines
  if (!Array.isArray(lines)) return []
  return lines.filter(isJsonObject).map(({ thing, allowed, by, why }) => ({
    thing: text(thing),
    allowed: allowed === true,
    by: by == null ? null : text(by),
    why: why == null ? null : text(why),
  }))
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : value == null ? '' : String(value)
}
