/** One of the agents. */
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { usePageWords } from './words/words.ts'

export function AgentPage(): ReactNode {
  const words = usePageWords()
  const { processorId } = useParams({ from: '/agents/$processorId' })
  const one = useRead('getProcessor', { params: { processor_id: processorId } })
  return (
    <>
      <PageHeader title={one.data?.name ?? words.title} back="/agents" />
      {one.isPending && <SkeletonRows />}
      {one.isError && <Failure error={one.error} onRetry={() => void one.refetch()} />}
      {one.isSuccess && (
        <PageBody>
          <JsonView label={words.record} value={one.data} />
        </PageBody>
      )}
    </>
  )
}
