/** What both ways to list runs share: filters as statements take them, rows as views show them. */
import type * as sql from './listing-statements.ts'
import { recordOf } from './records.ts'
import type { FoundRun, RunSearch } from './types.ts'

/** The filters as statements take them. */
export function filterOf(search: RunSearch) {
  const { workspace_uuid, statuses, processor_id, installation_uuid, bot_uuid, actor_id, debug, from, until } = search
  return {
    workspace_uuid,
    statuses: statuses === null ? null : JSON.stringify(statuses),
    processor_id,
    installation_uuid,
    bot_uuid,
    actor_id,
    debug: debug === null ? null : debug ? 1 : 0,
    from,
    until,
  }
}

/** A row as views show it. */
export function foundOf(row: sql.ListedRow): FoundRun {
  const { installation_uuid, conversation_key, actor_id, event_type, processor_kind, reason_code, attempt } = row
  return {
    record: recordOf(row),
    installation_uuid,
    conversation_key,
    actor_id,
    event_type,
    processor_kind,
    reason_code,
    attempt,
    effect: row.effect === 1,
    debug: row.debug === 1,
    created_at: row.created_at,
    finished_at: row.finished_at,
    duration_ms: row.finished_at === null ? null : row.finished_at - (row.started_at ?? row.created_at),
    last_sequence: row.last_sequence,
  }
}
