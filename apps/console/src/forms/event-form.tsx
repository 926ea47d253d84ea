/** A made-up event: its type, and what it holds by form or as JSON. For the dry run of routes and the event debugger. */
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { cx } from '../parts/class-names.ts'
import { Field, Select, TextArea } from '../parts/field.tsx'
import { type EventType, eventItems, flatEvent, startEvent, withField } from './event-fields.ts'
import { isObject, type JsonObject, sameJson } from './json.ts'
import { SchemaForm } from './schema-form.tsx'
import { useFormWords } from './words/words.ts'

/** An event as it is typed. */
export interface TypedEvent {
  readonly event_type: string
  readonly event: JsonObject
}

export interface EventFormProps {
  readonly types: readonly EventType[]
  readonly value: TypedEvent
  readonly onValue: (value: TypedEvent) => void
  /** True while what is typed can't be read. */
  readonly onUnreadable: (unreadable: boolean) => void
}

export function EventForm({ types, value, onValue, onUnreadable }: EventFormProps): ReactNode {
  const words = useFormWords()
  const [asJson, setAsJson] = useState(false)
  const type = types.find(({ event_type }) => event_type === value.event_type)
  const { main, more } = type === undefined ? { main: [], more: [] } : eventItems(type, words.event.text)
  const refuse = useCallback((_path: string, fault: string | null) => onUnreadable(fault !== null), [onUnreadable])
  const setEvent = (event: JsonObject): void => onValue({ ...value, event })

  function fields(items: typeof main): ReactNode {
    const flat = flatEvent(value.event, items)
    return (
      <SchemaForm
        items={items}
        values={flat}
        path="event"
        faultAt={() => null}
        refuse={refuse}
        onValues={(next) => {
          const changed = Object.entries(next).filter(([name, one]) => !sameJson(one, flat[name]))
          setEvent(changed.reduce((event, [name, one]) => withField(event, name, one), value.event))
        }}
      />
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={words.event.type} className="flex-1 basis-48">
          {(control) => (
            <Select
              {...control}
              value={value.event_type}
              onValue={(event_type) => {
                const next = types.find((one) => one.event_type === event_type)
                if (next !== undefined) onValue({ event_type, event: startEvent(next) })
              }}
              choices={types.map((one) => ({ value: one.event_type, label: one.event_type }))}
            />
          )}
        </Field>
        <fieldset aria-label={words.event.how} className="flex flex-none rounded-md border border-line p-0.5">
          {[false, true].map((json) => (
            <button
              key={String(json)}
              type="button"
              aria-pressed={asJson === json}
              onClick={() => setAsJson(json)}
              className={cx(
                'quick h-[26px] rounded-sm px-2.5 text-sm',
                asJson === json ? 'bg-accent-soft font-medium text-accent' : 'text-ink-soft hover:text-ink',
              )}
            >
              {json ? words.event.json : words.event.form}
            </button>
          ))}
        </fieldset>
      </div>
      {asJson || type === undefined ? (
        <EventJson event={value.event} onEvent={setEvent} onUnreadable={onUnreadable} />
      ) : (
        <>
          {fields(main)}
          {more.length > 0 && (
            <details>
              <summary className="mb-3 font-medium text-ink-soft text-sm">{words.event.more(more.length)}</summary>
              {fields(more)}
            </details>
          )}
        </>
      )}
    </div>
  )
}

interface EventJsonProps {
  readonly event: JsonObject
  readonly onEvent: (event: JsonObject) => void
  readonly onUnreadable: (unreadable: boolean) => void
}

function EventJson({ event, onEvent, onUnreadable }: EventJsonProps): ReactNode {
  const words = useFormWords()
  const [text, setText] = useState(() => JSON.stringify(event, null, 2))
  const [shown, setShown] = useState(event)
  const [wrong, setWrong] = useState(false)
  if (!sameJson(event, shown)) {
    setShown(event)
    setText(JSON.stringify(event, null, 2))
    setWrong(false)
  }
  useEffect(() => onUnreadable(wrong), [wrong, onUnreadable])
  useEffect(() => () => onUnreadable(false), [onUnreadable])
  return (
    <Field label={words.event.advanced} error={wrong ? words.event.notJson : null}>
      {(control) => (
        <TextArea
          {...control}
          rows={8}
          className="font-mono !text-xs"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            const read = parsed(target.value)
            setWrong(read === null)
            if (read === null) return
            setShown(read)
            onEvent(read)
          }}
        />
      )}
    </Field>
  )
}

function parsed(text: string): JsonObject | null {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? read : null
  } catch {
    return null
  }
}
