/** One run in the list: what was said, by whom to which processor, how it went, how long it took, when. */
import { Bug, RotateCcw } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { RowLink } from './row-link.tsx'
import { Elapsed, isOver, Status } from './status.tsx'
import type { RunItem } from './use-runs.ts'
import { usePageWords } from './words/words.ts'

export const ROW_HEIGHT = { wide: 40, phone: 64 } as const

/** Drawn once: scrolling moves it, and draws only those that come. */
export const RunRow = memo(Row)

function Row({ run, phone }: { readonly run: RunItem; readonly phone: boolean }): ReactNode {
  return phone ? <PhoneRow run={run} /> : <WideRow run={run} />
}

/** The widths of the columns, for the head and for each row. */
const STATUS = 'w-28 flex-none'
const PERSON = 'w-28 flex-none truncate'
const PROCESSOR = 'w-36 flex-none truncate'
const BOT = 'w-28 flex-none truncate max-broad:hidden'
const TOOK = 'w-16 flex-none text-right'
const WHEN = 'w-24 flex-none text-right'

export function ListHead(): ReactNode {
  const words = usePageWords()
  return (
    <div
      aria-hidden
      className="flex h-8 flex-none items-center gap-3 border-line border-b bg-ground-soft px-4 font-medium text-ink-soft text-xs max-wide:hidden"
    >
      <span className={STATUS}>{words.columns.status}</span>
      <span className="min-w-0 flex-1">{words.columns.input}</span>
      <span className={PERSON}>{words.columns.person}</span>
      <span className={PROCESSOR}>{words.columns.processor}</span>
      <span className={BOT}>{words.columns.bot}</span>
      <span className={TOOK}>{words.columns.took}</span>
      <span className={WHEN}>{words.columns.when}</span>
    </div>
  )
}

function WideRow({ run }: { readonly run: RunItem }): ReactNode {
  const { view } = run
  return (
    <RowLink
      to={`/runs/${run.run_id}`}
      className="flex h-10 items-center gap-3 border-line border-b px-4 hover:bg-ground-soft focus-visible:bg-ground-soft focus-visible:outline-offset-[-2px]"
    >
      <span className={STATUS}>
        <Status status={run.status} />
      </span>
      <span className="flex min-w-0 flex-1 items-center gap-2">
        <Input run={run} />
        <Marks run={run} />
      </span>
      <span className={PERSON}>{view.actor_name ?? view.actor_id}</span>
      <span className={`${PROCESSOR} text-ink-soft`}>{view.processor_name ?? view.runner_name}</span>
      <span className={`${BOT} text-ink-soft`}>{view.bot_name}</span>
      <span className={`${TOOK} text-ink-soft`}>
        <Elapsed ms={view.duration_ms} since={view.created_at} runs={!isOver(run.status)} />
      </span>
      <span className={`${WHEN} text-ink-soft`}>
        <TimeAgo at={view.created_at} form="narrow" />
      </span>
    </RowLink>
  )
}

function PhoneRow({ run }: { readonly run: RunItem }): ReactNode {
  const { view } = run
  return (
    <RowLink
      to={`/runs/${run.run_id}`}
      className="flex h-16 flex-col justify-center gap-0.5 border-line border-b px-3 focus-visible:outline-offset-[-2px]"
    >
      <span className="flex items-center gap-2">
        <span className="flex min-w-0 flex-1 items-center gap-2">
          <Input run={run} />
        </span>
        <span className="flex-none text-ink-soft text-xs">
          <TimeAgo at={view.created_at} form="narrow" />
        </span>
      </span>
      <span className="flex items-center gap-2 text-ink-soft text-sm">
        <Status status={run.status} />
        <span className="min-w-0 flex-1 truncate">
          {[view.actor_name ?? view.actor_id, view.processor_name ?? view.runner_name].filter(Boolean).join(' → ')}
        </span>
        <Elapsed ms={view.duration_ms} since={view.created_at} runs={!isOver(run.status)} />
      </span>
    </RowLink>
  )
}

/** The first words; where nothing was said, what happened. */
function Input({ run: { view, event_id } }: { readonly run: RunItem }): ReactNode {
  const words = usePageWords()
  if (view.input !== null && view.input !== '') return <span className="truncate">{view.input}</span>
  return (
    <span className="truncate text-ink-soft">
      {view.event_type ?? (event_id === null ? words.noEvent : words.noText)}
    </span>
  )
}

function Marks({ run: { view, status } }: { readonly run: RunItem }): ReactNode {
  const words = usePageWords()
  return (
    <>
      {view.reason_code !== null && status !== 'completed' && (
        <code className="flex-none text-danger">{view.reason_code}</code>
      )}
      {view.attempt > 1 && (
        <span title={words.attempt(view.attempt)} className="flex flex-none items-center gap-1 text-ink-soft text-xs">
          <RotateCcw className="size-3" aria-hidden />
          {view.attempt}
          <span className="sr-only">{words.attempt(view.attempt)}</span>
        </span>
      )}
      {view.debug && (
        <span title={words.debug} className="flex-none text-info">
          <Bug className="size-3.5" aria-label={words.debug} />
        </span>
      )}
    </>
  )
}
