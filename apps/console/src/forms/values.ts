/** What a form holds: defaults, what is shown, what is wrong before the host is asked, and what is sent. */
import { SECRET_IS_SET } from '@runbound/api'
import { type Condition, type FormItem, isShownOnly } from './items.ts'
import type { Json, JsonObject } from './json.ts'

/** Words for what is wrong; the host says the rest. */
export interface FaultWords {
  readonly needed: string
  readonly notNumber: string
  readonly notWhole: string
  readonly newSecret: string
}

const NUMBERS = new Set(['integer', 'float', 'number'])

/** Given values over the defaults: what the form shows at first. */
export function startValues(items: readonly FormItem[], given: JsonObject = {}): JsonObject {
  const defaults = items.filter((item) => item.default !== null && !isShownOnly(item))
  return { ...Object.fromEntries(defaults.map((item) => [item.name, item.default])), ...given }
}

/** False while `show_if` hides it. A condition that says nothing, or speaks of the host, leaves it visible. */
export function isShown({ showIf }: FormItem, values: JsonObject): boolean {
  return showIf === null || showIf.field.startsWith('__system.') || holds(showIf, values) !== false
}

/** True while `disable_if` holds. */
export function isDisabled({ disableIf }: FormItem, values: JsonObject): boolean {
  return disableIf !== null && holds(disableIf, values) === true
}

/** By name, for what is shown. The host checks again; this only spares the way there. */
export function faultsOf(
  items: readonly FormItem[],
  values: JsonObject,
  words: FaultWords,
): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  for (const item of items) {
    if (isShownOnly(item) || !isShown(item, values)) continue
    const value = values[item.name] ?? null
    const fault = faultOf(item, value, words)
    if (fault !== null) faults.set(item.name, fault)
  }
  return faults
}

/** What is sent: numbers as numbers, texts trimmed as documented, null where something was cleared. */
export function cleanValues(items: readonly FormItem[], values: JsonObject): JsonObject {
  const kinds = new Map(items.map((item) => [item.name, item.type]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = kinds.get(name) ?? ''
      if (NUMBERS.has(type) && typeof value === 'string') return [name, toNumber(value) ?? value]
      return [name, type === 'string' && typeof value === 'string' ? value.trim() : value]
    }),
  )
}

/** The number that a text is; null for none. */
export function toNumber(text: string): number | null {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? null : number
}

/** The values with {@link SECRET_IS_SET} in the place of every secret, also of one that was only just typed. */
export function maskSecrets(items: readonly FormItem[], values: JsonObject): JsonObject {
  const secret = secretNames(items)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      secret.has(name) && typeof value === 'string' && value !== '' ? SECRET_IS_SET : value,
    ]),
  )
}

/** What was read, with the form's own secret wherever the mark of {@link maskSecrets} came back. */
export function unmaskSecrets(items: readonly FormItem[], before: JsonObject, read: JsonObject): JsonObject {
  const secret = secretNames(items)
  return Object.fromEntries(
    Object.entries(read).map(([name, value]) => [
      name,
      secret.has(name) && value === SECRET_IS_SET ? (before[name] ?? value) : value,
    ]),
  )
}

function secretNames(items: readonly FormItem[]): ReadonlySet<string> {
  return new Set(items.filter(({ type }) => type === 'secret').map(({ name }) => name))
}

function faultOf(item: FormItem, value: Json, words: FaultWords): string | null {
  if (item.type === 'secret' && value === '') return words.newSecret
  const empty = value === null || value === '' || (Array.isArray(value) && value.length === 0)
  if (empty) return item.required ? words.needed : null
  if (!NUMBERS.has(item.type)) return null
  const number = typeof value === 'string' ? toNumber(value) : value
  if (typeof number !== 'number') return words.notNumber
  return item.type === 'integer' && !Number.isInteger(number) ? words.notWhole : null
}

/** Strict, as documented; undefined where the condition says nothing. */
function holds({ field, operator, value }: Condition, values: JsonObject): boolean | undefined {
  const actual = values[field] ?? null
  if (operator === 'eq') return actual === value
  if (operator === 'neq') return actual !== value
  return operator === 'in' && Array.isArray(value) ? value.includes(actual) : undefined
}
