/** One of the bots. */
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { JsonView } from '../../parts/json-view.tsx'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { usePageWords } from './words/words.ts'

export function BotPage(): ReactNode {
  const words = usePageWords()
  const { botUuid } = useParams({ from: '/bots/$botUuid' })
  const one = useRead('getBot', { params: { bot_uuid: botUuid } })
  return (
    <>
      <PageHeader title={one.data?.name ?? words.title} back="/bots" />
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
