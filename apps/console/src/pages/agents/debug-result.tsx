/** What came of a made-up event: how its run went, what would have been said, what tools were called. */
import { Link } from '@tanstack/react-router'
import { FlaskConical, Zap } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead } from '../../data/queries.ts'
import { isObject, listOf } from '../../forms/json.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { duration } from '../../parts/time-ago.tsx'
import { useRunStatusWord } from '../../words/run-status.ts'
import { usePageWords } from './words/words.ts'

/** While it runs, read again this often besides what the live channel tells. */
const AGAIN_MS = 1_000
const TONES: Readonly<Record<string, Tone>> = {
  completed: 'ok', failed: 'danger', timeout: 'danger', cancelled: 'warn', running: 'accent',
} // biome-ignore format: a table

type Entry = Output<'runTimeline'>['items'][number]

export function DebugResult({ eventId }: { readonly eventId?: string }): ReactNode {
  const words = usePageWords()
  return (
    <Section title={words.result} about={words.resultAbout}>
      {eventId === undefined ? (
        <Card>
          <Empty icon={FlaskConical} title={words.nothingSent}>
            {words.nothingSentAbout}
          </Empty>
        </Card>
      ) : (
        <Seen key={eventId}>
          <EventResult eventId={eventId} />
        </Seen>
      )}
    </Section>
  )
}

/** On a phone the result stands below the form: it is brought into view when it comes. */
function Seen({ children }: { readonly children: ReactNode }): ReactNode {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In braces: newer browsers give a promise back, and an effect must not.
    ref.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={ref} className="min-h-48 scroll-my-16">
      {children}
    </div>
  )
}

function EventResult({ eventId }: { readonly eventId: string }): ReactNode {
  const words = usePageWords()
  const params = { event_id: eventId }
  const runs = useRead('listRuns', { query: { event_id: eventId, limit: 1 } }, { refetchInterval: AGAIN_MS })
  const why = useRead('why', { params }, { refetchInterval: AGAIN_MS * 3 })
  const [run] = runs.data?.items ?? []
  if (runs.isError) return <Failure error={runs.error} onRetry={() => void runs.refetch()} />
  if (runs.isPending) return <SkeletonRows rows={3} />
  if (run === undefined)
    return (
      <Card className="p-4">
        <p role="status">{why.data?.sentence ?? words.waiting}</p>
        {why.data !== undefined && <code className="text-ink-soft">{why.data.code}</code>}
      </Card>
    )
  return <RunResult run={run} />
}

function RunResult({ run }: { readonly run: Output<'listRuns'>['items'][number] }): ReactNode {
  const words = usePageWords()
  const statusWord = useRunStatusWord()
  const over = run.view.finished_at !== null
  const timeline = useRead(
    'runTimeline',
    { params: { run_id: run.run_id }, query: { limit: 500, lanes: 'reply,tool' } },
    over ? {} : { refetchInterval: AGAIN_MS },
  )
  const entries = timeline.data?.items ?? []
  const said = entries.flatMap((entry) => {
    const text = entry.origin === 'ledger' && entry.lane === 'reply' ? textIn(entry.output ?? entry.input) : null
    return text === null ? [] : [{ id: entry.id, text, sent: entry.way !== 'not_sent' }]
  })
  const calls = entries.filter((entry) => entry.origin === 'trace')
  return (
    <div className="flex flex-col gap-4">
      <Card className="flex flex-wrap items-center gap-x-3 gap-y-2 p-4">
        <Badge tone={TONES[run.status] ?? 'neutral'}>{statusWord(run.status)}</Badge>
        {run.view.duration_ms !== null && (
          <span className="text-ink-soft tabular-nums">{duration(run.view.duration_ms)}</span>
        )}
        <Link
          to="/runs/$runId"
          params={{ runId: run.run_id }}
          className={cx(buttonClass('plain', 'small'), 'ml-auto max-wide:!h-9')}
        >
          <Zap className="icon" aria-hidden />
          {words.toTimeline}
        </Link>
        {over && run.status !== 'completed' && run.status_reason !== null && (
          <p className="w-full text-danger">{run.status_reason}</p>
        )}
      </Card>
      <section aria-label={words.replies}>
        <h3 className="mb-2 font-medium">{words.replies}</h3>
        {timeline.isError && <Failure error={timeline.error} onRetry={() => void timeline.refetch()} />}
        {timeline.isSuccess && said.length === 0 && (
          <p className="text-ink-soft">{over ? words.noReplies : words.waiting}</p>
        )}
        <ol className="flex flex-col items-start gap-2">
          {said.map(({ id, text, sent }) => (
            <li key={id} className="max-w-full">
              <p className="w-fit max-w-full whitespace-pre-wrap break-words rounded-xl rounded-tl-sm bg-ground-hover px-3 py-2">
                {text}
              </p>
              <p className="mt-0.5 text-ink-soft text-xs">{sent ? words.wouldBeSent : words.producedNotSent}</p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-label={words.calls}>
        <h3 className="mb-2 font-medium">{words.calls}</h3>
        {timeline.isSuccess && calls.length === 0 && <p className="text-ink-soft">{words.noCalls}</p>}
        <ul className="flex flex-col gap-2">
          {calls.map((entry) => (
            <Call key={entry.id} entry={entry} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function Call({ entry }: { readonly entry: Entry }): ReactNode {
  const words = usePageWords()
  const bad = entry.outcome === 'denied' || entry.outcome === 'failed'
  return (
    <li className="rounded-lg border border-line">
      <details>
        <summary className="flex min-h-10 items-center gap-2 px-3">
          <code className="min-w-0 flex-1 truncate">{entry.title}</code>
          <Badge tone={bad ? 'danger' : entry.outcome === 'ok' ? 'ok' : 'neutral'}>
            {entry.reason ?? words.outcomes[entry.outcome]}
          </Badge>
        </summary>
        <div className="flex flex-col gap-2 border-line border-t p-3">
          {entry.sentence !== null && <p className={bad ? 'text-danger' : 'text-ink-soft'}>{entry.sentence}</p>}
          {entry.input !== null && <JsonView label={words.input} value={entry.input} open={1} />}
          {entry.output !== null && <JsonView label={words.output} value={entry.output} open={1} />}
        </div>
      </details>
    </li>
  )
}

/** The text of a delivery or a message, as the ledger has it. */
function textIn(value: Entry['output']): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (!isObject(value)) return null
  if (typeof value.text === 'string' && value.text !== '') return value.text
  const chain = listOf(value.message_chain ?? value.content)
  const text = chain.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('')
  return text === '' ? null : text
}
