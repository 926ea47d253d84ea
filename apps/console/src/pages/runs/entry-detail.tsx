/** An open entry: what it was, why it ended so, what went in and came out; as people read it and as JSON. */
import { Link } from '@tanstack/react-router'
import { Link2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { IconButton } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { exactTime } from '../../parts/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { Bubbles } from './bubbles.tsx'
import { claimedValue } from './claims.ts'
import { DeliverySteps } from './delivery-steps.tsx'
import { type Entry, LANE_ICONS, newsOf } from './entries.ts'
import { titleOf, tookText, whoText } from './entry-row.tsx'
import { GrantLines } from './grant-lines.tsx'
import { saidIn } from './readable.ts'
import { usePageWords } from './words/words.ts'

export interface EntryDetailProps {
  readonly entry: Entry
  /** What the plugin says of this answer. */
  readonly claims: readonly Entry[]
  readonly run: { readonly run_id: string; readonly event_id: string | null; readonly to: string }
  readonly onChanged: () => void
}

const TONES: Readonly<Record<Entry['outcome'], Tone>> = {
  ok: 'ok', denied: 'danger', failed: 'danger', cancelled: 'neutral', waiting: 'accent', info: 'neutral',
} // biome-ignore format: a table

export interface DetailHeadProps {
  readonly entry: Entry
  readonly onClose: () => void
}

export function DetailHead({ entry, onClose }: DetailHeadProps): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const Icon = LANE_ICONS[entry.lane]
  return (
    <header className="flex h-[var(--head)] flex-none items-center gap-2 border-line border-b pr-2 pl-4">
      <Icon className="icon text-ink-soft" aria-hidden />
      <h2 className="min-w-0 flex-1 truncate font-semibold">{titleOf(entry, words)}</h2>
      <CopyButton text={() => location.href} label={words.copyLink} />
      <IconButton icon={X} label={shell.parts.close} onClick={onClose} />
    </header>
  )
}

export function EntryDetail({ entry, claims, run, onChanged }: EntryDetailProps): ReactNode {
  const words = usePageWords()
  const news = newsOf(entry)
  const bad = news === 'bad'
  const reason = [entry.sentence, whoText(entry.who, words)].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-4 p-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <Fact name={words.facts.lane}>{words.lanes[entry.lane]}</Fact>
        <Fact name={words.facts.outcome}>
          <Badge tone={news === 'doubt' || news === 'unsent' ? 'warn' : TONES[entry.outcome]}>
            {entry.way === 'unknown' || entry.way === 'not_sent'
              ? words.ways[entry.way]
              : words.outcomes[entry.outcome]}
          </Badge>
        </Fact>
        {entry.way !== null && entry.way !== 'unknown' && entry.way !== 'not_sent' && (
          <Fact name={words.facts.way}>
            {words.ways[entry.way]} <span className="text-ink-soft">{words.waysAbout[entry.way]}</span>
          </Fact>
        )}
        <Fact name={words.facts.at}>
          <span className="tabular-nums">{exactTime(entry.at)}</span>
        </Fact>
        {entry.duration_ms !== null && <Fact name={words.facts.took}>{tookText(entry.duration_ms)}</Fact>}
        {entry.target !== null && <Fact name={words.facts.target}>{entry.target}</Fact>}
        {entry.message_id !== null && (
          <Fact name={words.facts.message}>
            <code className="break-all">{entry.message_id}</code>
          </Fact>
        )}
        <Fact name={words.facts.stored}>
          <code className="break-all">
            {entry.id} · {entry.type}
          </code>
          {entry.claimed && <span className="text-ink-soft"> {words.claimedAbout}</span>}
        </Fact>
      </dl>
      {(reason !== '' || entry.reason !== null) && (
        <div
          className={
            bad
              ? 'rounded-lg bg-danger-soft p-3'
              : news === 'plain' || news === 'good'
                ? 'rounded-lg bg-ground-soft p-3'
                : 'rounded-lg bg-warn-soft p-3'
          }
        >
          {reason !== '' && <p className="break-words">{reason}</p>}
          {entry.reason !== null && <code className={bad ? 'text-danger' : 'text-warn'}>{entry.reason}</code>}
          <div className="mt-2 empty:hidden">
            <DeliverySteps entry={entry} to={run.to} onDone={onChanged} />
          </div>
        </div>
      )}
      {entry.lane === 'grant' && <GrantLines runId={run.run_id} />}
      {entry.origin === 'event' && run.event_id !== null && <EventContent eventId={run.event_id} />}
      {entry.input !== null && entry.origin !== 'event' && (
        <Content title={words.input} value={entry.input} own={entry.lane === 'reply'} />
      )}
      {entry.output !== null && entry.lane !== 'grant' && (
        <Content title={words.output} value={entry.output} own={entry.lane === 'reply' || entry.lane === 'model'} />
      )}
      {claims.length > 0 && <p className="text-ink-soft text-sm">{words.claimedAbout}</p>}
      {claims.map((claim) => (
        <Content
          key={claim.id}
          title={claim.type === 'tool.call.started' ? words.claimedInput : words.claimedOutput}
          value={claimedValue(claim)}
          own={entry.lane === 'reply'}
        />
      ))}
      {claims.length === 0 &&
        entry.input === null &&
        entry.output === null &&
        entry.lane !== 'grant' &&
        entry.origin !== 'event' && <p className="text-ink-soft text-sm">{words.nothingStored}</p>}
    </div>
  )
}

/** The whole event as it came in: the timeline itself has only its first words. */
function EventContent({ eventId }: { readonly eventId: string }): ReactNode {
  const words = usePageWords()
  const event = useRead('getEvent', { params: { event_id: eventId } })
  if (event.isPending) return <SkeletonRows rows={3} />
  if (event.isError) return <Failure error={event.error} onRetry={() => void event.refetch()} />
  return (
    <>
      <Link
        to="/events/$eventId"
        params={{ eventId }}
        className="inline-flex items-center gap-1.5 self-start text-accent hover:underline"
      >
        <Link2 className="icon" aria-hidden />
        {words.toEvent}
      </Link>
      <Content title={words.input} value={event.data.envelope} own={false} />
    </>
  )
}

/** Bubbles where there is something said in it; the JSON below is then folded. */
function Content({
  title,
  value,
  own,
}: {
  readonly title: string
  readonly value: unknown
  readonly own: boolean
}): ReactNode {
  const said = saidIn(value)
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="font-medium text-ink-soft text-sm">{title}</h3>
      {said.length > 0 && <Bubbles said={said} own={own} />}
      <JsonView label="JSON" value={value} open={said.length > 0 ? 0 : 2} />
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
