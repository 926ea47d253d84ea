/** Boxes of the workspace, in a run and outside (wire.md §5.3 Boxes). */
import type { HostBoxes } from '../../context/host.ts'
import { checkName } from './arguments.ts'
import type { SharedCalls } from './wire.ts'

/** Makes the box methods; `alive` refuses after the end of a run. */
export function boxesOf(calls: SharedCalls, alive: (action: string) => void): HostBoxes {
  return {
    async getBoxStatus() {
      alive('getBoxStatus')
      return calls.call('get_box_status', {})
    },
    async listBoxes() {
      alive('listBoxes')
      return (await calls.call('list_boxes', {})).items
    },
    async acquireBox(reuse_key, options = {}) {
      alive('acquireBox')
      checkName('reuse_key', reuse_key)
      return calls.call('acquire_box', { reuse_key, options: { ...options } })
    },
  }
}
