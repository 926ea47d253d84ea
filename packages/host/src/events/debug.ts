/** Made-up events, straight to one processor: what the event debugger, the cli and tests use. Nothing reaches a platform. */
import { randomUUID } from 'node:crypto'
import type { ReplyTarget } from '@runbound/platform-kit'
import type { ActorContext, AgentInput, JsonObject, PlatformEvent } from '@runbound/protocol'
import { INTERACTION_SUBMITTED, PLATFORM_EVENT_IDS } from '@runbound/protocol'
import { InteractionSubmissionSchema } from '@runbound/protocol/schemas'
import { type Clock, seconds } from '../clock.ts'
import { HostError } from '../errors.ts'
import type { Processor } from '../runs/types.ts'
import { eventTime } from './envelope.ts'
import { debugEventId } from './event-id.ts'
import { inputOf } from './input.ts'
import { fieldPath, readPlatformEvent } from './read-event.ts'
import type { DebugEvent, EventConversation, EventEnvelope } from './types.ts'
import { actorOf, conversationOf, messageIdOf, replyTargetOf, subjectOf } from './who-where.ts'

const ID_MAX = 256
const DEBUG_USER: ActorContext = { actor_type: 'user', actor_id: 'debug-user', actor_name: 'Debug user', metadata: {} }

/** Throws HostError `invalid_config` with the field: unknown type, an event that does not fit it, a name that is too long. */
export function debugEnvelope(request: DebugEvent, processor: Processor, clock: Clock): EventEnvelope {
  const { conversation_id } = request
  if (conversation_id !== undefined && (conversation_id === '' || conversation_id.length > ID_MAX)) {
    throw fault('conversation_id', `must be 1 to ${ID_MAX} characters long`)
  }
  const chat = conversation_id ?? `debug:${processor.processor_id}`
  const actor = request.actor ?? DEBUG_USER
  const shared = {
    event_id: debugEventId(processor.processor_id, clock.now()),
    event_type: request.event_type,
    source: 'webui' as const,
    workspace_uuid: processor.workspace_uuid,
    bot_uuid: request.bot_uuid ?? null,
    adapter_name: 'debug',
    extra: {},
    raw_ref: null,
    debug: request.options ?? {},
  }
  if (request.event_type === INTERACTION_SUBMITTED) {
    const target: ReplyTarget = { target_type: 'person', target_id: chat }
    return {
      ...shared,
      event_time: seconds(clock.now()),
      conversation: conversationFor(chat, target, null),
      actor,
      subject: null,
      reply_target: target,
      message_id: null,
      input: submission(request.event),
      data: asObject(request.event),
    }
  }
  const event = readDebugEvent(request, actor, chat)
  const target = replyTargetOf(event)
  return {
    ...shared,
    event_time: eventTime(event.timestamp, clock),
    conversation: conversationFor(chat, target, null),
    actor: request.actor ?? actorOf(event),
    subject: subjectOf(event),
    reply_target: target,
    message_id: messageIdOf(event),
    input: inputOf(event),
    data: event,
  }
}

/** A debug message needs no more than its text: sender, chat and message id are made up like everything else. */
function readDebugEvent(request: DebugEvent, actor: ActorContext, chat: string): PlatformEvent {
  if (!PLATFORM_EVENT_IDS.some((id) => id === request.event_type)) {
    throw fault('event_type', `"${request.event_type}" is no event id`)
  }
  const given = asObject(request.event)
  const madeUp =
    request.event_type === 'message.received'
      ? {
          message_id: `debug-${randomUUID()}`,
          chat_id: chat,
          sender: { id: actor.actor_id ?? 'debug-user', nickname: actor.actor_name ?? '' },
        }
      : {}
  const read = readPlatformEvent({ ...madeUp, adapter_name: 'debug', ...given, type: request.event_type })
  if (!read.ok) throw new HostError('invalid_config', `${read.fault}.`, { at: read.fault.split(':', 1)[0] ?? 'event' })
  return read.value
}

/** The tester's own conversation, whatever chat the event names: state and history of debug runs stay apart. */
function conversationFor(chat: string, target: ReplyTarget | null, thread: string | null): EventConversation | null {
  const conversation = conversationOf(target, thread)
  return conversation === null ? null : { ...conversation, conversation_id: chat }
}

function submission(value: object): AgentInput {
  const given = asObject(value)
  const read = InteractionSubmissionSchema.safeParse(given.interaction ?? given)
  if (!read.success) {
    const issue = read.error.issues[0]
    throw fault(fieldPath('event', issue?.path ?? []), issue?.message ?? 'is no interaction submission')
  }
  return { text: null, contents: [], attachments: [], interaction: read.data }
}

function asObject(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value))
}

function fault(at: string, message: string): HostError {
  return new HostError('invalid_config', `${at}: ${message}.`, { at })
}
