/** Platform calls of a run: bound, recorded, and checked by the host against granted tools and targets. */
import type { Json, JsonObject } from '@runbound/protocol'
import type { CanCallPlatform } from '../../context/platform.ts'
import { chainArgument } from '../calls/arguments.ts'
import { assertJson } from '../calls/json.ts'
import { dataOf } from '../calls/wire.ts'
import type { RunParts } from './parts.ts'
import { asObject } from './trace.ts'

/** Makes the platform methods. */
export function runPlatformOf({ life, calls, traced }: RunParts): CanCallPlatform {
  async function call(bot_uuid: string, action: string, params: JsonObject): Promise<Json> {
    return traced(`platform_${action}`, { bot_uuid, ...params }, async () =>
      asObject((await calls.run('call_platform_api', { bot_uuid, action, params })).result),
    )
  }
  return {
    async sendMessage(bot_uuid, target_type, target_id, message_chain) {
      life.check('sendMessage')
      const message = chainArgument('sendMessage', message_chain)
      return call(bot_uuid, 'send_message', dataOf({ target_type, target_id, message }))
    },

    async callPlatformApi(bot_uuid, action, given) {
      life.check('callPlatformApi')
      const params = given ?? {}
      assertJson(params, `params of ${action}`)
      return call(bot_uuid, action, params)
    },
  }
}
