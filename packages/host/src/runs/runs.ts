/** The room runs/: the life of a run from tx 2 to tx 5, its record, ledger, trace, deadline and cancel. */
import { parse } from '@runbound/link'
import { type AgentRunEvent, LIMITS, WireError } from '@runbound/protocol'
import { type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import { GrantCache } from '../gateway/grants/cache.ts'
import { grantMatrix } from '../gateway/grants/matrix.ts'
import type { Call, Gateway } from '../gateway/types.ts'
import type { Logger } from '../logger.ts'
import type { Secrets } from '../sealed-values.ts'
import type { Signals } from '../signals.ts'
import { ActiveRun } from './active-run.ts'
import { adminHandlers } from './admin-methods.ts'
import { startDeadline } from './deadline.ts'
import type { Ending } from './ending.ts'
import { explainedLines } from './explain.ts'
import { factsOf } from './facts.ts'
import { looseEntry, writtenEvents } from './ledger.ts'
import { leftRunEnd } from './left-runs.ts'
import { listedRun, runHeads, runsOfEvents, searchRuns } from './listing.ts'
import { runHandlers } from './methods.ts'
import { type Prepared, prepare } from './prepare.ts'
import { createProcessors } from './processors.ts'
import { pullHandlers } from './pulls.ts'
import * as queries from './queries.ts'
import { readResults } from './read-results.ts'
import { findRun, listRuns, pageOfEvents, recordOf } from './records.ts'
import { Session } from './session.ts'
import { settle } from './settle.ts'
import { firstEntry, startStatements } from './start-statements.ts'
import { pageOfTimeline } from './timeline/timeline.ts'
import type { RunNeeds, RunOutcome, RunRequest, Runs } from './types.ts'

const TRACE_SHOWN = 1_001

export interface RunsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly signals: Signals
  readonly gateway: Gateway
  /** Whose runs these are: random for each process, so that what a dead one left is recognised. */
  readonly owner: string
  /** Raised when a run is taken over. Default 1. */
  readonly epoch?: number
  /** The host's version as plugins read it: `v<major>.<minor>.<patch>`. */
  readonly version: string
  /** What the chat user reads when a run failed and its processor has no sentence of its own. Empty: nothing. */
  readonly failedSentence?: string
  /** Seals the secrets among processors' settings. */
  readonly secrets: Secrets
  readonly needs: RunNeeds
}

const FAILED_SENTENCE = 'Something went wrong, and this was not answered. Please try again.'

