/** Handlers of the run records: reading, cancelling and, where the operator allows it, writing and ending runs. */
import {
  type AgentRun,
  isTerminalRunStatus,
  type JsonObject,
  type RunnerResult,
  TERMINAL_RUN_STATUSES,
  WireError,
} from '@runbound/protocol'
import type { Store } from '@runbound/store'
import { handlers } from '../gateway/handlers.ts'
import { judgeResult } from '../gateway/results.ts'
import type { Call, HandlerTable } from '../gateway/types.ts'
import { type Ending, finalizedEnding } from './ending.ts'
import type { RunRow } from './queries.ts'
import { findRun, recordOf } from './records.ts'
import type { Session } from './session.ts'
import type { RunOutcome, Runs } from './types.ts'

/** Kinds that a plugin may add to a ledger afterwards; all others have to be yielded by the run itself. */
const APPENDABLE = ['tool.call.started', 'tool.call.completed', 'action.requested', 'processor.log']

export interface RunMethodParts {
  readonly store: Store
  readonly runs: Pick<Runs, 'cancel' | 'list' | 'events'>
  /** Ends a living run for this call; undefined when it is not living here, or ends already. */
  finalize(runId: string, ending: Ending, call: Call): Promise<RunOutcome | undefined>
  session(runId: string): Session | undefined
}

export function runHandlers({ store, runs, finalize, session }: RunMethodParts): HandlerTable {
  /** The run's own, or one of the same processor in the same conversation. Others are not told from runs that never were. */
  async function reach(call: Call<'run'>, target: string | null): Promise<RunRow> {
    const { run_id, workspace_uuid, facts } = call.invocation
    const row = await findRun(store, target ?? run_id)
    const sameConversation = facts.conversation_key !== null && row?.conversation_key === facts.conversation_key
    const same = row?.processor_id === facts.processor_id && sameConversation
    if (row !== undefined && row.workspace_uuid === workspace_uuid && (row.run_id === run_id || same)) return row
    throw notVisible(target ?? run_id)
  }

  async function administer(call: Call<'installation'>, target: string): Promise<RunRow> {
    const row = await findRun(store, target)
    if (row === undefined || row.workspace_uuid !== call.caller.workspace_uuid) throw notVisible(target)
    return row
  }

  async function now(runId: string): Promise<AgentRun> {
    const row = await findRun(store, runId)
    if (row === undefined) throw notVisible(runId)
    return recordOf(row)
  }

  async function cancel(call: Call<'run'> | Call<'installation'>, { run_id, status }: RunRow, reason: string | null) {
    await call.intend()
    const asked = await runs.cancel(run_id, { kind: 'plugin', id: call.caller.plugin_id }, reason)
    const record = await now(run_id)
    // A second request changes nothing; a run that is over can't be cancelled any more.
    if (!asked && record.cancel_requested_at === null)
      throw over(run_id, record.status === 'running' ? status : record.status)
    return record
  }

  async function append(call: Call<'run'> | Call<'installation'>, { run_id, status }: RunRow, result: RunnerResult) {
    const target = session(run_id)
    if (target === undefined || target.ending !== null) throw over(run_id, status)
    if (result.run_id !== run_id) {
      throw new WireError('invalid_params', `"result.run_id" is ${String(result.run_id)}; the target is ${run_id}.`)
    }
    const judged = judgeResult(run_id, target.grant, { ...result, usage: result.usage as JsonObject | null })
    if (judged.kind === 'rejected') throw new WireError(judged.reason, judged.message)
    if (judged.kind === 'fatal') throw new WireError('invalid_result', judged.message)
    if (!APPENDABLE.includes(judged.type)) {
      const message = `A result of kind "${judged.type}" has to be yielded by the run itself; only ${APPENDABLE.join(', ')} can be added.`
      throw new WireError('invalid_params', message)
    }
    const source = call.form === 'run' ? 'runner' : 'admin'
    const { type, data, usage } = judged
    return target.run.write([], { type, data, usage, source, metadata: { appended_by: call.caller.plugin_id } }, false)
  }

  async function end(call: Call<'run'> | Call<'installation'>, { run_id, status }: RunRow, ending: Ending) {
    await call.intend()
    if ((await finalize(run_id, ending, call)) === undefined) throw over(run_id, status)
    return now(run_id)
  }

  return handlers({
    run_get: {
      run: async (call, { target_run_id }) => recordOf(await reach(call, target_run_id)),
      installation: async (call, { target_run_id }) => recordOf(await administer(call, target_run_id)),
    },
    run_list: {
      run: (call, { conversation_id, ...page }) => {
        const { workspace_uuid, facts } = call.invocation
        ownConversation(call, conversation_id)
        const { conversation_key, processor_id } = facts
        return runs.list({ workspace_uuid, conversation_key, processor_id, ...page })
      },
      installation: (call, { conversation_id, ...page }) =>
        runs.list({ workspace_uuid: call.caller.workspace_uuid, conversation_id, ...page }),
    },
    run_events_page: {
      run: async (call, { target_run_id, run_id: _own, ...page }) => {
        const { run_id } = await reach(call, target_run_id)
        await session(run_id)?.run.flush()
        return runs.events({ run_id, ...page })
      },
      installation: async (call, { target_run_id, ...page }) => {
        const { run_id } = await administer(call, target_run_id)
        return runs.events({ run_id, ...page })
      },
    },
    run_cancel: {
      run: async (call, { target_run_id, reason }) => cancel(call, await reach(call, target_run_id), reason),
      installation: async (call, { target_run_id, reason }) =>
        cancel(call, await administer(call, target_run_id), reason),
    },
    run_append_result: {
      run: async (call, { target_run_id, result }) => append(call, await reach(call, target_run_id), result),
      installation: async (call, { target_run_id, result }) =>
        append(call, await administer(call, target_run_id), result),
    },
    run_finalize: {
      run: async (call, { target_run_id, status, reason }) =>
        end(call, await reach(call, target_run_id), finalizedEnding(terminal(status ?? 'completed'), reason, 'runner')),
      installation: async (call, { target_run_id, status, reason, usage, cost, metadata }) => {
        const ending = finalizedEnding(terminal(status), reason, 'admin', { usage, cost, metadata })
        return end(call, await administer(call, target_run_id), ending)
      },
    },
  })
}

/** Naming another conversation never widens what a run sees: it is refused. */
export function ownConversation(call: Call<'run'>, conversationId: string | null): void {
  const own = call.invocation.facts.conversation_id
  if (conversationId === null || conversationId === own) return
  throw new WireError(
    'target_denied',
    `The conversation ${conversationId} is not this run's. Leave conversation_id out.`,
  )
}

function terminal(status: string) {
  if (isTerminalRunStatus(status)) return status
  throw new WireError('invalid_params', `"status": ${status} is none of ${TERMINAL_RUN_STATUSES.join(', ')}.`)
}

function notVisible(runId: string): WireError {
  return new WireError('not_found', `No run ${runId} can be seen from here.`)
}

function over(runId: string, status: string): WireError {
  return new WireError('conflict', `Run ${runId} is ${status}; it can't be changed any more.`)
}
