/** Recorded events of a bot, the newest first, found by words, a link to the message, or an id. */
import { type ReactNode, useState } from 'react'
import { useRead } from '../../data/queries.ts'
import { cx } from '../../parts/class-names.ts'
import { TextInput } from '../../parts/field.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { usePageWords } from './words/words.ts'

const SHOWN = 20

export interface RecordedEventsProps {
  readonly botUuid: string
  readonly chosen?: string
  readonly onChoose: (eventId: string) => void
}

export function RecordedEvents({ botUuid, chosen, onChoose }: RecordedEventsProps): ReactNode {
  const words = usePageWords()
  const [text, setText] = useState('')
  const q = text.trim()
  const events = useRead(
    'listEvents',
    { query: { bot_uuid: botUuid, limit: SHOWN, ...(q === '' ? {} : { q }) } },
    { keep: true },
  )
  const items = events.data?.items ?? []
  return (
    <div className="flex flex-col gap-2">
      <TextInput
        type="search"
        aria-label={words.findEvent}
        placeholder={words.findEvent}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {events.isPending && <SkeletonRows rows={4} />}
      {events.isError && <Failure error={events.error} onRetry={() => void events.refetch()} />}
      {events.isSuccess && items.length === 0 && <p className="py-4 text-center text-ink-soft">{words.noEventFits}</p>}
      {items.length > 0 && (
        <ul aria-label={words.recordedEvent} className="-mx-2 max-h-72 overflow-y-auto">
          {items.map((event) => (
            <li key={event.event_id}>
              <button
                type="button"
                aria-pressed={event.event_id === chosen}
                onClick={() => onChoose(event.event_id)}
                className={cx(
                  'quick flex w-full items-baseline gap-2 rounded-md px-2 py-1.5 text-left',
                  event.event_id === chosen ? 'bg-accent-soft' : 'hover:bg-ground-soft',
                )}
              >
                <span className="min-w-0 flex-1 truncate">
                  {event.text ?? <code>{event.event_type}</code>}
                  {event.actor_name !== null && <span className="text-ink-soft"> · {event.actor_name}</span>}
                </span>
                <span className="flex-none text-ink-soft text-xs">
                  <TimeAgo at={event.created_at} form="short" />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
