/** Run records and the ledger, seen from a run. */
import type { HasRunRecords } from '../../context/run-records.ts'
import { assertJson } from '../calls/json.ts'
import type { RunParts } from './parts.ts'

/** Makes the run-record methods. A run id that is left out is sent as this run's own, as the Python SDK does. */
export function recordsOf({ context: { run_id }, life, calls }: RunParts): HasRunRecords {
  return {
    async runGet(target) {
      life.check('runGet')
      return calls.run('run_get', { target_run_id: target ?? run_id })
    },

    async runList(options = {}) {
      life.check('runList')
      return calls.run('run_list', {
        conversation_id: options.conversation_id ?? null,
        statuses: options.statuses ? [...options.statuses] : null,
        before_cursor: options.before_cursor ?? null,
        limit: options.limit ?? 50,
      })
    },

    async runEventsPage(options = {}) {
      life.check('runEventsPage')
      return calls.run('run_events_page', {
        target_run_id: options.run_id ?? run_id,
        before_cursor: options.before_cursor ?? null,
        after_cursor: options.after_cursor ?? null,
        limit: options.limit ?? 50,
        direction: options.direction ?? 'forward',
      })
    },

    async runCancel(options = {}) {
      life.check('runCancel')
      return calls.run('run_cancel', { target_run_id: options.run_id ?? run_id, reason: options.reason ?? null })
    },

    async runAppendResult(result) {
      life.check('runAppendResult')
      assertJson(result, 'result')
      return calls.run('run_append_result', { target_run_id: result.run_id, result })
    },

    async runFinalize(options = {}) {
      life.check('runFinalize')
      return calls.run('run_finalize', {
        target_run_id: options.run_id ?? run_id,
        status: options.status ?? null,
        reason: options.reason ?? null,
      })
    },
  }
}
