/** What handlers and grants need to know about a run, taken from the event and the operator's settings. */
import type { DeliveryScope } from '../delivery/types.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { RunFacts } from '../gateway/types.ts'
import type { Processor } from './types.ts'

export function factsOf(envelope: EventEnvelope, processor: Processor, conversationKey: string | null): RunFacts {
  const { conversation, debug } = envelope
  const requestId: unknown = Reflect.get(envelope.data, 'request_id')
  return {
    processor_id: processor.processor_id,
    processor_kind: processor.kind,
    event_id: envelope.event_id,
    event_type: envelope.event_type,
    bot_uuid: envelope.bot_uuid,
    conversation_id: conversation?.conversation_id ?? null,
    conversation_key: conversationKey,
    thread_id: conversation?.thread_id ?? null,
    reply_target: envelope.reply_target,
    message_id: envelope.message_id,
    request_id: typeof requestId === 'string' || typeof requestId === 'number' ? String(requestId) || null : null,
    actor: envelope.actor,
    subject: envelope.subject,
    prompt: processor.options.prompt ?? [],
    simulate: debug,
  }
}

/** Where an answer of the run belongs; null when the event has nowhere to answer to. */
export function deliveryScope(
  facts: RunFacts,
  run: { readonly run_id: string; readonly workspace_uuid: string },
): DeliveryScope | null {
  const { bot_uuid, reply_target, simulate } = facts
  // A debug run may have no bot at all: its answers reach nobody.
  if (reply_target === null || (bot_uuid === null && simulate === null)) return null
  return {
    workspace_uuid: run.workspace_uuid,
    bot_uuid: bot_uuid ?? '',
    target: reply_target,
    run_id: run.run_id,
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
