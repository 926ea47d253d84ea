/** The list of agents and plugin processors. */
import { Link } from '@tanstack/react-router'
import { BrainCircuit, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { usePageWords } from './words/words.ts'

export function AgentsPage(): ReactNode {
  const words = usePageWords()
  const all = useRead('listProcessors', {})
  const runners = useRead('listRunners', {})
  const items = (all.data?.items ?? []).toSorted((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name))
  const add = (
    <Link to="/agents/new" className={buttonClass('primary')}>
      <Plus className="icon" aria-hidden />
      {words.add}
    </Link>
  )
  const runnerOf = (id: string) => runners.data?.items.find(({ runner_id }) => runner_id === id)
  return (
    <>
      <PageHeader title={words.title} actions={add} />
      {all.isPending && <SkeletonRows />}
      {all.isError && <Failure error={all.error} onRetry={() => void all.refetch()} />}
      {all.isSuccess && items.length === 0 && (
        <Empty icon={BrainCircuit} title={words.empty} action={add}>
          {words.emptyAbout}
        </Empty>
      )}
      {items.length > 0 && (
        <Table
          label={words.title}
          items={items}
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
            { id: 'kind', label: words.kind, cell: (one) => words.kinds[one.kind], wideOnly: true },
            {
              id: 'runner',
              label: words.runner,
              wideOnly: true,
              cell: (one) => (
                <span title={one.runner_id} className="text-ink-soft">
                  {runnerOf(one.runner_id)?.label ?? one.runner_id}
                </span>
              ),
            },
            {
              id: 'state',
              label: words.state,
              cell: (one) =>
                !one.enabled ? (
                  <Badge>{words.switchedOff}</Badge>
                ) : runners.isSuccess && runnerOf(one.runner_id) === undefined ? (
                  <Badge tone="danger">{words.noRunner}</Badge>
                ) : (
                  <Badge tone="ok">{words.inUse}</Badge>
                ),
            },
          ]}
        />
      )}
    </>
  )
}
