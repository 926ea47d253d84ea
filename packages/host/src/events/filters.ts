/** Filters of routes: compiled once, evaluated against an event's data and four virtual fields, in time linear in the text. */

import type { Json, PlatformEvent } from '@runbound/protocol'
import { RE2JS, RE2JSException } from 're2js'
import { chainOf, plainText } from './input.ts'
import type { RouteFilter } from './types.ts'
import { groupOf } from './who-where.ts'

export const FILTER_OPERATORS = ['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'regex'] as const

/** Longest pattern, largest compiled program, and how much of a text a pattern looks at: together they bound the time. */
export const REGEX_MAX = 1_024
export const REGEX_PROGRAM_MAX = 500
export const REGEX_TEXT_MAX = 20_000

/** An event as filters see it. Virtual fields are worked out at their first use. */
export interface FilterSubject {
  readonly event: PlatformEvent
  /** The bot's own account on the platform; null: not known, so `is_at_bot` is false. */
  readonly accountId: string | null
}

export type CompiledFilter = (subject: FilterSubject) => boolean

/** Compiles a filter, or says what is wrong with which of its parts. */
export function compileFilter(
  filter: RouteFilter,
):
  | { readonly ok: true; readonly passes: CompiledFilter }
  | { readonly ok: false; readonly at: string; readonly fault: string } {
  const { field, operator, value } = filter
  if (typeof field !== 'string' || field.trim() === '' || field.length > 256) {
    return { ok: false, at: 'field', fault: 'must be a dotted path or a virtual field, 1 to 256 characters long' }
  }
  const expected = scalarText(value)
  if (operator === 'regex') {
    if (typeof value !== 'string') return { ok: false, at: 'value', fault: 'a regex is text' }
    const compiled = compileRegex(value)
    if (typeof compiled === 'string') return { ok: false, at: 'value', fault: compiled }
    return { ok: true, passes: (subject) => matches(compiled, scalarText(fieldOf(subject, field))) }
  }
  switch (operator) {
    case 'eq':
      return { ok: true, passes: (subject) => equal(fieldOf(subject, field), value) }
    case 'neq':
      return { ok: true, passes: (subject) => !equal(fieldOf(subject, field), value) }
  }
  if (expected === null) return { ok: false, at: 'value', fault: `${String(operator)} needs text or a number` }
  switch (operator) {
    case 'contains':
      return { ok: true, passes: (subject) => contains(fieldOf(subject, field), expected) }
    case 'not_contains':
      return { ok: true, passes: (subject) => !contains(fieldOf(subject, field), expected) }
    case 'starts_with':
      return { ok: true, passes: (subject) => scalarText(fieldOf(subject, field))?.startsWith(expected) ?? false }
    default:
      return { ok: false, at: 'operator', fault: `"${String(operator)}" is not one of ${FILTER_OPERATORS.join(', ')}` }
  }
}

function compileRegex(pattern: string): RE2JS | string {
  if (pattern.length > REGEX_MAX) return `a regex has at most ${REGEX_MAX} characters`
  try {
    const compiled = RE2JS.compile(pattern)
    const size = compiled.programSize()
    return size <= REGEX_PROGRAM_MAX
      ? compiled
      : `the regex is too complex (${size} steps, ${REGEX_PROGRAM_MAX} allowed)`
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    return `${error.message} (RE2 syntax: no look-around and no back-references)`
  }
}

function matches(regex: RE2JS, text: string | null): boolean {
  return text !== null && regex.test(text.length > REGEX_TEXT_MAX ? text.slice(0, REGEX_TEXT_MAX) : text)
}

/** The value of a field; undefined where the event has none. */
export function fieldOf({ event, accountId }: FilterSubject, field: string): unknown {
  switch (field) {
    case 'message_text':
      return plainText(chainOf(event) ?? [])
    case 'message_element_types':
      return (chainOf(event) ?? []).map((part) => part.type)
    case 'is_at_bot':
      return (
        accountId !== null &&
        (chainOf(event) ?? []).some((part) => part.type === 'At' && String(part.target) === accountId)
      )
    case 'chat_type':
      return isGroup(event) ? 'group' : 'person'
    default:
      return valueAt(event, field)
  }
}

function isGroup(event: PlatformEvent): boolean {
  return groupOf(event) !== null || ('chat_type' in event && event.chat_type === 'group')
}

function valueAt(root: object, path: string): unknown {
  let value: unknown = root
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/** Scalars compare as text: platforms have numeric ids, operators write them as text. */
function scalarText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return null
  }
}

function equal(actual: unknown, expected: unknown): boolean {
  const left = scalarText(actual)
  if (left !== null) return left === scalarText(expected)
  if (actual === undefined || actual === null) return expected === null || expected === undefined
  return canonical(actual) === canonical(expected)
}

function contains(actual: unknown, expected: string): boolean {
  if (Array.isArray(actual)) return actual.some((item) => scalarText(item) === expected)
  return scalarText(actual)?.includes(expected) ?? false
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: Json) => {
    if (typeof item === 'bigint') return String(item)
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
