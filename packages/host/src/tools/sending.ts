/** Sending: answers to the event of a run, and messages to targets that the caller names. Always through the outbox. */
import type { ReplyTarget } from '@runbound/platform-kit'
import { type JsonObject, type MessageChain, WireError } from '@runbound/protocol'
import { MessageChainSchema } from '@runbound/protocol/schemas'
import type { DeliveryResult, DeliveryScope } from '../delivery/types.ts'
import type { Call, Invocation } from '../gateway/types.ts'
import type { ToolNeeds } from './types.ts'

/** Where an answer to the event of a run goes. Throws `no_reply_target`. */
export function eventScope({ run_id, workspace_uuid, facts }: Invocation): DeliveryScope {
  const { bot_uuid, reply_target, simulate } = facts
  // A debug run may have no bot at all: its answers reach nobody.
  if (reply_target === null || (bot_uuid === null && simulate === null)) {
    throw new WireError('no_reply_target', `The event ${facts.event_type} has nowhere to reply to.`)
  }
  return {
    workspace_uuid,
    bot_uuid: bot_uuid ?? '',
    target: reply_target,
    run_id,
    event_id: facts.event_id,
    processor_id: facts.processor_id,
    conversation_id: facts.conversation_id,
    conversation_key: facts.conversation_key,
    thread_id: facts.thread_id,
    origin_message_id: facts.message_id,
    message_event: facts.event_type === 'message.received',
    debug: simulate !== null,
  }
}

/** Where a message to a free target goes: a conversation of its own, which may be the run's. */
export function targetScope(
  needs: ToolNeeds,
  place: { readonly workspace_uuid: string; readonly bot_uuid: string; readonly target: ReplyTarget },
  invocation: Invocation | undefined,
): DeliveryScope {
  const { workspace_uuid, bot_uuid, target } = place
  return {
    workspace_uuid,
    bot_uuid,
    target,
    run_id: invocation?.run_id ?? null,
    event_id: invocation?.facts.event_id ?? null,
    processor_id: invocation?.facts.processor_id ?? null,
    conversation_id: `${target.target_type}_${target.target_id}`,
    conversation_key: needs.conversationKey(place),
    thread_id: target.thread_id ?? null,
    origin_message_id: null,
    message_event: false,
    debug: false,
  }
}

/** Sends and waits as long as the caller does. Throws `delivery_failed` or `delivery_unknown`; it is never sent twice. */
export async function send(
  needs: ToolNeeds,
  call: Call,
  scope: DeliveryScope,
  chain: MessageChain,
  quote_origin = false,
): Promise<JsonObject> {
  const result = await needs.delivery.reply({
    scope,
    chain,
    quote_origin,
    waitMs: call.patienceMs,
    signal: call.signal,
    commit: async (statements) => {
      // The rows of the outbox are the intent: they and the mark of the effect are one unit.
      await call.commit(statements)
    },
  })
  return sentResult(result)
}

function sentResult(result: DeliveryResult): JsonObject {
  const { delivery_id, reason, error } = result
  if (result.status !== 'failed' && result.status !== 'unknown') return { ...result }
  const details = { delivery_id, ...(reason === undefined ? {} : { kind: reason }) }
  if (result.status === 'failed') {
    throw new WireError(
      'delivery_failed',
      `The platform did not take the message: ${error ?? reason ?? 'no reason given'}.`,
      {
        details,
      },
    )
  }
  throw new WireError(
    'delivery_unknown',
    'Nobody knows whether the platform took the message. Do not send it again because of this error.',
    { details },
  )
}

/** A chain from a payload. Throws `invalid_params` that names the component. */
export function readChain(value: unknown, field: string): MessageChain {
  const read = MessageChainSchema.safeParse(value)
  if (read.success && read.data.length > 0) return read.data
  const issue = read.error?.issues[0]
  const at = [field, ...(issue?.path ?? [])].map(String).join('.')
  throw new WireError('invalid_params', `"${at}": ${issue?.message ?? 'the message is empty'}.`, {
    details: { field: at },
  })
}

/** A target from a payload. Throws `invalid_params`. */
export function readTarget(params: JsonObject): ReplyTarget {
  const { target_type, target_id, thread_id } = params
  if (target_type !== 'person' && target_type !== 'group') {
    throw new WireError('invalid_params', '"params.target_type": expected "person" or "group".')
  }
  if (
    (typeof target_id !== 'string' && typeof target_id !== 'number' && typeof target_id !== 'bigint') ||
    target_id === ''
  ) {
    throw new WireError('invalid_params', '"params.target_id": expected the id of a person or group.')
  }
  return { target_type, target_id: String(target_id), thread_id: typeof thread_id === 'string' ? thread_id : null }
}
