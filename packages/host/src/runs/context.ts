/** Builds the RunnerContext of one run, field by field (entities.md §4.4). It is made here and trusted: no schema looks at it again. */
import type { AdapterCapabilities } from '@runbound/platform-kit'
import type { JsonObject, RunnerContext } from '@runbound/protocol'
import type { HistoryEnd } from '../conversations/types.ts'
import type { EventEnvelope } from '../events/types.ts'
import type { ComputedGrant } from '../gateway/grants/types.ts'
import type { RunFacts } from '../gateway/types.ts'
import type { StateSnapshot } from '../storage/types.ts'
import type { Processor } from './types.ts'

export interface ContextInput {
  readonly run_id: string
  readonly envelope: EventEnvelope
  readonly processor: Processor
  readonly facts: RunFacts
  readonly computed: ComputedGrant
  readonly capabilities: AdapterCapabilities | undefined
  readonly history: HistoryEnd
  readonly state: StateSnapshot
  /** Milliseconds; null: none. */
  readonly deadlineAt: number | null
  readonly attempt: number
  /** `v<major>.<minor>.<patch>`. */
  readonly version: string
  /** Of the first granted chat model, where it is known. */
  readonly contextWindow: number | null
}

export function buildContext(input: ContextInput): RunnerContext {
  const { run_id, envelope, processor, computed, deadlineAt, state } = input
  const { complete, ...scopes } = state
  return {
    run_id,
    trigger: { type: envelope.event_type, source: envelope.source, timestamp: envelope.event_time },
    event: {
      event_id: envelope.event_id,
      event_type: envelope.event_type,
      event_time: envelope.event_time,
      source: envelope.source,
      source_event_type: envelope.event_type,
      raw_ref: envelope.raw_ref === null ? null : { ref_id: envelope.raw_ref, storage_key: null },
      // Wire data already; its optional fields only lack the index that JsonObject has.
      data: envelope.data as JsonObject,
    },
    conversation: conversationOf(envelope),
    actor: envelope.actor,
    subject: envelope.subject,
    input: envelope.input,
    delivery: deliveryOf(input),
    resources: computed.resources,
    context: accessOf(input),
    state: scopes,
    runtime: {
      langbot_version: input.version,
      trace_id: run_id,
      deadline_at: deadlineAt === null ? null : deadlineAt / 1_000,
      metadata: runtimeMetadata(input, complete),
    },
    variables: {},
    config: processor.config,
    adapter: { extra: envelope.extra },
    metadata: {},
  }
}

function conversationOf(envelope: EventEnvelope): RunnerContext['conversation'] {
  const { conversation, actor, bot_uuid, workspace_uuid } = envelope
  if (conversation === null) return null
  return {
    conversation_id: conversation.conversation_id,
    thread_id: conversation.thread_id,
    launcher_type: conversation.chat_type,
    launcher_id: conversation.chat_id,
    sender_id: actor?.actor_id ?? null,
    bot_id: bot_uuid,
    workspace_id: workspace_uuid,
    session_id: null,
  }
}

/** What the surface really can do: asked from the running adapter, or from the options of a debug run. */
function deliveryOf({ envelope, processor, capabilities, computed }: ContextInput): RunnerContext['delivery'] {
  const { debug, reply_target } = envelope
  const may = computed.grant.interaction() === null
  return {
    automatic_reply: processor.options.automatic_reply === true,
    surface: debug === null ? 'platform' : 'webui',
    reply_target: reply_target === null ? null : { ...reply_target },
    supports_streaming: debug === null ? capabilities?.streaming != null : debug.streaming === true,
    supports_edit: capabilities?.edit === true,
    supports_reaction: capabilities?.reaction === true,
    max_message_size: capabilities?.limits.maxText ?? null,
    interactions: may ? interactionsOf(capabilities) : null,
    platform_capabilities: platformOf(envelope, capabilities),
  }
}

function interactionsOf(capabilities: AdapterCapabilities | undefined): RunnerContext['delivery']['interactions'] {
  const given = capabilities?.interactions ?? null
  if (given === null) return null
  // The adapter's lists are text; what the wire does not know is not told.
  type Known = NonNullable<RunnerContext['delivery']['interactions']>
  return {
    field_types: [...given.field_types] as Known['field_types'],
    action_styles: [...given.action_styles] as Known['action_styles'],
    supports_updates: given.supports_updates,
    max_fields: given.max_fields,
  }
}

function platformOf(envelope: EventEnvelope, capabilities: AdapterCapabilities | undefined): JsonObject {
  const { adapter_name, event_type, debug } = envelope
  const supported_apis = [...(capabilities?.apis ?? [])]
  if (debug === null) return { adapter: adapter_name, event_type, supported_apis }
  return { adapter: adapter_name, event_type, supported_apis, debug: true, debug_mock: true }
}

function accessOf({ facts, computed, history }: ContextInput): RunnerContext['context'] {
  return {
    conversation_id: facts.conversation_id,
    thread_id: facts.thread_id,
    latest_cursor: history.latest_cursor,
    event_seq: null,
    transcript_seq: history.transcript_seq,
    has_history_before: history.has_history_before,
    inline_policy: {
      mode: 'current_event',
      delivered_count: 0,
      source_total_count: null,
      messages_complete: false,
      reason: 'current_event_only',
    },
    available_apis: computed.available_apis,
  }
}

function runtimeMetadata(input: ContextInput, stateComplete: boolean): JsonObject {
  const { envelope, capabilities, attempt, contextWindow } = input
  return {
    component_kind: 'Runner',
    bot_id: envelope.bot_uuid,
    workspace_id: envelope.workspace_uuid,
    streaming_supported: capabilities?.streaming != null,
    model_context_window_tokens: contextWindow,
    attempt,
    ...(stateComplete ? {} : { state_complete: false }),
  }
}

/** When a run has to be over; null: never. The operator's option wins over the Runner's setting `timeout`. */
export function deadlineOf(processor: Processor, now: number, defaultSeconds: number): number | null {
  const { deadline_seconds } = processor.options
  if (deadline_seconds !== undefined) return deadline_seconds > 0 ? now + deadline_seconds * 1_000 : null
  const { timeout } = processor.config
  if (timeout === undefined) return now + defaultSeconds * 1_000
  return typeof timeout === 'number' && timeout > 0 ? now + timeout * 1_000 : null
}
