/** `result.*`: makes the results that a custom `run(ctx)` yields (entities.md §4.5). */
import type {
  ContentElementInput,
  InteractionRequestInput,
  Json,
  JsonObject,
  LLMTokenUsage,
  LogLevel,
  Message,
  MessageChunk,
  MessageChunkInput,
  MessageInput,
  ResultPayloads,
  RunnerResult,
  StateScope,
} from '@runbound/protocol'
import { INTERACTION_REQUESTED } from '@runbound/protocol'
import type { Content } from './define/handler.ts'
import { contentMessage } from './messages/as-message.ts'

type ResultKind = keyof ResultPayloads

function make<T extends ResultKind>(
  run_id: string,
  type: T,
  data: ResultPayloads[T],
  usage: LLMTokenUsage | null = null,
): RunnerResult {
  // Payloads are plain JSON by their types; the index signature of JsonObject is all that is added here.
  return { run_id, type, data: data as unknown as JsonObject, usage, sequence: null, timestamp: null }
}

const MESSAGE_DEFAULTS = {
  name: null,
  content: null,
  tool_calls: null,
  tool_call_id: null,
  resp_message_id: null,
  provider_specific_fields: null,
}
const PART_DEFAULTS = {
  text: null,
  image_url: null,
  image_base64: null,
  file_url: null,
  file_base64: null,
  file_name: null,
}

function wholeContent(content: MessageInput['content']): Message['content'] {
  if (typeof content === 'string' || content === undefined || content === null) return content ?? null
  return content.map((part: ContentElementInput) => ({ ...PART_DEFAULTS, ...part }))
}

function wholeCalls(calls: MessageInput['tool_calls']): Message['tool_calls'] {
  return calls?.map((call) => ({ ...call, provider_specific_fields: call.provider_specific_fields ?? null })) ?? null
}

/** Gives the message with every field, nulls included, as it travels. */
function wholeMessage(message: MessageInput | Content): Message {
  if (typeof message === 'string' || !('role' in message)) return contentMessage(message)
  return {
    ...MESSAGE_DEFAULTS,
    ...message,
    content: wholeContent(message.content),
    tool_calls: wholeCalls(message.tool_calls),
  }
}

function wholeChunk(chunk: MessageChunkInput | string): MessageChunk {
  const given = typeof chunk === 'string' ? { role: 'assistant', content: chunk } : chunk
  return {
    ...MESSAGE_DEFAULTS,
    all_content: null,
    is_final: false,
    msg_sequence: 0,
    ...given,
    content: wholeContent(given.content),
    tool_calls: wholeCalls(given.tool_calls),
  }
}

/** Nulls are left out of a `run.completed`, also inside its message, as documented. */
function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null))
}

/**
 * Makes the results that a custom `run(ctx)` yields; `run_id` is `ctx.run_id`. Their `sequence` is given by the host.
 * After the first `runCompleted` or `runFailed` nothing more is sent; without one the run completes by itself.
 *
 * @example
 * ```ts
 * import { defineRunner, result } from '@runbound/sdk'
 *
 * export const ask = defineRunner({
 *   name: 'ask',
 *   usages: ['agent'],
 *   capabilities: { interactions: true },
 *   permissions: { interactions: ['request'] },
 *   async *run(ctx) {
 *     yield result.interactionRequested(ctx.run_id, {
 *       interaction_id: 'sure',
 *       kind: 'confirmation',
 *       title: 'Delete everything?',
 *       actions: [{ id: 'yes', label: 'Delete', style: 'danger' }],
 *       fallback_text: 'Answer yes to delete everything.',
 *     })
 *   },
 * })
 * ```
 */
export const result = {
  /** One streamed piece of a message; a text counts as an assistant's piece. */
  messageDelta: (run_id: string, chunk: MessageChunkInput | string): RunnerResult =>
    make(run_id, 'message.delta', { chunk: wholeChunk(chunk) }),

  /** One whole message, with up to 100 exported files. A text or chain counts as an assistant's message. */
  messageCompleted: (
    run_id: string,
    message: MessageInput | Content,
    options: { readonly file_ids?: readonly string[] } = {},
  ): RunnerResult =>
    make(run_id, 'message.completed', { message: wholeMessage(message), file_ids: [...(options.file_ids ?? [])] }),

  /** A value to store, as `ctx.stateSet` does. */
  stateUpdated: (run_id: string, scope: StateScope, key: string, value: Json): RunnerResult =>
    make(run_id, 'state.updated', { scope, key, value }),

  /** An action for the host. Default: no target, no payload. */
  actionRequested: (
    run_id: string,
    action: string,
    options: { readonly target?: JsonObject | null; readonly payload?: JsonObject | null } = {},
  ): RunnerResult =>
    make(run_id, 'action.requested', { action, target: options.target ?? null, payload: options.payload ?? null }),

  /**
   * A form, confirmation or choice to show; the answer comes as an `interaction.submitted` event. Needs the capability
   * `interactions` and the permission `interactions: ['request']`.
   */
  interactionRequested: (run_id: string, request: InteractionRequestInput): RunnerResult =>
    make(run_id, 'action.requested', {
      action: INTERACTION_REQUESTED,
      target: null,
      payload: request as unknown as JsonObject,
    }),

  /** Completes the run. Default: `finish_reason` `stop`, no message, no usage. */
  runCompleted: (
    run_id: string,
    options: {
      readonly message?: MessageInput | Content | null
      readonly finish_reason?: string
      readonly usage?: LLMTokenUsage | null
    } = {},
  ): RunnerResult => {
    const { message = null, finish_reason = 'stop', usage = null } = options
    const data = message === null ? { finish_reason } : { finish_reason, message: withoutNulls(wholeMessage(message)) }
    return {
      ...make(run_id, 'run.completed', { finish_reason, message: null }, usage),
      data: data as unknown as JsonObject,
    }
  },

  /** Fails the run. Default: code `runner.error`, not retryable. */
  runFailed: (
    run_id: string,
    error: string,
    options: { readonly code?: string; readonly retryable?: boolean; readonly usage?: LLMTokenUsage | null } = {},
  ): RunnerResult =>
    make(
      run_id,
      'run.failed',
      { error, code: options.code || 'runner.error', retryable: options.retryable ?? false },
      options.usage,
    ),

  /** A line of the run's log. Default level `info`. */
  processorLog: (run_id: string, text: string, level: LogLevel = 'info'): RunnerResult =>
    make(run_id, 'processor.log', { text, level }),

  /** The start of a tool call that the Runner makes by itself; calls through `ctx` are recorded without it. */
  toolCallStarted: (
    run_id: string,
    tool_call_id: string,
    tool_name: string,
    parameters: JsonObject = {},
  ): RunnerResult => make(run_id, 'tool.call.started', { tool_call_id, tool_name, parameters }),

  /** The end of a tool call, with its result or its error. */
  toolCallCompleted: (
    run_id: string,
    tool_call_id: string,
    tool_name: string,
    outcome: { readonly result?: JsonObject | null; readonly error?: string | null },
  ): RunnerResult =>
    make(run_id, 'tool.call.completed', {
      tool_call_id,
      tool_name,
      result: outcome.result ?? null,
      error: outcome.error ?? null,
    }),
}
