/** The list of agents. */
import { Link } from '@tanstack/react-router'
import { BrainCircuit } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { usePageWords } from './words/words.ts'

export function AgentsPage(): ReactNode {
  const words = usePageWords()
  const all = useRead('listProcessors', {})
  return (
    <>
      <PageHeader title={words.title} />
      {all.isPending && <SkeletonRows />}
      {all.isError && <Failure error={all.error} onRetry={() => void all.refetch()} />}
      {all.isSuccess && all.data.items.length === 0 && (
        <Empty icon={BrainCircuit} title={words.empty}>
          {words.emptyAbout}
        </Empty>
      )}
      {all.isSuccess && all.data.items.length > 0 && (
        <Table
          label={words.title}
          items={all.data.items}
          keyOf={(one) => one.processor_id}
          columns={[
            {
              id: 'name',
              label: words.name,
              grow: true,
              cell: (one) => (
                <Link
                  to="/agents/$processorId"
                  params={{ processorId: one.processor_id }}
                  className="font-medium hover:underline"
                >
                  {one.name}
                </Link>
              ),
            },
            { id: 'runner', label: words.runner, cell: (one) => <code>{one.runner_id}</code>, wideOnly: true },
            {
              id: 'state',
              label: words.state,
              cell: (one) => <Badge tone={one.enabled ? 'ok' : 'neutral'}>{one.kind}</Badge>,
            },
          ]}
        />
      )}
    </>
  )
}
