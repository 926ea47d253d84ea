/** What all ways to list events share: filters as statements take them, rows as views show them. */
import type { Store } from '@runbound/store'
import * as sql from './listing-statements.ts'
import type { EventSearch, FoundEvent } from './types.ts'

/** The filters that columns answer, as statements take them. */
export function filterOf({ workspace_uuid, bot_uuid, event_type, from, until }: EventSearch) {
  return { workspace_uuid, bot_uuid, event_type: event_type?.replace(/\*$/, '') ?? null, from, until }
}

/** Events by id, for other lists: who and what they were about. */
export async function eventsOf(store: Store, eventIds: readonly string[]): Promise<ReadonlyMap<string, FoundEvent>> {
  if (eventIds.length === 0) return new Map()
  const rows = await store.slow(sql.eventsById({ event_ids: JSON.stringify([...new Set(eventIds)]) }))
  return new Map(rows.map((row) => [row.event_id, foundOf(row)]))
}

/** A row as views show it. Ids of made-up events begin so (event-id.ts). */
export const foundOf = (row: sql.ListedEvent): FoundEvent => ({ ...row, debug: row.event_id.startsWith('debug:') })
