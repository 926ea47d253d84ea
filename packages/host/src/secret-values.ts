/** Settings of Runners and plugins as views show them: a secret only says that it is set. */
import { SECRET_IS_SET } from '@runbound/api'
import type { Json, JsonObject } from '@runbound/protocol'
import { HostError } from './errors.ts'
import { secretNames } from './sealed-values.ts'

/** As much of a declared setting as this needs. */
export interface DeclaredSetting {
  readonly name: string
  readonly type: string
  readonly default?: Json | undefined
}

/** The same settings with {@link SECRET_IS_SET} in the place of each secret that has a value. */
export function hideSecrets(schema: readonly DeclaredSetting[], values: JsonObject): JsonObject {
  const secret = secretNames(schema)
  return map(values, (name, value) => (secret.has(name) && hasValue(value) ? SECRET_IS_SET : value))
}

/**
 * What was given, with the stored secret where the view's mark came back unchanged. HostError `invalid_config` at
 * `config.<name>` where nothing is stored that the mark could stand for.
 */
export function keepSecrets(schema: readonly DeclaredSetting[], stored: JsonObject, given: JsonObject): JsonObject {
  const secret = secretNames(schema)
  return map(given, (name, value) => {
    if (!secret.has(name) || value !== SECRET_IS_SET) return value
    const kept = stored[name] ?? schema.find((item) => item.name === name)?.default
    if (kept !== undefined && hasValue(kept)) return kept
    throw new HostError(
      'invalid_config',
      `The secret "${name}" has no stored value here: give it. What was stored for one Runner is not handed to another.`,
      { at: `config.${name}` },
    )
  })
}

function hasValue(value: Json): boolean {
  return value !== null && value !== ''
}

function map(values: JsonObject, change: (name: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, change(name, value)]])),
  )
}
