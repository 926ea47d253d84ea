/** Handlers of tools, replies and platform calls, in a run, for a query and outside. */
import { type Json, type JsonObject, WireError } from '@runbound/protocol'
import { handlers } from '../gateway/handlers.ts'
import type { Call, GrantedTool, HandlerTable } from '../gateway/types.ts'
import { checkParameters } from './parameters.ts'
import { callPlatformInRun, callPlatformOutside, callPlatformTool, sendOutside } from './platform-calls.ts'
import { eventScope } from './sending.ts'
import { detailOf, type FoundTool, type ToolSources } from './sources.ts'
import type { ToolNeeds } from './types.ts'
import { wrapResult } from './wrap.ts'

export function toolHandlers(needs: ToolNeeds, sources: ToolSources): HandlerTable {
  async function callGranted(call: Call<'run'>, tool: GrantedTool, args: JsonObject): Promise<Json> {
    if (tool.type === 'platform') return callPlatformTool(needs, call, tool, args)
    const found = sources.of(call.invocation.workspace_uuid, tool.name, tool.source)
    if (found === undefined) throw new WireError('not_available', `The tool ${tool.name} is not there any more.`)
    return callSource(call, found, args)
  }

  return handlers({
    get_tool_detail: {
      run: (call, { tool_name }) => detailOf(granted(call, tool_name)),
      installation: ({ caller }, { tool_name }) => {
        const found = sources.all(caller.workspace_uuid).get(tool_name)
        if (found === undefined) throw noTool(tool_name)
        return detailOf(found.tool)
      },
    },
    call_tool: {
      run: async (call, { tool_name, parameters }) => {
        const tool = granted(call, tool_name)
        const args = checkParameters(tool.name, tool.parameters, parameters)
        return { result: wrapResult(await callGranted(call, tool, args)) }
      },
      query: async (call, { tool_name, tool_parameters }) => {
        const found = sources.all(call.caller.workspace_uuid).get(tool_name)
        if (found === undefined) throw noTool(tool_name)
        const args = checkParameters(tool_name, found.tool.parameters, tool_parameters)
        return { tool_response: await callSource(call, found, args) }
      },
    },
    call_platform_api: {
      run: async (call, { bot_uuid, action, params, context_tool, file_ids }) => ({
        result: wrapResult(await callPlatformInRun(needs, call, { bot_uuid, action, params, context_tool, file_ids })),
      }),
      installation: async (call, given) => ({ result: await callPlatformOutside(needs, call, given) }),
    },
    send_message: {
      installation: async (call, { bot_uuid, message_chain, ...target }) => ({
        result: await sendOutside(needs, call, bot_uuid, target, message_chain),
      }),
    },
    reply_stream: {
      run: async (call, { stream_id, operation, text }) => {
        const result = await needs.delivery.stream({
          scope: eventScope(call.invocation),
          stream_id,
          operation,
          text,
          signal: call.signal,
          waitMs: call.patienceMs,
          commit: (statements) => call.commit(statements),
        })
        return { result: { ...result } }
      },
    },
  })
}

/** The grant has said yes, so the tool is there. */
function granted({ invocation }: Call<'run'>, name: string): GrantedTool {
  const tool = invocation.grant.granted(name)
  if (tool === undefined) throw new TypeError(`the tool ${name} was granted and is not there`)
  return tool
}

async function callSource(
  call: Call<'run'> | Call<'query'>,
  { tool, source }: FoundTool,
  parameters: JsonObject,
): Promise<Json> {
  if (tool.effect !== 'none') await call.intend()
  try {
    return await source.call({ name: tool.name, parameters, call, signal: call.signal })
  } catch (error) {
    if (WireError.is(error)) throw error
    const text = error instanceof Error ? error.message : String(error)
    throw new WireError('tool_failed', `The tool ${tool.name} failed: ${text}`, {
      details: { tool: tool.name },
      cause: error,
    })
  }
}

function noTool(name: string): WireError {
  return new WireError('not_found', `There is no tool "${name}" in this workspace. See list_tools.`)
}
