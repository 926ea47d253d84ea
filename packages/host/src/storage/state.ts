/** State of Runners: values by scope and key, and the snapshot that a context starts with. */
import { Buffer } from 'node:buffer'
import { type Json, type JsonObject, LIMITS, STATE_SCOPES, type StateScope, WireError } from '@runbound/protocol'
import type { Statement, Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { fromText, toText } from './json.ts'
import { type ScopePlace, scopePlace } from './scope-keys.ts'
import * as sql from './statements.ts'
import type { StateObject, StateSnapshot } from './types.ts'

export interface StateStore {
  get(place: ScopePlace, key: string): Promise<Json>
  /** One statement; `changes` 0 means that the scope is full. Throws `too_large`, `invalid_params`. */
  put(object: StateObject, place: ScopePlace, key: string, value: Json): Statement
  drop(place: ScopePlace, key: string): Statement
  list(
    place: ScopePlace,
    prefix: string,
    limit: number,
  ): Promise<{ readonly keys: string[]; readonly has_more: boolean }>
  snapshot(object: StateObject, scopes: readonly string[]): Promise<StateSnapshot>
}

export function createStateStore(store: Store, clock: Clock): StateStore {
  return {
    async get(place, key) {
      const row = await store.first(sql.stateValue({ scope_key: place.scope_key, key, now: clock.now() }))
      return row === undefined ? null : fromText(row.value)
    },

    put(object, place, key, value) {
      const text = toText(value)
      const bytes = Buffer.byteLength(text)
      refuseOver(bytes, LIMITS.state_value.value, 'state_value', `The value of "${key}"`)
      return sql.putState({
        ...place,
        key,
        workspace_uuid: object.workspace_uuid,
        processor_id: object.processor_id,
        value: text,
        bytes,
        now: clock.now(),
        max_keys: LIMITS.state_keys.value,
      })
    },

    drop: (place, key) => sql.dropState({ scope_key: place.scope_key, key }),

    async list(place, prefix, limit) {
      const { scope_key } = place
      const rows = await store.all(sql.stateKeys({ scope_key, prefix, now: clock.now(), limit: limit + 1 }))
      return { keys: rows.slice(0, limit).map((row) => row.key), has_more: rows.length > limit }
    },

    async snapshot(object, scopes) {
      const places = placesOf(object, scopes)
      const values = emptySnapshot()
      if (places.length === 0) return { ...values, complete: true }
      const scope_keys = places.map((place) => place.scope_key)
      const rows = await store.all(sql.stateOf({ scope_keys, now: clock.now() }))
      let room = LIMITS.state_snapshot.value
      let complete = rows.length <= sql.SNAPSHOT_ROWS
      for (const { scope, key, value, bytes } of rows.slice(0, sql.SNAPSHOT_ROWS)) {
        if (bytes > room) {
          complete = false
          continue
        }
        room -= bytes
        values[scope][key] = fromText(value)
      }
      return { ...values, complete }
    },
  }
}

function placesOf(object: StateObject, scopes: readonly string[]): readonly ScopePlace[] {
  return STATE_SCOPES.filter((scope) => scopes.includes(scope))
    .map((scope) => scopePlace(object, scope))
    .filter((place) => place !== null)
}

type Values = Record<StateScope, Record<string, JsonObject[string]>>

function emptySnapshot(): Values {
  return { conversation: {}, actor: {}, subject: {}, runner: {} }
}

/** Throws `too_large` with the limit's name. */
export function refuseOver(size: number, limit: number, name: string, what: string): void {
  if (size <= limit) return
  throw new WireError('too_large', `${what} is ${size} bytes; at most ${limit} are kept.`, {
    details: { limit: name, allowed: limit, size },
  })
}
