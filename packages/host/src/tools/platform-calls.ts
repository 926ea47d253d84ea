/** Platform tools and platform calls: replies and sends through delivery, everything else through the bot's adapter. */
import { effectOfPlatformApi, type Json, type JsonObject, type MessageChain, WireError } from '@runbound/protocol'
import { MessageChainSchema } from '@runbound/protocol/schemas'
import type { Delivery, DeliveryResult, DeliveryScope } from '../delivery/types.ts'
import type { Call, GrantedTool, Invocation } from '../gateway/types.ts'
import type { Platforms } from '../platforms/types.ts'
import { simulated } from './simulate.ts'

export interface PlatformCallNeeds {
  readonly delivery: Pick<Delivery, 'reply' | 'stream'>
  readonly platforms: Pick<Platforms, 'api'>
  /** Where an answer of the run belongs; null: the event has nowhere to answer to. */
  replyScope(invocation: Invocation): DeliveryScope | null
}

export interface Message {
  readonly chain: MessageChain
  readonly quote_origin: boolean
}

/** Throws `no_reply_target` for an event that can't be answered. */
export function needScope(needs: PlatformCallNeeds, invocation: Invocation): DeliveryScope {
  const scope = needs.replyScope(invocation)
  if (scope === null)
    throw new WireError(
      'no_reply_target',
      'This event has nowhere to reply to: it belongs to no chat that the bot can write to.',
    )
  return scope
}

/** `event_reply`, in whichever shape: to where the event came from. */
export async function replyToEvent(needs: PlatformCallNeeds, call: Call<'run'>, message: Message): Promise<JsonObject> {
  const scope = needScope(needs, call.invocation)
  const { simulate } = call.invocation.facts
  if (message.quote_origin && scope.origin_message_id === null) {
    throw new WireError('not_supported', 'This event has no message to quote. Reply without quote_origin.')
  }
  if (simulate !== null) simulated(simulate, 'event_reply', 'send_message', {})
  const result = await needs.delivery.reply({
    scope,
    ...message,
    waitMs: call.patienceMs,
    signal: call.signal,
    commit: (statements) => call.commit(statements),
  })
  const wanted = simulate?.results?.event_reply
  return wanted === undefined ? delivered(result) : { ...delivered(result), result: wanted as Json }
}

/** A send to a free target, in a run or outside. */
export async function sendTo(
  needs: PlatformCallNeeds,
  call: Call,
  scope: DeliveryScope,
  chain: MessageChain,
): Promise<JsonObject> {
  return delivered(
    await needs.delivery.reply({
      scope,
      chain,
      quote_origin: false,
      waitMs: call.patienceMs,
      signal: call.signal,
      commit: (statements) => call.commit(statements),
    }),
  )
}

/** A granted platform tool with checked arguments; what the host fixed wins over everything. */
export async function callPlatformTool(
  needs: PlatformCallNeeds,
  call: Call<'run'>,
  tool: GrantedTool,
  given: JsonObject,
): Promise<Json> {
  const { facts, workspace_uuid } = call.invocation
  const api = tool.api ?? tool.name
  if (tool.name === 'event_reply')
    return replyToEvent(needs, call, { chain: [{ type: 'Plain', text: String(given.text) }], quote_origin: false })
  const params = { ...given, ...tool.fixed }
  if (facts.simulate !== null) {
    if (tool.effect !== 'none') await call.intend()
    return simulated(facts.simulate, tool.name, api, params)
  }
  const bot_uuid = needBot(facts.bot_uuid)
  if (api === 'send_message') {
    return sendTo(needs, call, freeScope(call, { workspace_uuid, bot_uuid, ...targetOf(params) }), chainOf(params))
  }
  if (effectOfPlatformApi(api) !== 'none') await call.intend()
  return needs.platforms.api(bot_uuid, api, params, call.signal)
}

/** A scope without an event: nothing is quoted, and history of that chat is kept by its own key only when the run is in it. */
export function freeScope(
  call: Call,
  to: {
    readonly workspace_uuid: string
    readonly bot_uuid: string
    readonly target_type: 'person' | 'group'
    readonly target_id: string
  },
): DeliveryScope {
  const facts = call.invocation?.facts
  const same =
    facts?.bot_uuid === to.bot_uuid &&
    facts.reply_target?.target_type === to.target_type &&
    facts.reply_target.target_id === to.target_id
  return {
    workspace_uuid: to.workspace_uuid,
    bot_uuid: to.bot_uuid,
    target: { target_type: to.target_type, target_id: to.target_id },
    run_id: call.invocation?.run_id ?? null,
    event_id: facts?.event_id ?? null,
    processor_id: facts?.processor_id ?? null,
    conversation_id: same ? facts.conversation_id : `${to.target_type}_${to.target_id}`,
    conversation_key: same ? facts.conversation_key : null,
    thread_id: null,
    origin_message_id: null,
    message_event: false,
    debug: false,
  }
}

/** `params` of a send: a chain under `message`, or a `text`. Throws `invalid_params`. */
export function chainOf(params: JsonObject): MessageChain {
  if (typeof params.text === 'string' && params.message === undefined) return [{ type: 'Plain', text: params.text }]
  const chain = MessageChainSchema.safeParse(params.message)
  if (!chain.success)
    throw new WireError(
      'invalid_params',
      `params.message is no message chain: ${chain.error.issues[0]?.message ?? 'wrong shape'}.`,
      { details: { field: 'params.message' } },
    )
  return chain.data as MessageChain
}

/** `target_type` and `target_id` of a send. Throws `invalid_params`. */
export function targetOf(params: JsonObject): { readonly target_type: 'person' | 'group'; readonly target_id: string } {
  const { target_type, target_id } = params
  // Chats are `private` where targets are `person`; both words are in use.
  const type = target_type === 'private' ? 'person' : target_type
  if (type !== 'person' && type !== 'group')
    throw new WireError('invalid_params', '"target_type" must be person or group.', {
      details: { field: 'target_type' },
    })
  if (typeof target_id !== 'string' && typeof target_id !== 'number' && typeof target_id !== 'bigint') {
    throw new WireError('invalid_params', '"target_id" must be the id of a person or group.', {
      details: { field: 'target_id' },
    })
  }
  return { target_type: type, target_id: String(target_id) }
}

function needBot(bot_uuid: string | null): string {
  if (bot_uuid === null) throw new WireError('not_available', 'This run has no bot: its event came through none.')
  return bot_uuid
}

/** What the author reads of a delivery; a platform's no is an error, so that nobody takes it for sent. */
function delivered(result: DeliveryResult): JsonObject {
  const { status, delivery_id, message_id, parts, quoted } = result
  if (status === 'failed')
    throw new WireError(
      'delivery_failed',
      `The platform did not take the message: ${result.error ?? 'no cause given'}`,
      { details: { delivery_id, kind: result.reason } },
    )
  if (status === 'unknown') {
    throw new WireError(
      'delivery_unknown',
      `Nobody knows whether the platform took the message: ${result.error ?? 'no cause given'}. Do not send it again by yourself.`,
      { details: { delivery_id } },
    )
  }
  return {
    status,
    delivery_id,
    message_id,
    parts,
    ...(quoted === undefined ? {} : { quoted }),
    ...(status === 'simulated' ? { mock: true, delivery: 'simulated' } : {}),
  }
}
