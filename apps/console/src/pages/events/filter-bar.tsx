/** Search and filters above the list; what they hold stands in the address. */
import { Search, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useRead } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Select, TextInput } from '../../parts/field.tsx'
import { type EventsSearch, OUTCOMES, RANGES } from './route.tsx'
import { usePageWords } from './words/words.ts'

/** A moment after the last key, so that not every letter is asked for. Milliseconds. */
const PAUSE_MS = 200
const RANGE_NAMES = Object.keys(RANGES) as readonly (keyof typeof RANGES)[]

export interface FilterBarProps {
  readonly search: EventsSearch
  readonly go: (search: EventsSearch) => void
}

export function FilterBar({ search, go }: FilterBarProps): ReactNode {
  const words = usePageWords()
  const status = useRead('status', {})
  const types = useRead('listEventTypes', {})
  const bots = status.data?.bots ?? []
  const ids = (types.data?.items ?? []).map((one) => one.event_type)
  const families = [...new Set(ids.map((id) => id.split('.')[0] ?? id))]
  const put = (change: { readonly [K in keyof EventsSearch]: EventsSearch[K] | undefined }): void => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    go(Object.fromEntries(next))
  }
  const chosen = <V extends string>(value: V | ''): V | undefined => (value === '' ? undefined : value)

  return (
    <search className="flex flex-none flex-wrap items-center gap-2 border-line border-b px-4 py-2 max-wide:px-3">
      <SearchBox value={search.q ?? ''} onValue={(q) => put({ q: q === '' ? undefined : q })} />
      <div className="grid flex-none grid-cols-4 gap-2 max-broad:w-full max-wide:grid-cols-2 broad:w-[640px]">
        <Select
          aria-label={words.bot}
          value={search.bot ?? ''}
          onValue={(value) => put({ bot: chosen(value) })}
          choices={[
            { value: '', label: words.allBots },
            ...bots.map(({ bot_uuid, name }) => ({ value: bot_uuid, label: name })),
          ]}
        />
        <Select
          aria-label={words.type}
          value={search.type ?? ''}
          onValue={(value) => put({ type: chosen(value) })}
          choices={[
            { value: '', label: words.allTypes },
            ...families.flatMap((family) => [
              { value: `${family}.*`, label: words.family(family) },
              ...ids.filter((id) => id.startsWith(`${family}.`)).map((id) => ({ value: id, label: id })),
            ]),
            ...(search.type === undefined || [...ids, ...families.map((name) => `${name}.*`)].includes(search.type)
              ? []
              : [{ value: search.type, label: search.type }]),
          ]}
        />
        <Select
          aria-label={words.outcome}
          value={search.outcome ?? ''}
          onValue={(value) => put({ outcome: chosen(value) })}
          choices={[
            { value: '', label: words.allOutcomes },
            ...OUTCOMES.map((one) => ({ value: one, label: words.outcomes[one] })),
          ]}
        />
        <Select
          aria-label={words.range}
          value={search.range ?? ''}
          onValue={(value) => put({ range: chosen(value) })}
          choices={[
            { value: '', label: words.allTime },
            ...RANGE_NAMES.map((one) => ({ value: one, label: words.ranges[one] })),
          ]}
        />
      </div>
      {search.chat !== undefined && (
        <Button size="small" icon={X} onClick={() => put({ chat: undefined })}>
          {words.oneChat}
        </Button>
      )}
    </search>
  )
}

function SearchBox({
  value,
  onValue,
}: {
  readonly value: string
  readonly onValue: (text: string) => void
}): ReactNode {
  const words = usePageWords()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => onValue(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <div className="relative min-w-56 flex-1">
      <Search className="icon absolute top-2 left-2 text-ink-soft max-wide:top-2" aria-hidden />
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={text}
        maxLength={2_000}
        onChange={(event) => setText(event.target.value)}
        className="!pl-7"
      />
    </div>
  )
}
