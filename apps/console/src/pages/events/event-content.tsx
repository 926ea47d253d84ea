/** The event itself: as people read it (a bubble, or its fields in words), or as the JSON that processors get. */
import { File, Image, Mic } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { exactTime } from '../../parts/time-ago.tsx'
import type { EventDetail } from './outcome.tsx'
import { SHAPES, type Shape } from './route.tsx'
import { usePageWords } from './words/words.ts'

const ICONS = { Image, Voice: Mic, File } as const
/** Fields that say where an event came from, not what it is; they stand beside it. */
const FRAME = new Set([
  'type',
  'timestamp',
  'bot_uuid',
  'adapter_name',
  'source_platform_object',
  'message_chain',
  'new_content',
])

export interface EventContentProps {
  readonly event: EventDetail
  readonly shape: Shape
  readonly onShape: (shape: Shape) => void
}

export function EventContent({ event, shape, onShape }: EventContentProps): ReactNode {
  const words = usePageWords()
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <Tabs
        label={words.event}
        tabs={SHAPES.map((value) => ({ value, label: words.shapes[value] }))}
        value={shape}
        onValue={onShape}
      >
        <div className="p-4">
          {shape === 'json' ? (
            <JsonView label={event.event_type} value={event.envelope} open={3} />
          ) : (
            <Read event={event} />
          )}
        </div>
      </Tabs>
    </div>
  )
}

function Read({ event }: { readonly event: EventDetail }): ReactNode {
  const words = usePageWords()
  const data = field(event.envelope, 'data')
  const chain = field(data, 'message_chain') ?? field(data, 'new_content')
  if (Array.isArray(chain)) return <Bubble event={event} chain={chain} />
  const fields = isObject(data)
    ? Object.entries(data).filter(([name, value]) => !FRAME.has(name) && !isEmpty(value))
    : []
  if (fields.length === 0) return <p className="text-ink-soft">{words.noFields}</p>
  return (
    <dl className="grid grid-cols-[minmax(80px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-2">
      {fields.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name.replaceAll('_', ' ')}</dt>
          <dd className="break-words">{readable(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Bubble({ event, chain }: { readonly event: EventDetail; readonly chain: readonly unknown[] }): ReactNode {
  const words = usePageWords()
  const text = chain
    .map((part) =>
      field(part, 'type') === 'At'
        ? `@${String(field(part, 'display') ?? field(part, 'target') ?? '')}`
        : field(part, 'text'),
    )
    .filter((part) => typeof part === 'string')
    .join('')
  const files = chain.flatMap((part) => {
    const type = field(part, 'type')
    return type === 'Image' || type === 'Voice' || type === 'File' ? [{ type, name: field(part, 'name') } as const] : []
  })
  return (
    <figure>
      <figcaption className="mb-1 flex items-baseline gap-2">
        <span className="font-medium">{event.actor_name ?? event.actor_id ?? words.someone}</span>
        <span className="text-ink-soft text-xs">{exactTime(event.event_time ?? event.created_at)}</span>
      </figcaption>
      <blockquote className="inline-block max-w-full rounded-lg rounded-tl-sm bg-ground-hover px-3 py-2">
        {text === '' && files.length === 0 && <span className="text-ink-soft">{words.noText}</span>}
        {text !== '' && <p className="whitespace-pre-wrap break-words">{text}</p>}
        {files.length > 0 && (
          <ul className="mt-1 flex flex-wrap gap-1 first:mt-0">
            {files.map(({ type, name }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message do not move
              <li key={at}>
                <Badge icon={ICONS[type]}>
                  {typeof name === 'string' && name !== '' ? name : words.attachments[type]}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </blockquote>
    </figure>
  )
}

/** A value in words: people and groups by name, the rest as it is. */
function readable(value: unknown): string {
  if (!isObject(value)) return Array.isArray(value) ? value.map(readable).join(', ') : String(value)
  const name = [field(value, 'nickname'), field(value, 'name'), field(value, 'display_name')].find(
    (one) => !isEmpty(one),
  )
  const id = field(value, 'id')
  if (name !== undefined) return isEmpty(id) ? String(name) : `${String(name)} (${String(id)})`
  return isEmpty(id) ? JSON.stringify(value) : String(id)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? Reflect.get(value, name) : undefined
}
