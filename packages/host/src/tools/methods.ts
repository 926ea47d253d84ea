/** Handlers of tools, sending and platform calls (wire.md §5.3, §6.6). */
import { effectOfPlatformApi, type JsonObject, type MessageChain, PLATFORM_TOOLS, WireError } from '@runbound/protocol'
import { handlers } from '../gateway/handlers.ts'
import type { Call, GrantedTool, HandlerTable } from '../gateway/types.ts'
import { asObject } from './answer.ts'
import { checkArguments } from './arguments.ts'
import type { Catalogue } from './catalogue.ts'
import {
  callPlatformTool,
  chainOf,
  freeScope,
  needScope,
  type PlatformCallNeeds,
  replyToEvent,
  sendTo,
  targetOf,
} from './platform-calls.ts'
import { simulated } from './simulate.ts'
import type { ToolInfo } from './types.ts'

export function toolHandlers(needs: PlatformCallNeeds, catalogue: Catalogue): HandlerTable {
  return handlers({
    get_tool_detail: {
      run: (call, { tool_name }) => ({ tool: detail(granted(call, tool_name)) }),
      installation: (call, { tool_name }) => ({ tool: detail(known(catalogue, call, tool_name)) }),
    },
    call_tool: {
      run: async (call, { tool_name, parameters }) => {
        const tool = granted(call, tool_name)
        const args = checkArguments(tool_name, tool.parameters, parameters)
        return { result: asObject(await invoke(call, tool, args)) }
      },
      query: async (call, { tool_name, tool_parameters }) => {
        const tool = known(catalogue, call, tool_name)
        const parameters = checkArguments(tool_name, tool.parameters, tool_parameters)
        if (tool.effect !== 'none') await call.intend()
        return {
          tool_response: (await catalogue.call(tool.source, {
            name: tool_name,
            parameters,
            call,
            signal: call.signal,
          })) as never,
        }
      },
    },
    call_platform_api: {
      run: async (call, { action, params, context_tool, file_ids }) => {
        if (file_ids != null)
          throw new WireError(
            'not_available',
            'Sending exported files is not available in this version of Runbound: it has no boxes.',
          )
        if (context_tool != null) {
          const message = { chain: chainOf(params), quote_origin: params.quote_origin === true }
          return { result: await replyToEvent(needs, call, message) }
        }
        const tool = toolOf(call, action, params)
        if (action === 'send_message') return { result: await sendInRun(call, tool, params) }
        return { result: asObject(await callPlatformTool(needs, call, tool, params)) }
      },
      installation: async (call, { bot_uuid, action, params }) => {
        if (action === 'send_message')
          return { result: (await sendOutside(call, bot_uuid, targetOf(params), chainOf(params))) as never }
        if (effectOfPlatformApi(action) !== 'none') await call.intend()
        return { result: (await needs.platforms.api(bot_uuid, action, params, call.signal)) as never }
      },
    },
    send_message: {
      installation: async (call, { bot_uuid, target_type, target_id, message_chain }) => ({
        result: (await sendOutside(call, bot_uuid, { target_type, target_id }, message_chain as MessageChain)) as never,
      }),
    },
    reply_stream: {
      run: async (call, { stream_id, operation, text }) => {
        const scope = needScope(needs, call.invocation)
        const { simulate } = call.invocation.facts
        if (simulate !== null) simulated(simulate, 'event_reply', 'send_message', {})
        const result = await needs.delivery.stream({
          scope,
          stream_id,
          operation,
          text,
          waitMs: call.patienceMs,
          signal: call.signal,
          commit: (statements) => call.commit(statements),
        })
        return { result: { ...result } }
      },
    },
  })

  async function invoke(call: Call<'run'>, tool: GrantedTool, args: JsonObject) {
    if (tool.type === 'platform') return callPlatformTool(needs, call, tool, args)
    if (tool.effect !== 'none') await call.intend()
    return catalogue.call(tool.source, { name: tool.name, parameters: args, call, signal: call.signal })
  }

  /** `send_message` of a run: with the event's own target it is a reply in that chat, else it needs `platform_send_message`. */
  async function sendInRun(call: Call<'run'>, tool: GrantedTool, params: JsonObject): Promise<JsonObject> {
    const { facts, workspace_uuid } = call.invocation
    const chain = chainOf(params)
    if (tool.name === 'event_reply') return replyToEvent(needs, call, { chain, quote_origin: false })
    if (facts.simulate !== null) {
      await call.intend()
      return simulated(facts.simulate, tool.name, 'send_message', params)
    }
    if (facts.bot_uuid === null)
      throw new WireError('not_available', 'This run has no bot: its event came through none.')
    return sendTo(
      needs,
      call,
      freeScope(call, { workspace_uuid, bot_uuid: facts.bot_uuid, ...targetOf(params) }),
      chain,
    )
  }

  function sendOutside(
    call: Call<'installation'>,
    bot_uuid: string,
    target: { target_type: 'person' | 'group'; target_id: string },
    chain: MessageChain,
  ) {
    return sendTo(
      needs,
      call,
      freeScope(call, { workspace_uuid: call.caller.workspace_uuid, bot_uuid, ...target }),
      chain,
    )
  }
}

/** The tool as this run was given it. The gateway has checked that it is granted. */
function granted(call: Call<'run'>, name: string): GrantedTool {
  const tool = call.invocation.grant.granted(name)
  if (tool === undefined)
    throw new WireError('permission_denied', `Tool "${name}" is not granted to this run. See ctx.getAvailableTools().`)
  return tool
}

function toolOf(call: Call<'run'>, action: string, params: JsonObject): GrantedTool {
  const found = call.invocation.grant.platformTool({ action, params })
  if ('reason' in found) throw new WireError(found.reason, found.message)
  return found
}

function known(catalogue: Catalogue, call: Call, name: string): ToolInfo {
  const tool = catalogue.find(call.caller.workspace_uuid, name)
  if (tool !== undefined) return tool
  const hint = Object.hasOwn(PLATFORM_TOOLS, name) ? ' It is a platform tool: those exist inside runs only.' : ''
  throw new WireError('not_found', `There is no tool "${name}" in this workspace.${hint}`)
}

function detail(tool: Pick<ToolInfo, 'name' | 'description' | 'parameters'>) {
  return {
    name: tool.name,
    description: tool.description,
    human_desc: tool.description,
    parameters: tool.parameters as never,
  }
}
