/** What `show_if` says about a form (entities.md §1.6). The host asks before it complains about a missing required value. */
import type { JsonObject } from './json.ts'

/** `{field, operator, value}` of `show_if` or `disable_if`. */
interface ConditionLike {
  readonly field: string
  readonly operator: string
  readonly value?: unknown
}

/**
 * True, false, or undefined where the condition says nothing: an unknown operator, or `in` without a list.
 * Values are compared strictly; a field that is not there counts as undefined.
 */
export function conditionMatches(condition: ConditionLike, values: JsonObject): boolean | undefined {
  const value = values[condition.field]
  if (condition.operator === 'eq') return value === condition.value
  if (condition.operator === 'neq') return value !== condition.value
  if (condition.operator === 'in' && Array.isArray(condition.value)) return condition.value.includes(value)
  return undefined
}

/** True unless `show_if` hides the item: a condition that says nothing leaves it visible. */
export function isItemVisible(item: { readonly show_if?: ConditionLike }, values: JsonObject): boolean {
  return item.show_if === undefined || conditionMatches(item.show_if, values) !== false
}
