/** State of a run's scopes. */
import type { HasState } from '../../context/state.ts'
import { checkName, checkScope } from '../calls/arguments.ts'
import { assertJson } from '../calls/json.ts'
import type { RunParts } from './parts.ts'

/** Makes the state methods. */
export function stateOf({ life, calls }: RunParts): HasState {
  function check(action: string, scope: string): void {
    life.check(action)
    checkScope(scope)
  }
  return {
    async stateGet(scope, key) {
      check('stateGet', scope)
      checkName('key', key)
      return calls.run('state_get', { scope, key })
    },

    async stateSet(scope, key, value) {
      check('stateSet', scope)
      checkName('key', key)
      assertJson(value, 'value')
      return calls.run('state_set', { scope, key, value })
    },

    async stateDelete(scope, key) {
      check('stateDelete', scope)
      checkName('key', key)
      return calls.run('state_delete', { scope, key })
    },

    async stateList(scope, options = {}) {
      check('stateList', scope)
      return calls.run('state_list', { scope, prefix: options.prefix ?? null, limit: options.limit ?? 100 })
    },
  }
}
