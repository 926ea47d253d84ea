/** Tools of a run: listing from the grant, calling through the host. */
import type { JsonObject } from '@runbound/protocol'
import { PERMISSIONS } from '@runbound/protocol'
import type { CanDescribeTools } from '../../context/host.ts'
import type { CanCallTools, CanListTools } from '../../context/tools.ts'
import { assertJson } from '../calls/json.ts'
import { dataOf } from '../calls/wire.ts'
import { allows } from './grants.ts'
import type { RunParts } from './parts.ts'
import { asObject } from './trace.ts'

/** Makes the tool methods. */
export function toolsOf({ context, life, calls, traced }: RunParts): CanListTools & CanCallTools & CanDescribeTools {
  return {
    async getAvailableTools() {
      life.check('getAvailableTools')
      const callable = context.resources.tools.filter((tool) => allows(tool, 'call'))
      return structuredClone(callable).map((tool) => ({
        name: tool.tool_name,
        description: tool.description,
        parameters: tool.parameters,
        type: tool.tool_type,
        // An empty list means all operations on the wire; here it says so.
        operations: tool.operations.length === 0 ? [...PERMISSIONS.tools] : tool.operations,
      }))
    },

    async callTool(tool_name, given) {
      life.check('callTool')
      const parameters: JsonObject = given ?? {}
      assertJson(parameters, `parameters of ${tool_name}`)
      return traced(tool_name, parameters, async () =>
        asObject((await calls.run('call_tool', { tool_name, parameters })).result),
      )
    },

    async getToolDetail(tool_name) {
      life.check('getToolDetail')
      return dataOf((await calls.run('get_tool_detail', { tool_name })).tool)
    },
  }
}
