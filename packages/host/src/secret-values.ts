/** Settings of Runners and plugins as views show them: a secret only says that it is set. */
import { SECRET_IS_SET } from '@runbound/api'
import type { Json, JsonObject } from '@runbound/protocol'

/** As much of a declared setting as this needs. */
export interface DeclaredSetting {
  readonly name: string
  readonly type: string
}

/** The same settings with {@link SECRET_IS_SET} in the place of each secret that has a value. */
export function hideSecrets(schema: readonly DeclaredSetting[], values: JsonObject): JsonObject {
  const secret = secretNames(schema)
  return map(values, (name, value) => (secret.has(name) && hasValue(value) ? SECRET_IS_SET : value))
}

/** What was given, with the stored secret where the view's mark came back unchanged. */
export function keepSecrets(schema: readonly DeclaredSetting[], stored: JsonObject, given: JsonObject): JsonObject {
  const secret = secretNames(schema)
  return map(given, (name, value) => (secret.has(name) && value === SECRET_IS_SET ? (stored[name] ?? '') : value))
}

function secretNames(schema: readonly DeclaredSetting[]): ReadonlySet<string> {
  return new Set(schema.filter(({ type }) => type === 'secret').map(({ name }) => name))
}

function hasValue(value: Json): boolean {
  return value !== null && value !== ''
}

function map(values: JsonObject, change: (name: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(name, value)]])),
  )
}
