/** One run: header, what needs the operator, lanes, timeline. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Download, MessageSquareWarning, Scissors } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { useRead } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { folded } from './claims.ts'
import { DeliverySteps } from './delivery-steps.tsx'
import { Ending } from './ending.tsx'
import { type Entry, openDelivery } from './entries.ts'
import { LaneBar } from './lane-bar.tsx'
import type { RunSearchParams } from './route.tsx'
import { RunHeader } from './run-header.tsx'
import { isOver } from './status.tsx'
import { Timeline } from './timeline.tsx'
import { useDownload } from './use-download.ts'
import { useTimeline } from './use-timeline.ts'
import { usePageWords } from './words/words.ts'

export function RunPage(): ReactNode {
  const words = usePageWords()
  const { runId } = useParams({ from: '/runs/$runId' })
  const search = useSearch({ from: '/runs/$runId' })
  const navigate = useNavigate()
  const go = useCallback(
    (next: RunSearchParams) =>
      void navigate({ to: '/runs/$runId', params: { runId }, search: next, replace: true, resetScroll: false }),
    [navigate, runId],
  )
  const run = useRead('getRun', { params: { run_id: runId } })
  const { timeline, error, retry, again } = useTimeline(runId, run.data !== undefined && !isOver(run.data.status))
  const told = useMemo(() => folded(timeline?.entries ?? []), [timeline])
  const who = run.data?.view.actor_name ?? run.data?.view.actor_id ?? words.someone
  const about = useMemo(
    () => ({ run_id: runId, event_id: run.data?.event_id ?? null, to: who }),
    [runId, run.data?.event_id, who],
  )
  if (run.isError)
    return (
      <>
        <PageHeader title={words.title} back="/runs" />
        <Failure error={run.error} onRetry={() => void run.refetch()} />
      </>
    )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {run.data === undefined ? <PageHeader title={words.title} back="/runs" /> : <RunHeader run={run.data} />}
      {error !== null && <Failure error={error} onRetry={retry} />}
      {error === null && (timeline === undefined || run.data === undefined) && <SkeletonRows rows={12} />}
      {timeline !== undefined && run.data !== undefined && (
        <>
          <Ending
            reason={run.data.status === 'completed' ? null : run.data.status_reason}
            code={run.data.view.reason_code}
          />
          <OpenDeliveries entries={told.entries} to={who} onDone={again} />
          {timeline.truncated && <Truncated runId={runId} count={timeline.entries.length} />}
          <LaneBar entries={told.entries} search={search} go={go} />
          <Timeline
            key={runId}
            run={about}
            over={isOver(run.data.status)}
            told={told}
            complete={timeline.complete}
            search={search}
            go={go}
            onChanged={again}
          />
        </>
      )}
    </div>
  )
}

/** The page does not show all of it: said where one would look for the rest, with the way to it. */
function Truncated({ runId, count }: { readonly runId: string; readonly count: number }): ReactNode {
  const words = usePageWords()
  const { busy, save } = useDownload(runId)
  return (
    <div
      role="status"
      data-truncated
      className="flex flex-none flex-wrap items-center gap-x-3 gap-y-2 bg-warn-soft px-4 py-2 max-wide:px-3"
    >
      <p className="flex min-w-0 flex-1 items-start gap-2">
        <Scissors className="icon mt-0.5 text-warn" aria-hidden />
        <span className="min-w-0">{words.truncated(count)}</span>
      </p>
      <Button size="small" icon={Download} busy={busy} onClick={save}>
        {words.download}
      </Button>
    </div>
  )
}

const MOST = 3

/** Answers that wait for a decision: said above everything, because nobody else will do it. */
function OpenDeliveries({
  entries,
  to,
  onDone,
}: {
  readonly entries: readonly Entry[]
  readonly to: string
  readonly onDone: () => void
}): ReactNode {
  const words = usePageWords()
  const open = entries.filter((entry) => openDelivery(entry)?.can === 'both')
  return open.slice(0, MOST).map((entry) => (
    <div
      key={entry.id}
      data-open-delivery={entry.delivery_id}
      className="flex flex-none items-center gap-x-3 gap-y-2 bg-warn-soft px-4 py-2 max-wide:flex-col max-wide:items-start max-wide:px-3"
    >
      <p className="flex min-w-0 flex-1 items-start gap-2">
        <MessageSquareWarning className="icon mt-0.5 text-warn" aria-hidden />
        <span className="line-clamp-2 min-w-0">
          {words.delivery[entry.type === 'held' ? 'held' : 'unknown'](entry.title)}
        </span>
      </p>
      <DeliverySteps entry={entry} to={to} onDone={onDone} />
    </div>
  ))
}
