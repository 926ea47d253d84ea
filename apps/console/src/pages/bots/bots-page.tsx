/** The list of bots. */
import { Link } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { usePageWords } from './words/words.ts'

export function BotsPage(): ReactNode {
  const words = usePageWords()
  const all = useRead('status', {})
  return (
    <>
      <PageHeader title={words.title} />
      {all.isPending && <SkeletonRows />}
      {all.isError && <Failure error={all.error} onRetry={() => void all.refetch()} />}
      {all.isSuccess && all.data.bots.length === 0 && (
        <Empty icon={Bot} title={words.empty}>
          {words.emptyAbout}
        </Empty>
      )}
      {all.isSuccess && all.data.bots.length > 0 && (
        <Table
          label={words.title}
          items={all.data.bots}
          keyOf={(one) => one.bot_uuid}
          columns={[
            {
              id: 'name',
              label: words.name,
              grow: true,
              cell: (one) => (
                <Link to="/bots/$botUuid" params={{ botUuid: one.bot_uuid }} className="font-medium hover:underline">
                  {one.name}
                </Link>
              ),
            },
            { id: 'platform', label: words.platform, cell: (one) => one.platform, wideOnly: true },
            {
              id: 'state',
              label: words.state,
              cell: (one) => (
                <Badge tone={one.state === 'running' ? 'ok' : one.state === 'failed' ? 'danger' : 'neutral'}>
                  {one.state}
                </Badge>
              ),
            },
          ]}
        />
      )}
    </>
  )
}
