/** Searches the transcript of one conversation, on the reader thread. */
import { type HistorySearchResult, LIMITS, WireError } from '@runbound/protocol'
import { matchExpression, type Store } from '@runbound/store'
import { cursorsOf } from './cursors.ts'
import { METHOD } from './history.ts'
import { conversationToken } from './search-token.ts'
import { itemOf } from './transcript.ts'
import { searchEntries } from './transcript-statements.ts'
import type { SearchRequest } from './types.ts'

/** What `matchExpression` gives for a query without a single word. */
const NOTHING = matchExpression('')

/**
 * Entries whose text holds every word asked for, newest first, at most `top_k` (1 to 100). `total_count` is null where more
 * may exist than were looked at. Throws WireError `too_large` for a query over the named limit.
 */
export async function searchHistory(store: Store, request: SearchRequest): Promise<HistorySearchResult> {
  const { query, conversation_key, roles, item_types, up_to } = request
  if (query.length > LIMITS.search_query.value) {
    throw new WireError('too_large', `A search has at most ${LIMITS.search_query.value} characters (search_query).`)
  }
  const words = matchExpression(query)
  // An empty list asks for entries of no role at all.
  if (words === NOTHING || roles?.length === 0 || item_types?.length === 0) return { items: [], total_count: 0, query }
  const limit = Math.min(Math.max(Math.trunc(request.top_k) || 1, 1), LIMITS.search_items.value)
  const rows = await store.slow(
    searchEntries({
      match: `${conversationToken(conversation_key)} AND ${words}`,
      conversation_key,
      up_to: up_to ?? Number.MAX_SAFE_INTEGER,
      roles: roles === null ? '' : JSON.stringify(roles),
      item_types: item_types === null ? '' : JSON.stringify(item_types),
      limit: limit + 1,
    }),
  )
  const cursors = cursorsOf(METHOD, conversation_key)
  const items = rows.slice(0, limit).map((row) => itemOf(row, cursors, true))
  return { items, total_count: rows.length > limit ? null : items.length, query }
}
