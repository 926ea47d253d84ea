/** The list of runs, newest first. */
import { Link, useSearch } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useReadPages } from '../../data/queries.ts'
import { buttonClass } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { usePageWords } from './words/words.ts'

export function RunsPage(): ReactNode {
  const words = usePageWords()
  const { conversation } = useSearch({ from: '/runs' })
  const runs = useReadPages('listRuns', {
    query: { limit: 50, ...(conversation === undefined ? {} : { conversation_key: conversation }) },
  })
  const items = runs.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title={words.title} />
      {runs.isPending && <SkeletonRows />}
      {runs.isError && <Failure error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isSuccess && items.length === 0 && (
        <Empty
          icon={Zap}
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
          keyOf={(run) => run.run_id}
          rowHeight={41}
          onEnd={() => runs.hasNextPage && !runs.isFetchingNextPage && void runs.fetchNextPage()}
          loadingMore={runs.isFetchingNextPage}
          row={(run) => (
            <Link
              to="/runs/$runId"
              params={{ runId: run.run_id }}
              className="flex h-10 items-center gap-3 border-line border-b px-4 hover:bg-ground-soft"
            >
              <span className="w-24 flex-none text-ink-soft">{run.status}</span>
              <span className="min-w-0 flex-1 truncate">{run.view.input ?? run.run_id}</span>
              <span className="text-ink-soft">
                <TimeAgo at={run.view.created_at} form="short" />
              </span>
            </Link>
          )}
        />
      )}
    </>
  )
}
