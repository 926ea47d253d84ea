/** Results as they travel: the documented payloads with all fields, nulls included where the documents show them. */
import {
  ActionRequestedPayloadSchema,
  InteractionRequestSchema,
  MessageCompletedPayloadSchema,
  MessageDeltaPayloadSchema,
  ProcessorLogPayloadSchema,
  RunFailedPayloadSchema,
  StateUpdatedPayloadSchema,
  ToolCallCompletedPayloadSchema,
  ToolCallStartedPayloadSchema,
} from '@runbound/protocol/schemas'
import { expect, test } from 'vitest'
import { type JsonObject, result } from './index.ts'

const envelope = { run_id: 'run-1', usage: null, sequence: null, timestamp: null }
const whole = {
  name: null,
  tool_calls: null,
  tool_call_id: null,
  resp_message_id: null,
  provider_specific_fields: null,
}

test('payloads are what their schemas make of them', () => {
  const cases: [{ parse(value: unknown): unknown }, { type: string; data: JsonObject }][] = [
    [MessageDeltaPayloadSchema, result.messageDelta('run-1', 'he')],
    [
      MessageDeltaPayloadSchema,
      result.messageDelta('run-1', { role: 'assistant', content: [{ type: 'text', text: 'x' }], is_final: true }),
    ],
    [MessageCompletedPayloadSchema, result.messageCompleted('run-1', 'hi', { file_ids: ['f-1'] })],
    [
      MessageCompletedPayloadSchema,
      result.messageCompleted('run-1', {
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      }),
    ],
    [ToolCallStartedPayloadSchema, result.toolCallStarted('run-1', 'c-1', 'look')],
    [ToolCallCompletedPayloadSchema, result.toolCallCompleted('run-1', 'c-1', 'look', { error: 'refused' })],
    [StateUpdatedPayloadSchema, result.stateUpdated('run-1', 'conversation', 'k', null)],
    [ActionRequestedPayloadSchema, result.actionRequested('run-1', 'custom', { payload: { x: 2 } })],
    [RunFailedPayloadSchema, result.runFailed('run-1', 'no model', { code: 'my.no_model', retryable: true })],
    [RunFailedPayloadSchema, result.runFailed('run-1', 'no model', { code: '' })],
    [ProcessorLogPayloadSchema, result.processorLog('run-1', 'step')],
  ]
  for (const [schema, made] of cases) {
    expect(made).toMatchObject(envelope)
    expect(schema.parse(made.data)).toEqual(made.data)
  }
})

test('a whole message is written with its nulls', () => {
  expect(result.messageCompleted('run-1', 'hi')).toEqual({
    ...envelope,
    type: 'message.completed',
    data: { message: { ...whole, role: 'assistant', content: 'hi' }, file_ids: [] },
  })
})

test('run.completed leaves nulls out, also inside its message, and carries usage', () => {
  expect(result.runCompleted('run-1').data).toEqual({ finish_reason: 'stop' })
  const usage = { prompt_tokens: null, completion_tokens: null, total_tokens: 5 }
  const ended = result.runCompleted('run-1', { message: 'hi', finish_reason: 'length', usage })
  expect(ended).toEqual({
    ...envelope,
    type: 'run.completed',
    usage,
    data: { finish_reason: 'length', message: { role: 'assistant', content: 'hi' } },
  })
})

test('an interaction is an action.requested with the request as its payload', () => {
  const request = { interaction_id: 'sure', title: 'Sure?', fallback_text: 'Say yes.' }
  const { type, data } = result.interactionRequested('run-1', request)
  expect([type, data.action, data.target]).toEqual(['action.requested', 'interaction.requested', null])
  expect(InteractionRequestSchema.parse(data.payload)).toMatchObject(request)
})
