/**
 * Everything of a run, oldest first. The newest page is shown as soon as it is there, older ones follow by themselves; while
 * the run is alive its newest page is read again, and once more all of it when it has ended.
 */
import type { ApiError } from '@runbound/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { client } from '../../data/client.ts'
import { onChange, onReopened } from '../../data/live.ts'
import type { Entry } from './entries.ts'

export interface Timeline {
  readonly entries: readonly Entry[]
  /** False: older entries are on their way. */
  readonly complete: boolean
}

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
      wholeTimeline(runId, (part) => {
        // What is shown already is more than a part of it.
        cache.setQueryData<Timeline>(keyOf(runId), (known) => (known?.complete === true ? known : part))
      }),
    staleTime: 5_000,
    refetchOnWindowFocus: false,
  })
  const { refetch } = read
  const again = useCallback(() => void refetch(), [refetch])

  const look = useCallback(async (): Promise<void> => {
    const page = await client.runTimeline({
      params: { run_id: runId },
      query: { direction: 'backward', limit: PER_PAGE },
    })
    cache.setQueryData<Timeline>(
      keyOf(runId),
      (known) => known && withNewest(known, page.items.toReversed(), page.has_more),
    )
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

/** All entries, oldest first; `onPart` gets what is there so far, the newest part first. Rejects with ApiError. */
export async function wholeTimeline(runId: string, onPart?: (part: Timeline) => void): Promise<Timeline> {
  let entries: readonly Entry[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, has_more, next_cursor } = await client.runTimeline({
      params: { run_id: runId },
      query: { direction: 'backward', limit: PER_PAGE, ...(cursor === undefined ? {} : { before_cursor: cursor }) },
    })
    entries = [...items.toReversed(), ...entries]
    if (!has_more || next_cursor === null) return { entries, complete: true }
    cursor = next_cursor
    onPart?.({ entries, complete: false })
  }
  return { entries, complete: true }
}

/** The newest page in the place of what was known of its time; all of it when there is no older one. */
function withNewest(known: Timeline, newest: readonly Entry[], hasOlder: boolean): Timeline {
  const [first] = newest
  if (first === undefined) return known
  const ids = new Set(newest.map(({ id }) => id))
  const older = hasOlder ? known.entries.filter(({ id, at }) => at <= first.at && !ids.has(id)) : []
  const entries = [...older, ...newest]
  // The same as before stays the same: nothing is drawn anew while nothing happens.
  return sameAs(known.entries, entries) ? known : { ...known, entries }
}

function sameAs(a: readonly Entry[], b: readonly Entry[]): boolean {
  return (
    a.length === b.length &&
    a.every((entry, at) => {
      const other = b[at]
      return (
        other !== undefined &&
        entry.id === other.id &&
        entry.type === other.type &&
        entry.outcome === other.outcome &&
        entry.duration_ms === other.duration_ms &&
        entry.title === other.title
      )
    })
  )
}
