/** What came in, newest first, each with why it was answered or not. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Cable, History, SearchX, VolumeX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type EventItem, OutcomeMark, withNames } from './outcome.tsx'
import type { EventsSearch } from './route.tsx'
import { type EventsRead, useEvents } from './use-events.ts'
import { usePageWords } from './words/words.ts'

export function EventsPage(): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/events' })
  const events = useEvents(search)
  // Typing and choosing replace the entry: "back" leads to the page before, not through every letter.
  const go = (next: EventsSearch): void => void navigate({ to: '/events', search: next, replace: true })
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          <Link to="/events/silence" className={buttonClass('plain', 'small')}>
            <VolumeX className="icon" aria-hidden />
            {words.silence}
          </Link>
        }
      />
      <FilterBar search={search} go={go} />
      {events.isPending && <SkeletonRows tall rows={10} />}
      {events.error !== null && <Failure error={events.error} onRetry={events.retry} />}
      {events.isSuccess && events.items.length === 0 && <Nothing events={events} search={search} go={go} />}
      {events.items.length > 0 && (
        <VirtualList
          label={words.title}
          items={events.items}
          keyOf={(event) => event.event_id}
          rowHeight={60}
          {...(events.more === undefined ? {} : { onEnd: events.more })}
          loadingMore={events.loadingMore}
          row={(event) => <Row event={event} search={search} />}
        />
      )}
    </>
  )
}

function Row({ event, search }: { readonly event: EventItem; readonly search: EventsSearch }): ReactNode {
  const words = usePageWords()
  const said = event.text === event.event_type ? '' : (event.text ?? '')
  return (
    <Link
      to="/events/$eventId"
      params={{ eventId: event.event_id }}
      search={search}
      className="quick flex h-15 items-start gap-3 border-line border-b px-4 py-2 hover:bg-ground-soft focus-visible:outline-offset-[-2px] max-wide:px-3"
    >
      <span className="pt-0.5">
        <OutcomeMark why={event.why} />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate">
            <span className="font-medium">{event.actor_name ?? event.actor_id ?? event.event_type}</span>
            {said !== '' && <span className="ml-2">{said}</span>}
          </span>
          {event.debug && <span className="flex-none text-info text-xs">{words.debug}</span>}
          <span className="flex-none truncate text-ink-soft text-xs max-wide:hidden">{event.bot_name}</span>
          <span className="w-16 flex-none text-right text-ink-soft text-xs">
            <TimeAgo at={event.created_at} form="short" />
          </span>
        </span>
        <span className="flex items-baseline gap-2 text-ink-soft text-sm">
          <span className="min-w-0 flex-1 truncate" title={event.why?.sentence}>
            {event.why === null ? words.noTrail : withNames(event.why.sentence, event.runs)}
          </span>
          {event.why !== null && <code className="flex-none max-wide:hidden">{event.why.code}</code>}
          <span className="w-44 flex-none truncate text-right text-xs max-broad:hidden">{event.event_type}</span>
        </span>
      </span>
    </Link>
  )
}

interface NothingProps {
  readonly events: EventsRead
  readonly search: EventsSearch
  readonly go: (search: EventsSearch) => void
}

/** Three sorts of nothing: a fresh host, a search without a result, and an outcome that was not met so far. */
function Nothing({ events, search, go }: NothingProps): ReactNode {
  const words = usePageWords()
  const clear = <Button onClick={() => go({})}>{words.clear}</Button>
  if (Object.keys(search).length === 0)
    return (
      <Empty
        icon={Cable}
        title={words.empty}
        action={
          <Link to="/chats" className={buttonClass('primary')}>
            {words.goToChats}
          </Link>
        }
      >
        {words.emptyAbout}
      </Empty>
    )
  if (events.more !== undefined || events.loadingMore)
    return (
      <Empty
        icon={History}
        title={words.noneSoFar}
        action={
          <>
            <Button kind="primary" busy={events.loadingMore} onClick={() => events.more?.()}>
              {words.lookFurther}
            </Button>
            {clear}
          </>
        }
      >
        {words.noneSoFarAbout}
      </Empty>
    )
  return (
    <Empty icon={SearchX} title={words.nothingFits} action={clear}>
      {words.nothingFitsAbout}
    </Empty>
  )
}
