/** The room storage/: state of Runners, and binary storage of plugins and workspaces. */
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { createBinaryStore, pluginOwner } from './binary.ts'
import { requirePlace, storageHandlers } from './methods.ts'
import { createStateStore } from './state.ts'
import { dropOwner } from './statements.ts'
import type { Storage } from './types.ts'

export interface StorageOptions {
  readonly store: Store
  readonly clock: Clock
}

export function createStorage({ store, clock }: StorageOptions): Storage {
  const state = createStateStore(store, clock)
  return {
    snapshot: state.snapshot,

    stateUpdate(object, { scope, key, value }) {
      const place = requirePlace(object, scope)
      // A full scope refuses the unit, so that the result is recorded as rejected and not as done.
      return { ...state.put(object, place, key, value), expect: 1 }
    },

    forgetPlugin: (installationUuid) => dropOwner({ owner_key: pluginOwner(installationUuid) }),

    handlers: storageHandlers(state, createBinaryStore(store, clock)),
  }
}
