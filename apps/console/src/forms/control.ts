/** What every control of a form gets. */
import type { FormItem } from './items.ts'
import type { Json } from './json.ts'

export interface ControlProps {
  readonly item: FormItem
  readonly value: Json
  /** Null: cleared. */
  readonly onValue: (value: Json) => void
  readonly error: string | null
  readonly disabled: boolean
  /** Says that what is typed can't be read; null takes it back. */
  readonly refuse: (fault: string | null) => void
}

/** The value as text, for controls that edit text. */
export function textOf(value: Json): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
