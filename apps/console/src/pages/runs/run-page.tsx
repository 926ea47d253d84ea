/** One run. */
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { ShortId } from '../../parts/copy.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { usePageWords } from './words/words.ts'

export function RunPage(): ReactNode {
  const words = usePageWords()
  const { runId } = useParams({ from: '/runs/$runId' })
  const run = useRead('getRun', { params: { run_id: runId } })
  return (
    <>
      <PageHeader title={run.data?.view.processor_name ?? words.title} back="/runs" about={<ShortId id={runId} />} />
      {run.isPending && <SkeletonRows />}
      {run.isError && <Failure error={run.error} onRetry={() => void run.refetch()} />}
      {run.isSuccess && (
        <PageBody>
          <JsonView label={words.record} value={run.data} />
        </PageBody>
      )}
    </>
  )
}
