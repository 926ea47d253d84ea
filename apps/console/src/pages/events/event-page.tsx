/** One event: why it was answered or not, its trail, what it carried, and where to go from it. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useRead } from '../../data/queries.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { PageBody, PageHeader, Section } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { EventContent } from './event-content.tsx'
import { EventSide } from './event-side.tsx'
import { type EventDetail, OutcomeBadge, useWho, withNames } from './outcome.tsx'
import { Trail } from './trail.tsx'
import { usePageWords } from './words/words.ts'

export function EventPage(): ReactNode {
  const words = usePageWords()
  const { eventId } = useParams({ from: '/events/$eventId' })
  const event = useRead('getEvent', { params: { event_id: eventId } })
  const one = event.data
  return (
    <>
      <PageHeader
        title={one?.event_type ?? words.title}
        back="/events"
        {...(one === undefined ? {} : { about: <OutcomeBadge why={one.why} /> })}
        actions={<CopyButton text={eventId} label={words.facts.id} />}
      />
      {event.isPending && <SkeletonRows tall />}
      {event.isError && <Failure error={event.error} onRetry={() => void event.refetch()} />}
      {one !== undefined && (
        <PageBody>
          <Shown event={one} />
        </PageBody>
      )}
    </>
  )
}

function Shown({ event }: { readonly event: EventDetail }): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/events/$eventId' })
  const reasons = useRead('listReasons', {})
  const processors = useRead('listProcessors', {})
  const decides = useMemo(
    () => new Map((reasons.data?.reasons ?? []).map(({ code, decides: what }) => [code, what])),
    [reasons.data],
  )
  const processorName = (id: string): string =>
    processors.data?.items.find(({ processor_id }) => processor_id === id)?.name ??
    event.runs.find(({ processor_id }) => processor_id === id)?.processor_name ??
    id
  return (
    <div className="mx-auto grid w-full max-w-[1120px] gap-x-8 gap-y-8 broad:grid-cols-[minmax(0,1fr)_300px]">
      <div className="min-w-0">
        <Verdict event={event} />
        <Section title={words.event}>
          <EventContent
            event={event}
            shape={search.shape ?? 'read'}
            onShape={(shape) =>
              void navigate({
                to: '/events/$eventId',
                params: { eventId: event.event_id },
                search: { ...search, shape },
                replace: true,
              })
            }
          />
        </Section>
        <Section title={words.trail}>
          <Trail event={event} decides={decides} processorName={processorName} />
        </Section>
      </div>
      <EventSide event={event} processors={processors.data?.items ?? []} />
    </div>
  )
}

function Verdict({ event: { why, runs } }: { readonly event: EventDetail }): ReactNode {
  const words = usePageWords()
  const who = useWho(why?.who ?? '')
  if (why === null) return <p className="mb-8 rounded-lg bg-ground-hover p-4 text-ink-soft">{words.noTrail}</p>
  const title = { answered: words.whyAnswered, open: words.whyOpen, failed: words.why, silent: words.why }[why.outcome]
  const ground = {
    answered: 'bg-ok-soft',
    failed: 'bg-danger-soft',
    silent: 'bg-ground-hover',
    open: 'bg-info-soft',
  }[why.outcome]
  return (
    <section aria-label={title} className={`mb-8 rounded-lg p-4 ${ground}`}>
      <h2 className="mb-1 font-medium text-ink-soft text-sm">{title}</h2>
      <p className="break-words text-lg">{withNames(why.sentence, runs)}</p>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <code>{why.code}</code>
        {why.who !== 'nobody' && (
          <span>
            <span className="text-ink-soft">{words.whoTitle}: </span>
            {who}
          </span>
        )}
      </p>
    </section>
  )
}
