import { setTimeout as sleep } from 'node:timers/promises'
import { type JsonObject, WireError } from '@runbound/protocol'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { caller, handClock, invocation, memoryLogger, request } from '../gateway/fixtures.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { Gateway } from '../gateway/types.ts'
import { keepAlive } from './keep-alive.ts'
import { createModels } from './models.ts'
import type { ModelEngine, ModelRequest, Models } from './types.ts'

const asked: ModelRequest[] = []
const message = { role: 'assistant', content: 'hi' }
const engine: ModelEngine = {
  models: (workspace) =>
    workspace !== 'w-1'
      ? []
      : [
          { model_id: 'chat-1', model_type: 'chat', provider: 'p' },
          { model_id: 'embed-1', model_type: 'embedding', provider: 'p' },
        ],
  async invoke(given) {
    asked.push(given)
    if (given.extra_args.slow === true) await sleep(60_000, undefined, { signal: given.signal })
    return { message, usage: { total_tokens: 3 } }
  },
  async *stream() {
    yield { chunk: { role: 'assistant', content: 'a' } }
    yield {}
    yield { usage: { total_tokens: 3 } }
  },
  embed: async ({ texts }) => texts.map((text) => [text.length]),
}

let gateway: Gateway
let models: Models
beforeEach(() => {
  asked.length = 0
  models = createModels()
  gateway = createGateway({
    store: { commit: async () => [] },
    clock: handClock(),
    logger: memoryLogger(),
    checkAnswers: true,
  })
  gateway.register(models.handlers)
  gateway.open(invocation('run-1', 'mine'))
})

async function call(action: string, data: JsonObject): Promise<JsonObject> {
  const answer = await gateway.handle(caller('mine'), request(action, data))
  if (Symbol.asyncIterator in answer) throw new Error('a stream was not expected')
  return answer
}
async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (WireError.is(error)) return error.reason
    throw error
  }
  return 'no error'
}
const chat = { llm_model_uuid: 'chat-1', messages: [{ role: 'user', content: 'hello' }] }

describe.each([{}, { run_id: 'run-1' }])('model calls %j', (form) => {
  test('without an engine they are not available; an unknown model is not found', async () => {
    expect(await reasonOf(call('invoke_llm', { ...form, ...chat }))).toBe('not_available')
    models.register(engine)
    expect(await reasonOf(call('invoke_llm', { ...form, ...chat, llm_model_uuid: 'embed-1' }))).toBe('not_found')
    expect(await reasonOf(call('invoke_rerank', { ...form, rerank_model_uuid: 'r', query: 'q', documents: [] }))).toBe(
      'not_found',
    )
  })

  test('they reach the engine with everything that was asked for', async () => {
    const takeAway = models.register(engine)
    expect(await call('invoke_llm', { ...form, ...chat, reasoning_level: 'low' })).toMatchObject({
      message,
      usage: { total_tokens: 3 },
    })
    expect(asked).toMatchObject([
      { model_id: 'chat-1', messages: [{ role: 'user', content: 'hello' }], reasoning_level: 'low', funcs: [] },
    ])
    expect(await call('invoke_embedding', { ...form, embedding_model_uuid: 'embed-1', texts: ['ab', 'c'] })).toEqual({
      vectors: [[2], [1]],
    })
    takeAway()
    expect(await reasonOf(call('invoke_llm', { ...form, ...chat }))).toBe('not_available')
  })

  test('a slow model ends with the caller’s patience', async () => {
    models.register(engine)
    expect(await reasonOf(call('invoke_llm', { ...form, ...chat, extra_args: { slow: true }, timeout: 0.01 }))).toBe(
      'deadline',
    )
  })

  test('a stream passes frames and leaves empty ones out', async () => {
    models.register(engine)
    const answer = gateway.handle(caller('mine'), request('invoke_llm_stream', { ...form, ...chat }))
    const frames: JsonObject[] = []
    if (Symbol.asyncIterator in answer) for await (const frame of answer) frames.push(frame)
    expect(frames).toEqual([{ chunk: { role: 'assistant', content: 'a' } }, { usage: { total_tokens: 3 } }])
  })
})

test('models are listed by id; an engine without a way to count says so', async () => {
  models.register(engine)
  expect(await call('get_llm_models', {})).toEqual({ llm_models: ['chat-1'] })
  expect(await reasonOf(call('count_tokens', { run_id: 'run-1', ...chat }))).toBe('not_available')
})

test('a silent stream is kept alive with frames that carry nothing', async () => {
  vi.useFakeTimers()
  try {
    const frames = keepAlive(
      (async function* () {
        await new Promise((resolve) => setTimeout(resolve, 12_000))
        yield { chunk: 1 }
      })(),
      5_000,
    )
    const seen: JsonObject[] = []
    const reading = (async () => {
      for await (const frame of frames) seen.push(frame)
    })()
    await vi.advanceTimersByTimeAsync(20_000)
    await reading
    expect(seen).toEqual([{ usage: null }, { usage: null }, { chunk: 1 }])
  } finally {
    vi.useRealTimers()
  }
})
