/** storage/ owns state and binary_storage. */
import type { Json, JsonObject } from '@runbound/protocol'
import type { Statement } from '@runbound/store'
import type { HandlerTable } from '../gateway/types.ts'

export interface StateObject {
  readonly workspace_uuid: string
  readonly processor_id: string
  readonly bot_uuid: string | null
  readonly conversation_key: string | null
  readonly actor: { readonly actor_type: string; readonly actor_id: string | null } | null
  readonly subject: { readonly subject_type: string; readonly subject_id: string | null } | null
  readonly debug: boolean
}

/** Values by scope and key. `complete` false: some were left out for their size and are read with `state_get`. */
export interface StateSnapshot {
  readonly conversation: JsonObject
  readonly actor: JsonObject
  readonly subject: JsonObject
  readonly runner: JsonObject
  readonly complete: boolean
}

export interface Storage {
  /** Snapshot of the given scopes for `ctx.state`, bounded in bytes (LIMITS.state_snapshot). */
  snapshot(object: StateObject, scopes: readonly string[]): Promise<StateSnapshot>
  /**
   * The write behind a `state.updated` result, for runs' unit. Throws WireError `too_large`, `invalid_params`,
   * `permission_denied` (the event has no such object).
   */
  stateUpdate(
    object: StateObject,
    update: { readonly scope: string; readonly key: string; readonly value: Json },
  ): Statement
  /** Deletes everything in the storage of a plugin: for plugins' unit, when it is removed with its data. */
  forgetPlugin(installationUuid: string): Statement
  /** Handlers of `state_*` and of plugin and workspace storage. */
  readonly handlers: HandlerTable
}