export function createRuns(options: RunsOptions): Runs {
  const { store, clock, logger, signals, gateway, owner, epoch = 1, version, needs } = options
  const settling = { logger, failedSentence: options.failedSentence ?? FAILED_SENTENCE }
  const grants = new GrantCache()
  const sessions = new Map<string, Session>()
  const listeners = new Set<(runId: string, events: readonly AgentRunEvent[]) => void>()
  const processors = createProcessors({ store, clock, logger, secrets: options.secrets, runner: needs.plugins.runner })

  function published(prepared: Prepared, request: RunRequest, events: readonly AgentRunEvent[]): void {
    for (const listener of listeners) listener(prepared.run_id, events)
    viewed(prepared, request, events)
  }

  function viewed(prepared: Prepared, request: RunRequest, events: readonly AgentRunEvent[]): void {
    const { conversation_key, processor } = request
    const { workspace_uuid } = processor
    signals.view({ kind: 'ledger', workspace_uuid, run_id: prepared.run_id, conversation_key, data: events })
  }

  function open(prepared: Prepared, request: RunRequest): Session {
    const run = new ActiveRun({
      store,
      clock,
      logger,
      run_id: prepared.run_id,
      epoch,
      onEvents: (events) => published(prepared, request, events),
    })
    const { grant } = prepared.computed
    const session = new Session({ ...prepared, grant, run, request, needs, clock, logger })
    sessions.set(prepared.run_id, session)
    gateway.open({
      run_id: prepared.run_id,
      installation_uuid: prepared.runner.installation_uuid,
      workspace_uuid: request.processor.workspace_uuid,
      grant: prepared.computed.grant,
      context: prepared.context,
      facts: prepared.facts,
      owner: run,
      signal: run.calls.signal,
      deadlineAt: prepared.deadlineAt,
    })
    return session
  }

  async function started(request: RunRequest): ReturnType<Runs['start']> {
    let prepared: Prepared
    try {
      const result = await prepare(request, needs, grants, clock, version)
      if ('code' in result) return { status: 'not_started', ...result }
      prepared = result
      const now = clock.now()
      await store.commit(startStatements(prepared, request, { owner, epoch, now }))
      viewed(prepared, request, writtenEvents(prepared.run_id, [firstEntry(prepared, request, now)], 1))
    } catch (error) {
      return notStarted(error, request, logger)
    }
    return live(open(prepared, request), prepared)
  }

  async function live(session: Session, prepared: Prepared): Promise<RunOutcome> {
    const { run_id, runner, computed, context, deadlineAt } = prepared
    const stopDeadline = startDeadline(session, deadlineAt, clock)
    const frames = () =>
      needs.plugins.runRunner(runner.installation_uuid, runner.runner_name, context, {
        signal: session.run.stream.signal,
        // The host's own deadline ends it, with a grace in which the plugin may say so itself.
        timeoutMs: Number.POSITIVE_INFINITY,
      })
    const ending = await readResults(session, computed.grant, frames, logger, ({ why }) => gateway.close(run_id, why))
    session.ending ??= ending
    stopDeadline()
    await gateway.close(run_id, session.ending.why)
    // A Runner that goes on after its last result is told that nobody listens any more.
    session.stop(new WireError('run_ended', `Run ${run_id} has ended.`))
    const outcome = await settle(session, session.ending, settling)
    sessions.delete(run_id)
    signals.view({
      kind: 'run',
      workspace_uuid: session.request.processor.workspace_uuid,
      run_id,
      conversation_key: session.request.conversation_key,
      data: outcome,
    })
    return outcome
  }

  const runs: Runs = {
    processors,
    get handlers() {
      return handlers
    },

    async start(request) {
      const runner = needs.plugins.runner(request.processor.runner_id)
      if (!('manifest' in runner)) return { status: 'not_started', ...runner }
      // Before tx 2: a run that waits for its plugin has not begun, so a crash meanwhile costs it no attempt.
      const place = await needs.plugins
        .place(runner.installation_uuid)
        .catch((error: unknown) => notStarted(error, request, logger))
      if ('code' in place) return { ...place, status: 'not_started' }
      try {
        return await started(request)
      } finally {
        place.release()
      }
    },

    async cancel(runId, by, reason) {
      const session = sessions.get(runId)
      if (session === undefined || session.ending !== null || session.cancelled !== null) return false
      session.cancelled = { by, reason }
      session.run.append({ type: 'run.cancel_requested', data: { by: { ...by }, reason }, source: 'host' })
      // The plugin hears it now; the record is written while it stops.
      const noted = session.run.noteCancel()
      session.stop(new WireError('cancelled', `Run ${runId} was cancelled.`))
      await noted.catch((error: unknown) =>
        logger.warn({ err: error, run_id: runId }, 'a cancel request was not recorded'),
      )
      return true
    },

    running: () => [...sessions.keys()],

    async leftovers() {
      const rows = await store.all(queries.leftRuns({ owner }))
      return rows.map((row) => ({ ...row, effect: row.effect === 1 }))
    },
    endLeft: (run) => leftRunEnd(run, clock.now()),

    get active() {
      return sessions.size
    },

    async get(runId) {
      const row = await findRun(store, runId)
      return row === undefined ? undefined : recordOf(row)
    },
    search: (search) => searchRuns(store, needs.text, { ...search, limit: clamped(search.limit) }),
    found: (runId) => listedRun(store, runId),
    timeline: (request) => pageOfTimeline(store, request),
    ofEvents: (eventIds) => runsOfEvents(store, eventIds),
    heads: (runIds) => runHeads(store, runIds),
    list: (request) => listRuns(store, { ...request, limit: clamped(request.limit) }),
    events: (request) => pageOfEvents(store, { ...request, limit: clamped(request.limit) }),
    trace: (runId) => store.all(queries.traceOf({ run_id: runId, limit: TRACE_SHOWN })),
    async explain(runId) {
      const row = await store.first(queries.grantOf({ run_id: runId }))
      return row === undefined ? undefined : { lines: parse(row.run_grant) }
    },
    async grant(runId) {
      const row = await store.first(queries.grantOf({ run_id: runId }))
      return row === undefined ? undefined : explainedLines(row.run_grant)
    },

    grantMatrix(processor, envelope, conversationKey) {
      const runner = needs.plugins.runner(processor.runner_id)
      if (!('manifest' in runner)) throw new HostError('invalid_config', runner.message, { at: 'runner_id' })
      const facts = factsOf(envelope, processor, conversationKey)
      const { workspace_uuid, grants: operator, config } = processor
      return grantMatrix({
        manifest: runner.manifest,
        operator,
        config,
        facts,
        platform: facts.bot_uuid === null ? undefined : needs.capabilities(facts.bot_uuid),
        tools: needs.tools(workspace_uuid),
        models: needs.models(workspace_uuid),
      })
    },

    ledger: (runId, entry) => looseEntry(runId, { ...entry, at: clock.now() }),
    onLedger(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  /** Ends a living run from outside its stream; undefined when it is not living here, or ends already. */
  async function finalize(runId: string, ending: Ending, call: Call): Promise<RunOutcome | undefined> {
    const session = sessions.get(runId)
    if (session === undefined || session.ending !== null || session.cancelled !== null) return undefined
    session.ending = ending
    // First of all nothing new enters: a stream that opened after the others were closed would live on.
    await gateway.close(runId, ending.why, undefined, call)
    const outcome = await settle(session, ending, settling)
    // The run may be the caller itself: its answer goes out before its code is stopped.
    setImmediate(() => session.stop(new WireError('run_ended', `Run ${runId} was finalized.`)))
    return outcome
  }

  const handlers = {
    ...runHandlers({ store, runs, finalize, session: (runId) => sessions.get(runId) }),
    ...pullHandlers(needs),
    ...adminHandlers,
  }
  return runs
}

function clamped(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit), 1), LIMITS.page_items.value)
}

function notStarted(error: unknown, request: RunRequest, logger: Logger) {
  const code = StoreError.is(error) ? (error.code === 'refused' ? 'conflict' : `storage_${error.code}`) : 'internal'
  logger.error(
    { err: error, row_id: request.row_id, processor_id: request.processor.processor_id },
    'a run could not start',
  )
  const message =
    code === 'conflict' ? 'The row was taken by somebody else.' : 'The start could not be written; see the log.'
  return { status: 'not_started', code, message } as const
}
