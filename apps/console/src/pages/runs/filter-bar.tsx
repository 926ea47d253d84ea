/** What narrows the list: a field for run ids and words, and a chip for each filter. Everything stands in the address. */
import { Search } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useRead } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { TextInput } from '../../parts/field.tsx'
import { exactTime } from '../../parts/time-ago.tsx'
import { useRunStatusWord } from '../../words/run-status.ts'
import { Choice, type FilterChoice, FilterMenu } from './filter-menu.tsx'
import { isFiltered, RANGE_NAMES, STATUSES, statusesOf, tooShort } from './filters.ts'
import type { RunsSearch } from './route.tsx'
import { TimeRange } from './time-range.tsx'
import type { RunItem } from './use-runs.ts'
import { usePageWords } from './words/words.ts'

export interface FilterBarProps {
  readonly search: RunsSearch
  /** What was found so far: whose names can be chosen. */
  readonly items: readonly RunItem[]
  readonly go: (search: RunsSearch) => void
}

const TYPING_MS = 250

export function FilterBar({ search, items, go }: FilterBarProps): ReactNode {
  const words = usePageWords()
  const statusWord = useRunStatusWord()
  const status = useRead('status', {})
  const processors = useRead('listProcessors', {})
  const [asksTime, setAsksTime] = useState(false)
  const people = usePeople(items)
  const put = (key: keyof RunsSearch) => (chosen: readonly string[]) => go(withIt(search, key, chosen.join(',')))
  const one = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value])
  const custom = search.range === undefined && (search.from !== undefined || search.until !== undefined)

  return (
    <div className="flex flex-none flex-col gap-2 border-line border-b px-4 py-2 max-wide:px-3">
      <div className="flex items-center gap-2 max-wide:flex-col max-wide:items-stretch">
        <SearchField key={search.event ?? ''} text={search.q ?? ''} onText={(q) => go(withIt(search, 'q', q))} />
        <div className="flex min-w-0 flex-1 items-center gap-1.5 overflow-x-auto py-1 [scrollbar-width:none] wide:flex-wrap max-wide:-mx-3 max-wide:px-3">
          <FilterMenu
            name={words.filters.status}
            several
            choices={STATUSES.map((value) => ({ value, label: statusWord(value) }))}
            chosen={statusesOf(search)}
            onChosen={put('status')}
          />
          <FilterMenu
            name={words.filters.bot}
            choices={(status.data?.bots ?? []).map((bot) => ({
              value: bot.bot_uuid,
              label: bot.name,
              about: bot.platform,
            }))}
            chosen={one(search.bot)}
            onChosen={put('bot')}
          />
          <FilterMenu
            name={words.filters.processor}
            choices={(processors.data?.items ?? []).map(({ processor_id, name, kind }) => ({
              value: processor_id,
              label: name,
              about: words.kinds[kind],
            }))}
            chosen={one(search.processor)}
            onChosen={put('processor')}
          />
          <FilterMenu
            name={words.filters.plugin}
            choices={(status.data?.plugins ?? []).map(({ installation_uuid, plugin_id }) => ({
              value: installation_uuid,
              label: plugin_id,
            }))}
            chosen={one(search.plugin)}
            onChosen={put('plugin')}
          />
          <FilterMenu
            name={words.filters.person}
            choices={people}
            typed={words.filters.personTyped}
            chosen={one(search.person)}
            onChosen={put('person')}
          />
          <FilterMenu
            name={words.filters.time}
            choices={RANGE_NAMES.map((value) => ({ value, label: words.ranges[value] }))}
            chosen={one(search.range)}
            {...(custom ? { shown: rangeText(search) } : {})}
            onChosen={([range]) => go(withIt(withIt(withIt(search, 'from', ''), 'until', ''), 'range', range ?? ''))}
            foot={(close) => (
              <Choice
                label={words.filters.customTime}
                on={custom}
                onClick={() => {
                  close()
                  setAsksTime(true)
                }}
              />
            )}
          />
          {search.conversation !== undefined && (
            <FilterMenu
              name={words.filters.conversation}
              choices={[{ value: search.conversation, label: words.filters.thisOne }]}
              chosen={[search.conversation]}
              onChosen={put('conversation')}
            />
          )}
          {search.event !== undefined && (
            <FilterMenu
              name={words.filters.event}
              choices={[{ value: search.event, label: words.filters.thisOne }]}
              chosen={[search.event]}
              onChosen={put('event')}
            />
          )}
          {isFiltered(search) && (
            <Button kind="quiet" size="small" className="max-wide:!h-9" onClick={() => go({})}>
              {words.filters.clearAll}
            </Button>
          )}
        </div>
      </div>
      {asksTime && (
        <TimeRange
          from={search.from === undefined ? null : Number(search.from)}
          until={search.until === undefined ? null : Number(search.until)}
          onClose={() => setAsksTime(false)}
          onRange={(from, until) =>
            go(withIt(withIt(withIt(search, 'range', ''), 'from', text(from)), 'until', text(until)))
          }
        />
      )}
    </div>
  )
}

function SearchField({
  text: given,
  onText,
}: {
  readonly text: string
  readonly onText: (text: string) => void
}): ReactNode {
  const words = usePageWords()
  const [text, setText] = useState(given)
  const told = useRef(given)
  useEffect(() => {
    // The address changed by another way than by this field: back, a link, "clear".
    if (given !== told.current) setText(given)
    told.current = given
  }, [given])
  useEffect(() => {
    if (text.trim() === told.current || tooShort(text)) return
    const timer = setTimeout(() => {
      told.current = text.trim()
      onText(text.trim())
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, onText])
  return (
    <div className="relative w-72 flex-none max-wide:w-full">
      <Search className="icon absolute top-2 left-2 text-ink-soft max-wide:top-2.5" aria-hidden />
      <TextInput
        type="search"
        aria-label={words.filters.search}
        placeholder={words.filters.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="!pl-7 max-wide:!h-9"
      />
    </div>
  )
}

/** People of what was found, each once, by name. Those seen stay while the list is narrowed to one of them. */
function usePeople(items: readonly RunItem[]): readonly FilterChoice[] {
  const known = useRef(new Map<string, string>())
  return useMemo(() => {
    for (const { view } of items)
      if (view.actor_id !== null) known.current.set(view.actor_id, view.actor_name ?? view.actor_id)
    return [...known.current]
      .map(([value, label]) => ({ value, label, ...(label === value ? {} : { about: value }) }))
      .sort((a, b) => a.label.localeCompare(b.label))
  }, [items])
}

function withIt(search: RunsSearch, key: keyof RunsSearch, value: string): RunsSearch {
  const { [key]: _gone, ...rest } = search
  return value === '' ? rest : { ...rest, [key]: value }
}

const text = (at: number | null): string => (at === null ? '' : String(at))

function rangeText({ from, until }: RunsSearch): string {
  return [from, until]
    .map((at) => (at === undefined ? '…' : exactTime(Number(at)).replace(/:\d\d\.\d+.*/, '')))
    .join(' – ')
}
