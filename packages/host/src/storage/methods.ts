/** Handlers of `state_*` and of plugin and workspace storage, in a run and outside. */
import { LIMITS, STATE_SCOPES, type StateScope, WireError } from '@runbound/protocol'
import type { StatementResult } from '@runbound/store'
import { handlers } from '../gateway/handlers.ts'
import type { Call, Caller, HandlerTable, Invocation } from '../gateway/types.ts'
import { type BinaryStore, pluginOwner, type StorageOwner } from './binary.ts'
import { type ScopePlace, scopePlace } from './scope-keys.ts'
import type { StateStore } from './state.ts'
import type { StateObject } from './types.ts'

/** What state scopes of this run belong to. From the run, never from a payload. */
export function stateObject(invocation: Invocation): StateObject {
  const { facts, workspace_uuid } = invocation
  const { processor_id, bot_uuid, conversation_key, actor, subject, simulate } = facts
  return { workspace_uuid, processor_id, bot_uuid, conversation_key, actor, subject, debug: simulate !== null }
}

/** Throws `invalid_params` for a scope that is none, `permission_denied` when the event has no such object. */
export function requirePlace(object: StateObject, scope: string): ScopePlace {
  if (!isScope(scope)) {
    throw new WireError('invalid_params', `"scope": ${scope} is none of ${STATE_SCOPES.join(', ')}.`, {
      details: { field: 'scope' },
    })
  }
  const place = scopePlace(object, scope)
  if (place === null)
    throw new WireError('permission_denied', `This event has no ${scope}, so there is no state of it.`)
  return place
}

function isScope(scope: string): scope is StateScope {
  return (STATE_SCOPES as readonly string[]).includes(scope)
}

export function storageHandlers(state: StateStore, binary: BinaryStore): HandlerTable {
  const plugin = area(binary, (caller) => ({
    owner_key: pluginOwner(caller.installation_uuid),
    workspace_uuid: caller.workspace_uuid,
  }))
  const workspace = area(binary, ({ workspace_uuid }) => ({ owner_key: `workspace:${workspace_uuid}`, workspace_uuid }))

  return handlers({
    state_get: {
      run: async (call, { scope, key }) => ({ value: await state.get(placeOf(call, scope), key) }),
    },
    state_set: {
      run: async (call, { scope, key, value }) => {
        const object = stateObject(call.invocation)
        const results = await call.commit([state.put(object, requirePlace(object, scope), key, value)])
        if (changed(results) === 0) {
          throw full(
            'state_keys',
            `The scope ${scope} holds ${LIMITS.state_keys.value} keys already. Delete some first.`,
          )
        }
        return { success: true }
      },
    },
    state_delete: {
      run: async (call, { scope, key }) => {
        const results = await call.commit([state.drop(placeOf(call, scope), key)])
        return { success: changed(results) > 0 }
      },
    },
    state_list: {
      run: (call, { scope, prefix, limit }) => {
        const most = Math.min(Math.max(limit, 1), LIMITS.state_list.value)
        return state.list(placeOf(call, scope), prefix ?? '', most)
      },
    },

    set_plugin_storage: { run: plugin.set, installation: plugin.set },
    get_plugin_storage: { run: plugin.get, installation: plugin.get },
    get_plugin_storage_keys: { run: plugin.keys, installation: plugin.keys },
    delete_plugin_storage: { run: plugin.drop, installation: plugin.drop },
    set_workspace_storage: { run: workspace.set, installation: workspace.set },
    get_workspace_storage: { run: workspace.get, installation: workspace.get },
    get_workspace_storage_keys: { run: workspace.keys, installation: workspace.keys },
    delete_workspace_storage: { run: workspace.drop, installation: workspace.drop },
  })
}

function placeOf(call: Call<'run'>, scope: string): ScopePlace {
  return requirePlace(stateObject(call.invocation), scope)
}

/** What the four storage calls need of a call, whatever its form. */
type AnyCall = Pick<Call, 'caller' | 'commit'>

function area(binary: BinaryStore, ownerOf: (caller: Caller) => StorageOwner) {
  return {
    set: async (call: AnyCall, { key, value_base64 }: { key: string; value_base64: string }) => {
      const results = await call.commit([binary.put(ownerOf(call.caller), key, value_base64)])
      if (changed(results) === 0) {
        const { storage_keys, storage_total } = LIMITS
        throw full(
          'storage_total',
          `No room for "${key}": at most ${storage_keys.value} keys and ${storage_total.value} bytes are kept.`,
        )
      }
      return {}
    },
    get: async (call: AnyCall, { key }: { key: string }) => {
      const value_base64 = await binary.get(ownerOf(call.caller), key)
      if (value_base64 === undefined)
        throw new WireError('not_found', `There is no storage value with the key "${key}".`)
      return { value_base64 }
    },
    keys: async (call: AnyCall) => ({ keys: await binary.keys(ownerOf(call.caller)) }),
    drop: async (call: AnyCall, { key }: { key: string }) => {
      await call.commit([binary.drop(ownerOf(call.caller), key)])
      return {}
    },
  }
}

function changed(results: readonly StatementResult[]): number {
  return results[0]?.changes ?? 0
}

function full(limit: string, message: string): WireError {
  return new WireError('limit_reached', message, { details: { limit } })
}
