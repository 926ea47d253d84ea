/** One event, and why it was answered or not. */
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { ShortId } from '../../parts/copy.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { usePageWords } from './words/words.ts'

export function EventPage(): ReactNode {
  const words = usePageWords()
  const { eventId } = useParams({ from: '/events/$eventId' })
  const event = useRead('getEvent', { params: { event_id: eventId } })
  return (
    <>
      <PageHeader title={event.data?.event_type ?? words.title} back="/events" about={<ShortId id={eventId} />} />
      {event.isPending && <SkeletonRows />}
      {event.isError && <Failure error={event.error} onRetry={() => void event.refetch()} />}
      {event.isSuccess && (
        <PageBody>
          {event.data.why !== null && <p className="mb-4">{event.data.why.sentence}</p>}
          <JsonView label={words.record} value={event.data} />
        </PageBody>
      )}
    </>
  )
}
