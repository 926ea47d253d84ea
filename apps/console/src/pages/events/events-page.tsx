/** What came in, newest first, with why it was answered or not. */
import { Link } from '@tanstack/react-router'
import { Cable } from 'lucide-react'
import type { ReactNode } from 'react'
import { useReadPages } from '../../data/queries.ts'
import { buttonClass } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { usePageWords } from './words/words.ts'

export function EventsPage(): ReactNode {
  const words = usePageWords()
  const events = useReadPages('listEvents', { query: { limit: 50 } })
  const items = events.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title={words.title} />
      {events.isPending && <SkeletonRows />}
      {events.isError && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      {events.isSuccess && items.length === 0 && (
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
      )}
      {items.length > 0 && (
        <VirtualList
          label={words.title}
          items={items}
          keyOf={(event) => event.event_id}
          rowHeight={41}
          onEnd={() => events.hasNextPage && !events.isFetchingNextPage && void events.fetchNextPage()}
          loadingMore={events.isFetchingNextPage}
          row={(event) => (
            <Link
              to="/events/$eventId"
              params={{ eventId: event.event_id }}
              className="flex h-10 items-center gap-3 border-line border-b px-4 hover:bg-ground-soft"
            >
              <span className="w-40 flex-none truncate text-ink-soft">{event.event_type}</span>
              <span className="min-w-0 flex-1 truncate">{event.text ?? event.why?.sentence}</span>
              <span className="text-ink-soft">
                <TimeAgo at={event.created_at} form="short" />
              </span>
            </Link>
          )}
        />
      )}
    </>
  )
}
