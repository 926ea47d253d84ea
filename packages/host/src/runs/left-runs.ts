/** How a run ends whose host died. */
import type { Statement } from '@runbound/store'
import { entryStatements } from './ledger.ts'
import * as sql from './statements.ts'
import type { LeftRun } from './types.ts'

const CODE = 'host_restarted'
const REASON = 'The host stopped while the run was active.'

/** Statements for recovery's unit. Refused when somebody else has ended the run. */
export function leftRunEnd({ run_id }: LeftRun, now: number): readonly Statement[] {
  const data = { error: REASON, code: CODE, retryable: false }
  return [
    sql.endLeftRun({ run_id, reason: REASON, code: CODE, now }),
    ...entryStatements(run_id, [{ type: 'run.failed', data, source: 'host', at: now }]),
  ]
}
