/** Builds the envelope of an event: what contexts, records and history are made from. */
import type { IncomingEvent } from '@runbound/platform-kit'
import { LIMITS, PLATFORM_EVENT_IDS, type PlatformEvent } from '@runbound/protocol'
import { type Clock, seconds } from '../clock.ts'
import { cutText } from '../conversations/cut.ts'
import { conversationKey } from '../conversations/keys.ts'
import { writeEnvelope } from './envelope-text.ts'
import { eventSummary, inputOf } from './input.ts'
import type { EventValues } from './statements.ts'
import type { BotFacts, EventEnvelope } from './types.ts'
import { actorOf, conversationOf, messageIdOf, replyTargetOf, subjectOf } from './who-where.ts'

/** Seconds; a platform time in milliseconds is told by its size, and one that is missing becomes now. */
export function eventTime(timestamp: number, clock: Clock): number {
  if (!(timestamp > 0)) return seconds(clock.now())
  return Math.floor(timestamp > 100_000_000_000 ? timestamp / 1000 : timestamp)
}

/** The envelope of a platform event; `event` has passed its schema. */
export function envelopeOfEvent(
  event: PlatformEvent,
  incoming: IncomingEvent,
  bot: BotFacts,
  event_id: string,
  clock: Clock,
): EventEnvelope {
  // An adapter that says null knows that there is nowhere to answer to.
  const target = incoming.reply_target === undefined ? replyTargetOf(event) : incoming.reply_target
  const thread = incoming.thread_id ?? target?.thread_id ?? null
  const data: PlatformEvent = { ...event, bot_uuid: bot.bot_uuid, adapter_name: event.adapter_name || bot.adapter_name }
  return {
    event_id,
    event_type: event.type,
    event_time: eventTime(event.timestamp, clock),
    source: 'platform',
    workspace_uuid: bot.workspace_uuid,
    bot_uuid: bot.bot_uuid,
    adapter_name: bot.adapter_name,
    conversation: conversationOf(target, thread),
    actor: actorOf(event),
    subject: subjectOf(event),
    reply_target: target === null ? null : { ...target, thread_id: thread },
    message_id: target?.message_id ?? messageIdOf(event),
    input: inputOf(event),
    data,
    raw_ref: incoming.raw_ref ?? messageIdOf(event),
    extra: incoming.extra ?? {},
    debug: null,
  }
}

/** The row of `events` for an envelope. */
export function eventValues(envelope: EventEnvelope, now: number): EventValues {
  const { conversation, actor, subject } = envelope
  const summary = isPlatformEvent(envelope.data) ? eventSummary(envelope.data) : (envelope.input.text ?? '')
  return {
    event_id: envelope.event_id,
    workspace_uuid: envelope.workspace_uuid,
    bot_uuid: envelope.bot_uuid,
    event_type: envelope.event_type,
    event_time: envelope.event_time,
    source: envelope.source,
    conversation_id: conversation?.conversation_id ?? null,
    conversation_key: conversationKey(envelope, 'chat'),
    thread_id: conversation?.thread_id ?? null,
    actor_type: actor?.actor_type ?? null,
    actor_id: actor?.actor_id ?? null,
    actor_name: actor?.actor_name ?? null,
    subject_type: subject?.subject_type ?? null,
    subject_id: subject?.subject_id ?? null,
    message_id: envelope.message_id,
    input_summary: cutText(summary, LIMITS.event_summary.value),
    envelope: writeEnvelope(envelope),
    raw_ref: envelope.raw_ref,
    created_at: now,
  }
}

/** True where the data of an envelope is a platform event (`interaction.submitted` has none). */
export function isPlatformEvent(data: EventEnvelope['data']): data is PlatformEvent {
  return typeof data.type === 'string' && PLATFORM_EVENT_IDS.some((id) => id === data.type)
}
