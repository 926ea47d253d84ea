/** The list of events that fits the address: pages of it, and the way to older ones. */
import { useMemo } from 'react'
import { useReadPages } from '../../data/queries.ts'
import type { EventItem } from './outcome.tsx'
import { type EventsSearch, RANGES } from './route.tsx'

const PER_PAGE = 50

export interface EventsRead {
  readonly items: readonly EventItem[]
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly error: Error | null
  readonly retry: () => void
  readonly loadingMore: boolean
  /** Undefined: there are no older ones. */
  readonly more: (() => void) | undefined
}

export function useEvents(search: EventsSearch): EventsRead {
  // Counted from when the filter was chosen: a moving start would ask anew with every look.
  const from = useMemo(
    () => (search.range === undefined ? undefined : Date.now() - RANGES[search.range]),
    [search.range],
  )
  const query = {
    limit: PER_PAGE,
    bot_uuid: search.bot,
    event_type: search.type,
    conversation_key: search.chat,
    outcome: search.outcome,
    q: search.q,
    from,
  }
  const read = useReadPages('listEvents', { query }, { keep: true })
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = read
  return {
    items: read.data?.pages.flatMap((page) => page.items) ?? [],
    isPending: read.isPending,
    isSuccess: read.isSuccess,
    error: read.error,
    retry: () => void refetch(),
    loadingMore: isFetchingNextPage,
    more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
  }
}
