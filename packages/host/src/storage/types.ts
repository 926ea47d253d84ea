/** storage/ owns state and binary_storage. */
import type { JsonObject } from '@runbound/protocol'

export interface StateObject {
  readonly workspace_uuid: string
  readonly processor_id: string
  readonly bot_uuid: string | null
  readonly conversation_key: string | null
  readonly actor: { readonly actor_type: string; readonly actor_id: string } | null
  readonly subject: { readonly subject_type: string; readonly subject_id: string } | null
  readonly debug: boolean
}

export interface Storage {
  /** Snapshot of all scopes for `ctx.state`, bounded in bytes. */
  snapshot(object: StateObject, scopes: readonly string[]): Promise<{ readonly conversation: JsonObject; readonly actor: JsonObject; readonly subject: JsonObject; readonly runner: JsonObject }>
}
