/** Tx 2: the row of the mailbox, the run, and the first entry of its ledger. */
import { stringify } from '@runbound/link'
import type { Statement } from '@runbound/store'
import { entryStatements, type TimedEntry } from './ledger.ts'
import type { Prepared } from './prepare.ts'
import * as sql from './statements.ts'
import type { RunRequest } from './types.ts'

export function startStatements(
  prepared: Prepared,
  request: RunRequest,
  by: { readonly owner: string; readonly epoch: number; readonly now: number },
): readonly Statement[] {
  const { run_id, runner, facts, deadlineAt, computed } = prepared
  const { envelope, processor, attempt } = request
  const { owner, epoch, now } = by
  return [
    ...request.opening({ run_id, owner, epoch }),
    sql.insertRun({
      run_id,
      workspace_uuid: processor.workspace_uuid,
      event_id: facts.event_id,
      event_type: facts.event_type,
      row_id: request.row_id,
      processor_id: facts.processor_id,
      processor_kind: facts.processor_kind,
      binding_id: bindingOf(prepared),
      runner_id: runner.runner_id,
      installation_uuid: runner.installation_uuid,
      bot_uuid: facts.bot_uuid,
      conversation_id: facts.conversation_id,
      conversation_key: facts.conversation_key,
      thread_id: facts.thread_id,
      actor_id: facts.actor?.actor_id ?? null,
      attempt,
      owner,
      epoch,
      debug: facts.simulate === null ? 0 : 1,
      now,
      deadline_at: deadlineAt,
      run_grant: computed.lines_text,
      metadata: stringify({
        source: envelope.source,
        plugin_id: runner.plugin_id,
        plugin_version: runner.plugin_version,
      }),
    }),
    ...entryStatements(run_id, [firstEntry(prepared, request, now)]),
  ]
}

/** Ledger entry 1. */
export function firstEntry({ runner, facts }: Prepared, { attempt }: RunRequest, at: number): TimedEntry {
  const { event_id, event_type, processor_id } = facts
  const { runner_id, plugin_version } = runner
  const data = { event_id, event_type, processor_id, runner_id, plugin_version, attempt }
  return { type: 'run.started', data, source: 'host', at }
}

/** Whose state and history this is: the processor, on the bot. Not the route, so that a new route loses nothing. */
function bindingOf({ facts }: Prepared): string {
  return `${facts.processor_kind}:${facts.processor_id}:${facts.bot_uuid ?? ''}`
}
