/**
 * The list of runs: pages of older ones as one scrolls, newer ones by themselves, and a run that changes is read again in
 * its place. Pages that were read are never read again, however long the list has become.
 */
import type { ApiError } from '@runbound/api'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { client, type Output } from '../../data/client.ts'
import { onChange, onReopened } from '../../data/live.ts'
import { gatherChanges, readAgain } from './changed-runs.ts'
import type { RunsQuery } from './filters.ts'
import { isOver } from './status.tsx'

type Page = Output<'listRuns'>
type Pages = InfiniteData<Page, string | undefined>
export type RunItem = Page['items'][number]

const PER_PAGE = 60
/** Changes of this long are taken together. */
const TOGETHER_MS = 400
/** Pages that are read to reach what is known; a list that is further behind begins anew. */
const CATCH_UP_PAGES = 4
/** A host that could not be asked is asked again after this long. */
const RETRY_MS = 3_000
const NONE: ReadonlySet<string> = new Set()

export interface Runs {
  readonly items: readonly RunItem[]
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly isFetching: boolean
  readonly error: ApiError | null
  readonly retry: () => void
  readonly more: () => void
  readonly loadingMore: boolean
  readonly hasMore: boolean
  /** Runs that came on top since the top was last seen. */
  readonly fresh: number
  /** The top is in view: nothing is news any more. */
  readonly seen: () => void
}

export function useRuns(query: RunsQuery, statuses: readonly string[]): Runs {
  const cache = useQueryClient()
  const key = useMemo(() => ['runs-list', query] as const, [query])
  const [fresh, setFresh] = useState(0)
  const read = useInfiniteQuery<Page, ApiError, Pages, readonly unknown[], string | undefined>({
    queryKey: key,
    queryFn: ({ pageParam }) =>
      client.listRuns({
        query: { ...query, limit: PER_PAGE, ...(pageParam === undefined ? {} : { before_cursor: pageParam }) },
      }),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: (before) => before,
  })
  const wanted = useRef(statuses)
  wanted.current = statuses

  const catchUp = useCallback(
    async (changed: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
      const known = cache.getQueryData<Pages>(key)
      // Not read yet: what changed may be missing in the answer that is on its way.
      if (known === undefined) return changed
      const ids = new Set(known.pages.flatMap((page) => page.items.map(({ run_id }) => run_id)))
      const newest = await newestUntil(query, ids)
      if (newest === null) {
        void cache.resetQueries({ queryKey: key })
        return NONE
      }
      const inNewest = new Set(newest.map(({ run_id }) => run_id))
      const below = [...changed].filter((id) => ids.has(id) && !inNewest.has(id))
      const { read, gone, left } = await readAgain(below, (run_id) => client.getRun({ params: { run_id } }))
      const added = newest.filter(({ run_id }) => !ids.has(run_id)).length
      cache.setQueryData<Pages>(key, (now) => now && merged(now, newest, read, gone, wanted.current))
      if (added > 0) setFresh((count) => count + added)
      return left
    },
    [cache, key, query],
  )

  useEffect(() => {
    const changes = gatherChanges({ take: catchUp, togetherMs: TOGETHER_MS, retryMs: RETRY_MS })
    const listed = (id: string): boolean =>
      cache.getQueryData<Pages>(key)?.pages.some((page) => page.items.some(({ run_id }) => run_id === id)) ?? false
    // What changed while another page was open: the newest, and what was still running.
    const open = cache.getQueryData<Pages>(key)?.pages.flatMap((page) => page.items) ?? []
    if (open.length > 0) {
      for (const { run_id, status } of open) if (!isOver(status)) changes.add(run_id)
      changes.flush()
    }
    const offChange = onChange((change) => {
      // A run tells of itself at its end; its start is the first entry of its ledger, of a run that is not listed yet.
      if (change.kind !== 'run' && change.kind !== 'event' && change.kind !== 'ledger') return
      const { run_id } = change
      if (change.kind === 'ledger' && (run_id === undefined || run_id === null || listed(run_id))) return
      changes.add(change.kind === 'run' && typeof run_id === 'string' ? run_id : undefined)
    })
    const offReopened = onReopened(() => void cache.invalidateQueries({ queryKey: key }))
    return () => {
      offChange()
      offReopened()
      changes.stop()
    }
  }, [catchUp, cache, key])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question has no news yet
  useEffect(() => setFresh(0), [key])
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = read
  const items = useMemo(() => read.data?.pages.flatMap((page) => page.items) ?? [], [read.data])
  return {
    items,
    isPending: read.isPending,
    isSuccess: read.isSuccess,
    isFetching: read.isPlaceholderData,
    error: read.data === undefined ? read.error : null,
    retry: useCallback(() => void refetch(), [refetch]),
    more: useCallback(() => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    }, [hasNextPage, isFetchingNextPage, fetchNextPage]),
    loadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    fresh,
    seen: useCallback(() => setFresh(0), []),
  }
}

/** The newest runs down to one that is known; null when that is too far below. */
async function newestUntil(query: RunsQuery, known: ReadonlySet<string>): Promise<readonly RunItem[] | null> {
  const found: RunItem[] = []
  let cursor: string | undefined
  for (let page = 0; page < CATCH_UP_PAGES; page++) {
    const { items, has_more, next_cursor } = await client.listRuns({
      query: { ...query, limit: 50, ...(cursor === undefined ? {} : { before_cursor: cursor }) },
    })
    found.push(...items)
    if (!has_more || next_cursor === null || items.some(({ run_id }) => known.has(run_id))) return found
    cursor = next_cursor
  }
  return null
}

function merged(
  known: Pages,
  newest: readonly RunItem[],
  again: readonly RunItem[],
  gone: ReadonlySet<string>,
  statuses: readonly string[],
): Pages {
  const fits = ({ status }: RunItem): boolean => statuses.length === 0 || statuses.includes(status)
  const changed = new Map([...again, ...newest].map((run) => [run.run_id, run]))
  const listed = new Set<string>()
  const pages = known.pages.map((page) => ({
    ...page,
    items: page.items
      .map((run) => {
        listed.add(run.run_id)
        return changed.get(run.run_id) ?? run
      })
      // A run that has left the status that the list is of leaves the list, as one that the host has no more.
      .filter((run) => fits(run) && !gone.has(run.run_id)),
  }))
  const [top, ...rest] = pages
  if (top === undefined) return known
  const added = newest.filter((run) => !listed.has(run.run_id) && fits(run))
  return { ...known, pages: [{ ...top, items: [...added, ...top.items] }, ...rest] }
}
