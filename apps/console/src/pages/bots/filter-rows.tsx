/** The filters of a route: all of them must hold. */
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { type EventType, startEvent } from '../../forms/event-fields.ts'
import { Group } from '../../forms/group.tsx'
import { isObject } from '../../forms/json.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Select, TextInput } from '../../parts/field.tsx'
import type { RouteFilter } from './routes-draft.ts'
import { usePageWords } from './words/words.ts'

const OPERATORS = ['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'regex'] as const
/** What the host works out of every event, beside its own fields. */
const VIRTUAL = ['message_text', 'message_element_types', 'is_at_bot', 'chat_type'] as const

export interface FilterRowsProps {
  readonly filters: readonly RouteFilter[]
  readonly samples: readonly EventType[]
  readonly pattern: string
  /** By path such as `0.value`. */
  readonly faultAt: (path: string) => string | null
  readonly onFilters: (filters: readonly RouteFilter[]) => void
}

export function FilterRows({ filters, samples, pattern, faultAt, onFilters }: FilterRowsProps): ReactNode {
  const words = usePageWords()
  const list = useId()
  const fields = [...new Set([...VIRTUAL, ...samples.filter((type) => fits(pattern, type)).flatMap(fieldsOf)])]
  const change = (at: number, next: Partial<RouteFilter>): void => {
    const before = filters[at]
    if (before !== undefined) onFilters(filters.with(at, { ...before, ...next }))
  }
  const faults = filters.map(
    (_filter, at) => faultAt(`${at}.field`) ?? faultAt(`${at}.operator`) ?? faultAt(`${at}.value`),
  )
  return (
    <Group label={words.filters} help={words.filtersAbout}>
      {filters.map((filter, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a filter is its place
        <div key={at} className="flex flex-col gap-1">
          <div className="flex items-center gap-1 max-wide:flex-wrap">
            <TextInput
              aria-label={words.filterField(at + 1)}
              aria-invalid={faultAt(`${at}.field`) !== null || undefined}
              list={list}
              value={filter.field}
              onChange={({ target }) => change(at, { field: target.value })}
              className="font-mono !text-[13px] wide:!w-48 wide:flex-none"
            />
            <Select
              aria-label={words.filterOperator(at + 1)}
              value={filter.operator ?? 'eq'}
              onValue={(operator) => change(at, { operator })}
              choices={OPERATORS.map((value) => ({ value, label: words.operators[value] }))}
              className="!w-36 flex-none"
            />
            <TextInput
              aria-label={words.filterValue(at + 1)}
              aria-invalid={faultAt(`${at}.value`) !== null || undefined}
              value={typeof filter.value === 'string' ? filter.value : JSON.stringify(filter.value)}
              onChange={({ target }) => change(at, { value: target.value })}
              className="max-wide:!w-auto max-wide:flex-1"
            />
            <IconButton
              icon={Trash2}
              label={words.removeFilter(at + 1)}
              onClick={() => onFilters(filters.toSpliced(at, 1))}
            />
          </div>
          {faults[at] !== null && (
            <p data-fault tabIndex={-1} className="text-danger text-xs outline-none">
              {faults[at]}
            </p>
          )}
        </div>
      ))}
      <Button
        size="small"
        icon={Plus}
        className="self-start"
        onClick={() => onFilters([...filters, { field: 'message_text', operator: 'contains', value: '' }])}
      >
        {words.addFilter}
      </Button>
      <datalist id={list}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
    </Group>
  )
}

function fits(pattern: string, { event_type }: EventType): boolean {
  return (
    pattern === '*' || pattern === event_type || (pattern.endsWith('.*') && event_type.startsWith(pattern.slice(0, -1)))
  )
}

/** Dotted paths of a sample's texts, numbers and switches. */
function fieldsOf(type: EventType): readonly string[] {
  return Object.entries(startEvent(type)).flatMap(([key, value]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${key}.${inner}`) : Array.isArray(value) ? [] : [key],
  )
}
