/** Secrets among the settings of Runners and plugins, as the database keeps them: sealed under one key, beside the plain ones. */
import type { Json, JsonObject } from '@runbound/protocol'
import { HostError } from './errors.ts'
import type { Identity } from './identity/types.ts'
import type { DeclaredSetting } from './secret-values.ts'

/** Seals and opens; bound to this instance's key. */
export type Secrets = Pick<Identity, 'seal' | 'open'>

/** Where sealed texts stand in a stored object, by the name of their setting. */
const SEALED = '$sealed'

/** What was stored, opened. */
export interface Opened {
  readonly values: JsonObject
  /** Sealed texts that this instance's key does not open, by name; they are not among the values. */
  readonly unreadable: Readonly<Record<string, string>>
}

/** Names of the settings that are secrets. */
export function secretNames(schema: readonly DeclaredSetting[]): ReadonlySet<string> {
  return new Set(schema.filter(({ type }) => type === 'secret').map(({ name }) => name))
}

/**
 * The form for the database. `place` binds each secret to where it belongs: a sealed text that was moved does not open.
 * `kept`: sealed texts that could not be opened and have no new value. HostError `invalid_config` for a setting with the
 * name that is taken for sealed ones.
 */
export function sealValues(
  values: JsonObject,
  names: ReadonlySet<string>,
  place: string,
  secrets: Secrets,
  kept: Readonly<Record<string, string>> = {},
): JsonObject {
  if (Object.hasOwn(values, SEALED))
    throw new HostError('invalid_config', `A setting can't be called "${SEALED}".`, { at: SEALED })
  const plain: Record<string, Json> = {}
  const sealed: Record<string, string> = {}
  for (const [name, text] of Object.entries(kept)) if (!Object.hasOwn(values, name)) sealed[name] = text
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue
    if (names.has(name) && typeof value === 'string' && value !== '')
      sealed[name] = secrets.seal(value, `${place}/${name}`)
    else plain[name] = value
  }
  return Object.keys(sealed).length === 0 ? plain : { ...plain, [SEALED]: sealed }
}

/** The plain form. What was written before secrets were sealed is read as it is, and is sealed when it is saved again. */
export function openValues(stored: JsonObject, place: string, secrets: Secrets): Opened {
  const { [SEALED]: sealed, ...plain } = stored
  const values: Record<string, Json> = {}
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) values[name] = value
  const unreadable: Record<string, string> = {}
  if (typeof sealed !== 'object' || sealed === null || Array.isArray(sealed)) return { values, unreadable }
  for (const [name, text] of Object.entries(sealed)) {
    if (typeof text !== 'string') continue
    try {
      values[name] = secrets.open(text, `${place}/${name}`)
    } catch (error) {
      if (!HostError.is(error)) throw error
      unreadable[name] = text
    }
  }
  return { values, unreadable }
}
