/** Finds events by what was said in any conversation: the operator's searches. On the reader thread. */
import { matchExpression, type Slots, type Store, sql, sqlQuery } from '@runbound/store'

/** What `matchExpression` gives for a query without a single word. */
const NOTHING = matchExpression('')

export const saidWith = sqlQuery(
  (p: Slots<{ match: string; workspace_uuid: string; below: number; limit: number }>) => sql<{
    position: number
    event_id: string
  }>`
    select t.id as position, t.event_id from transcript_text f cross join transcript t
    where t.id = f.rowid and transcript_text match ${p('match')} and f.rowid < ${p('below')}
      and t.workspace_uuid = ${p('workspace_uuid')}
    order by f.rowid desc limit ${p('limit')}`,
)

/** Events whose message, or an answer to it, holds every word; newest first, below a position. */
export async function findSaid(
  store: Store,
  request: { readonly workspace_uuid: string; readonly words: string; readonly below: number; readonly limit: number },
): Promise<readonly { readonly position: number; readonly event_id: string }[]> {
  const match = matchExpression(request.words)
  if (match === NOTHING) return []
  const { workspace_uuid, below, limit } = request
  return store.slow(saidWith({ match, workspace_uuid, below, limit }))
}
