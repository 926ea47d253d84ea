/**
 * Everything of a run, oldest first. The newest page is shown as soon as it is there, older ones follow by themselves; while
 * the run is alive its newest page is read again, and once more all of it when it has ended.
 */
import type { ApiError } from '@runbound/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { client } from '../../data/client.ts'
import { onChange, onReopened } from '../../data/live.ts'
import { caughtUp, type ReadPage, type Timeline, wholeTimeline } from './timeline-pages.ts'

const PER_PAGE = 500
/** More entries than this are not read: such a run is downloaded rather than looked through. */
const MOST_PAGES = 40
const TOGETHER_MS = 300
/** Calls are written in batches and not told of: looked for this often while the run is alive. */
const LOOK_MS = 2_000

const keyOf = (runId: string) => ['run-timeline', runId] as const

export interface UsedTimeline {
  readonly timeline: Timeline | undefined
  readonly error: ApiError | null
  readonly retry: () => void
  /** Reads all of it again. */
  readonly again: () => void
}

export function useTimeline(runId: string, alive: boolean): UsedTimeline {
  const cache = useQueryClient()
  const read = useQuery<Timeline, ApiError>({
    queryKey: keyOf(runId),
    queryFn: () =>
      wholeTimeline(pagesOf(runId), MOST_PAGES, (part) => {
        // What is shown already is more than a part of it.
        cache.setQueryData<Timeline>(keyOf(runId), (known) => (known?.complete === true ? known : part))
      }),
    staleTime: 5_000,
    refetchOnWindowFocus: false,
  })
  const { refetch } = read
  const again = useCallback(() => void refetch(), [refetch])

  const look = useCallback(async (): Promise<void> => {
    const known = cache.getQueryData<Timeline>(keyOf(runId))
    if (known === undefined) return
    const joined = await caughtUp(pagesOf(runId), known, MOST_PAGES)
    cache.setQueryData<Timeline>(keyOf(runId), (now) => now && joined(now))
  }, [cache, runId])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let whole = false
    const flush = async (): Promise<void> => {
      const all = whole
      whole = false
      if (all) await refetch()
      // A host that can't be asked is told by the bar over the page.
      else await look().catch(() => undefined)
      timer = undefined
    }
    const later = (all: boolean): void => {
      whole ||= all
      timer ??= setTimeout(() => void flush(), TOGETHER_MS)
    }
    const offChange = onChange((change) => {
      if (change.run_id !== runId) return
      // What is said of an answer may be about an old one; an end brings the calls that were still waiting to be written.
      if (['run', 'ledger', 'delivery'].includes(change.kind)) later(change.kind !== 'ledger')
    })
    const offReopened = onReopened(() => later(true))
    return () => {
      offChange()
      offReopened()
      clearTimeout(timer)
    }
  }, [runId, look, refetch])
  useEffect(() => {
    if (!alive) return
    const beat = setInterval(() => void look().catch(() => undefined), LOOK_MS)
    return () => {
      clearInterval(beat)
      // It has ended: what was gathered until then is written now, between what is shown.
      void refetch()
    }
  }, [alive, look, refetch])

  return { timeline: read.data, error: read.data === undefined ? read.error : null, retry: again, again }
}

function pagesOf(runId: string): ReadPage {
  return (before) =>
    client.runTimeline({
      params: { run_id: runId },
      query: {
        direction: 'backward',
        limit: PER_PAGE,
        ...(before === undefined ? {} : { before_cursor: before }),
      },
    })
}

/** Every entry of a run, however many there are: for its download. Rejects with ApiError. */
export function everyEntry(runId: string): Promise<Timeline> {
  return wholeTimeline(pagesOf(runId), Number.POSITIVE_INFINITY)
}
