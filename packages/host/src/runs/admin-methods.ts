/** Runtimes outside the host, claims of queued runs and statistics: not carried out in this version. */
import { notAvailable } from '../gateway/not-available.ts'
import type { HandlerTable } from '../gateway/types.ts'

export const adminHandlers: HandlerTable = {
  ...notAvailable('Outside runtimes are', [
    'runtime_register',
    'runtime_heartbeat',
    'runtime_list',
    'runtime_reconcile',
    'runtime_stats',
    'run_claim',
    'run_renew_claim',
    'run_release_claim',
  ]),
  ...notAvailable('Statistics of runs are', ['run_stats', 'runner_stats']),
  ...notAvailable('The list of Runners is', ['runner_list']),
}
