/** Carries out granted platform tools: by name with arguments, or as the `call_platform_api` that amounts to one. */
import {
  effectOfPlatformApi,
  type Json,
  type JsonObject,
  type MessageChain,
  platformTool,
  WireError,
} from '@runbound/protocol'
import type { Call, GrantedTool, Invocation } from '../gateway/types.ts'
import { checkParameters } from './parameters.ts'
import { eventScope, readChain, readTarget, send, targetScope } from './sending.ts'
import { simulated } from './simulate.ts'
import type { ToolNeeds } from './types.ts'

/** A tool by name; `args` have passed the tool's schema. */
export async function callPlatformTool(
  needs: ToolNeeds,
  call: Call<'run'>,
  tool: GrantedTool,
  args: JsonObject,
): Promise<Json> {
  if (tool.api !== 'send_message') return callApi(needs, call, tool, { ...args, ...tool.fixed })
  const chain: MessageChain = [{ type: 'Plain', text: String(args.text) }]
  return say(needs, call, tool, { ...args, ...tool.fixed }, chain, false)
}

export interface RunPlatformCall {
  readonly bot_uuid: string | null
  readonly action: string
  readonly params: JsonObject
  readonly context_tool: string | null
  readonly file_ids: readonly string[] | null
}

/** The raw form in a run. The gateway has asked the grant; which tool that was is asked again, for its targets. */
export async function callPlatformInRun(needs: ToolNeeds, call: Call<'run'>, given: RunPlatformCall): Promise<Json> {
  const tool = call.invocation.grant.platformTool(given)
  if ('reason' in tool) throw new WireError(tool.reason, tool.message, { details: { ...tool.details } })
  if (given.file_ids !== null) {
    throw new WireError('not_available', 'Sending files of a box is not available in this version of Runbound.')
  }
  const { params } = given
  if (tool.api === 'send_message') {
    const chain = readChain(params.message, 'params.message')
    return say(needs, call, tool, params, chain, quoteOf(call, given))
  }
  const own: Record<string, Json | undefined> = { ...params }
  for (const name of Object.keys(tool.fixed ?? {})) delete own[name]
  return callApi(needs, call, tool, { ...checkParameters(tool.name, tool.parameters, own), ...tool.fixed })
}

/** Quoting is for answers to a message only. */
function quoteOf({ invocation }: Call<'run'>, { params, context_tool }: RunPlatformCall): boolean {
  const { quote_origin } = params
  if (quote_origin === undefined || quote_origin === null || quote_origin === false) return false
  if (quote_origin !== true) throw new WireError('invalid_params', '"params.quote_origin": expected true or false.')
  if (context_tool !== 'event_reply' || invocation.facts.message_id === null) {
    throw new WireError('invalid_params', '"params.quote_origin": this event has no message to quote.')
  }
  return true
}

/** A message of a run, to the event's own target or to the one that the caller named. */
async function say(
  needs: ToolNeeds,
  call: Call<'run'>,
  tool: GrantedTool,
  params: JsonObject,
  chain: MessageChain,
  quote: boolean,
): Promise<JsonObject> {
  const { invocation } = call
  const toEvent = platformTool(tool.name)?.scope === 'event'
  const scope = toEvent ? eventScope(invocation) : freeScope(needs, invocation, params)
  const { simulate } = invocation.facts
  if (simulate === null) return send(needs, call, scope, chain, quote)
  const sample = simulated(tool, params, invocation.facts, simulate)
  // Simulated answers stand in the history of the debug conversation; those to other targets in nobody's.
  const conversation_key = toEvent ? scope.conversation_key : null
  const sent = await send(needs, call, { ...scope, conversation_key, debug: true }, chain, quote)
  return { ...sample, ...sent }
}

function freeScope(needs: ToolNeeds, invocation: Invocation, params: JsonObject) {
  const { workspace_uuid, facts } = invocation
  return targetScope(needs, { workspace_uuid, bot_uuid: facts.bot_uuid ?? '', target: readTarget(params) }, invocation)
}

async function callApi(needs: ToolNeeds, call: Call<'run'>, tool: GrantedTool, params: JsonObject): Promise<Json> {
  const { facts } = call.invocation
  const { api = tool.name } = tool
  if (facts.simulate !== null) {
    if (tool.effect !== 'none') await call.intend()
    return simulated(tool, params, facts, facts.simulate)
  }
  if (facts.bot_uuid === null) throw new WireError('not_available', 'The event came through no bot.')
  if (tool.effect !== 'none') await call.intend()
  return needs.platforms.api(facts.bot_uuid, api, params, call.signal)
}

/** A platform call outside runs: the installation's grant has allowed the action, on any bot of its workspace. */
export async function callPlatformOutside(
  needs: ToolNeeds,
  call: Call<'installation'>,
  given: { readonly bot_uuid: string; readonly action: string; readonly params: JsonObject },
): Promise<Json> {
  const { bot_uuid, action, params } = given
  if (action === 'send_message')
    return sendOutside(needs, call, bot_uuid, params, readChain(params.message, 'params.message'))
  await requireBot(needs, call, bot_uuid)
  if (effectOfPlatformApi(action) !== 'none') await call.intend()
  return needs.platforms.api(bot_uuid, action, params, call.signal)
}

export async function sendOutside(
  needs: ToolNeeds,
  call: Call<'installation'>,
  bot_uuid: string,
  params: JsonObject,
  chain: MessageChain,
): Promise<JsonObject> {
  const target = readTarget(params)
  await requireBot(needs, call, bot_uuid)
  if (needs.platforms.capabilities(bot_uuid)?.send === false) {
    throw new WireError(
      'not_supported',
      `The platform of the bot ${bot_uuid} can only answer; it can't send by itself.`,
    )
  }
  const { workspace_uuid } = call.caller
  return send(needs, call, targetScope(needs, { workspace_uuid, bot_uuid, target }, undefined), chain)
}

async function requireBot(needs: ToolNeeds, { caller }: Call<'installation'>, botUuid: string): Promise<void> {
  const bot = await needs.platforms.bot(botUuid)
  if (bot !== undefined && bot.workspace_uuid === caller.workspace_uuid) return
  throw new WireError('not_found', `There is no bot ${botUuid} in this workspace. See get_bots.`)
}
