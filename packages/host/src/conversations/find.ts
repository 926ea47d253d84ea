/** Finds events by what was said in any conversation: the operator's searches. On the reader thread. */
import { matchExpression, type Slots, type Store, sql, sqlQuery } from '@runbound/store'

/** What `matchExpression` gives for a query without a single word. */
const NOTHING = matchExpression('')

export interface SaidSearch {
  readonly workspace_uuid: string
  readonly words: string
  readonly below: number
  readonly limit: number
  /** The newest position that a search over several pages began with: what was said since is not of it. */
  readonly ceiling: number
}

/** Question and answer are of one event: it counts where the words were said last. */
export const saidWith = sqlQuery(
  (p: Slots<Omit<SaidSearch, 'words'> & { readonly match: string }>) => sql<{ position: number; event_id: string }>`
    select t.id as position, t.event_id from transcript_text f cross join transcript t
    where t.id = f.rowid and transcript_text match ${p('match')} and f.rowid < ${p('below')} and f.rowid <= ${p('ceiling')}
      and t.workspace_uuid = ${p('workspace_uuid')}
      and not exists (
        select 1 from transcript h cross join transcript_text g
        where h.event_id = t.event_id and h.id > t.id and h.id <= ${p('ceiling')}
          and g.rowid = h.id and g.transcript_text match ${p('match')})
    order by f.rowid desc limit ${p('limit')}`,
)

/** Events whose message, or an answer to it, holds every word; newest first, each once, below a position. */
export async function findSaid(
  store: Store,
  { words, ...request }: SaidSearch,
): Promise<readonly { readonly position: number; readonly event_id: string }[]> {
  const match = matchExpression(words)
  return match === NOTHING ? [] : store.slow(saidWith({ ...request, match }))
}
