/** One of the plugins. */
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { usePageWords } from './words/words.ts'

export function PluginPage(): ReactNode {
  const words = usePageWords()
  const { installationUuid } = useParams({ from: '/plugins/$installationUuid' })
  const one = useRead('getPlugin', { params: { installation_uuid: installationUuid } })
  return (
    <>
      <PageHeader title={one.data?.plugin_id ?? words.title} back="/plugins" />
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
