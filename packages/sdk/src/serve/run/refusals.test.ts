/** What the SDK refuses before anything is sent, what it leaves to the host, and how that reaches the author (entities.md §5.1). */
import { PLUGIN_CALL_WAITS, WireError } from '@runbound/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, type FakeHost, fakeHost, flags, granted } from '../../fake-host.ts'
import {
  AgentAPIException,
  defineRunner,
  type FullRunnerContext,
  type Json,
  type JsonObject,
  PermissionDeniedError,
  SdkError,
} from '../../index.ts'

let host: FakeHost | undefined
afterEach(async () => {
  await host?.close()
  host = undefined
})

/** Gives what a call throws inside a run. */
async function thrown(
  call: (ctx: FullRunnerContext) => unknown,
  context: JsonObject = {},
  answers: Readonly<Record<string, Answer>> = {},
): Promise<unknown> {
  let error: unknown
  const runner = defineRunner({
    name: 'r',
    usages: ['agent'],
    async run(ctx) {
      try {
        await call(ctx as FullRunnerContext)
      } catch (caught) {
        error = caught
      }
    },
  })
  host = await fakeHost(runner, { answers })
  await host.run(context)
  return error
}

const nothing = {
  available_apis: flags(
    'reply_stream',
    'prompt_get',
    'history_page',
    'history_search',
    'event_get',
    'event_page',
    'state',
    'steering_pull',
    'run_get',
    'run_list',
    'run_events_page',
    'run_cancel',
    'run_append_result',
    'run_finalize',
  ),
}
const ask = [{ role: 'user', content: 'hi' }]

/** A host that grants nothing: what it says to every call. */
const SENTENCE = 'It is not granted to this run: the operator switched it off.'
const refusing: Readonly<Record<string, Answer>> = Object.fromEntries(
  Object.keys(PLUGIN_CALL_WAITS)
    .filter((action) => action !== 'register_plugin')
    .map((action) => [
      action,
      () => {
        throw new WireError('permission_denied', SENTENCE)
      },
    ]),
)

/** The call was sent, the host refused it, and the author hears its sentence with the code of a missing grant. */
function expectDenied(error: unknown): void {
  expect(error).toMatchObject({ name: 'PermissionDeniedError', code: 'permission_denied', message: SENTENCE })
  expect(PermissionDeniedError.isInstance(error)).toBe(true)
  expect(AgentAPIException.isInstance(error)).toBe(false)
  expect(host?.asked.length).toBeGreaterThan(0)
}

describe('not granted: the host is asked, and its refusal is a PermissionDeniedError', () => {
  const flagged: Record<string, (ctx: FullRunnerContext) => unknown> = {
    reply_stream: (ctx) => ctx.replyStream(() => {}),
    prompt_get: (ctx) => ctx.getPrompt(),
    history_page: (ctx) => ctx.historyPage(),
    history_search: (ctx) => ctx.api.historySearch('x'),
    event_get: (ctx) => ctx.eventGet('e'),
    event_page: (ctx) => ctx.eventPage(),
    state: (ctx) => ctx.stateGet('runner', 'k'),
    steering_pull: (ctx) => ctx.steeringPull(),
    run_get: (ctx) => ctx.runGet(),
    run_list: (ctx) => ctx.runList(),
    run_events_page: (ctx) => ctx.runEventsPage(),
    run_cancel: (ctx) => ctx.runCancel(),
    run_append_result: (ctx) =>
      ctx.runAppendResult({
        run_id: 'run-1',
        type: 'processor.log',
        data: {},
        usage: null,
        sequence: 1,
        timestamp: null,
      }),
    run_finalize: (ctx) => ctx.runFinalize(),
  }
  test.each(Object.entries(flagged))('the flag %s is false', async (_flag, call) => {
    expectDenied(await thrown(call, { context: nothing }, refusing))
  })

  const ungranted: [string, (ctx: FullRunnerContext) => unknown][] = [
    ["Tool 'event_reply'", (ctx) => ctx.reply('x')],
    ["Tool 'event_reply'", (ctx) => ctx.replyStream(() => {})],
    ["Tool 'event_reply'", (ctx) => ctx.replyFiles(['f'])],
    ["Tool 'look'", (ctx) => ctx.api.callTool('look')],
    ["Tool 'look'", (ctx) => ctx.host.getToolDetail('look')],
    ["Model 'llm-1'", (ctx) => ctx.api.invokeLlm('llm-1', ask)],
    ["Model 'llm-1'", async (ctx) => Array.fromAsync(ctx.host.invokeLlmStream('llm-1', ask))],
    ["Model 'llm-1'", (ctx) => ctx.api.countTokens('llm-1', ask)],
    ["Model 'llm-1'", (ctx) => ctx.api.invokeRerank('llm-1', 'q', [])],
    ["Model 'llm-1'", (ctx) => ctx.api.invokeEmbedding('llm-1', [])],
    ["Knowledge base 'kb-1'", (ctx) => ctx.host.retrieveKnowledge('kb-1', 'q')],
    ['Storage of the plugin', (ctx) => ctx.api.getPluginStorageKeys()],
    ['Storage of the workspace', (ctx) => ctx.host.setWorkspaceStorage('k', new Uint8Array())],
  ]
  test.each(ungranted)('[run-api.lists-may-be-empty] a run without grants: %s', async (_what, call) => {
    expectDenied(await thrown(call, { resources: {} }, refusing))
  })

  test('an operation that the grant does not name', async () => {
    const models = [{ model_id: 'llm-1', operations: ['stream'] }]
    for (const call of [
      (ctx: FullRunnerContext) => ctx.callTool('read'),
      (ctx: FullRunnerContext) => ctx.api.getToolDetail('look'),
      (ctx: FullRunnerContext) => ctx.api.invokeLlm('llm-1', ask),
    ]) {
      expectDenied(await thrown(call, { resources: granted({ models }) }, refusing))
      await host?.close()
    }
  })

  test('what the context says is not granted works where the host lets it through', async () => {
    const answers = { call_tool: () => ({ result: { ok: true } }) }
    expect(await thrown((ctx) => ctx.reply('x'), { resources: {} }, answers)).toBeUndefined()
  })

  test('a denied call that failed for another reason keeps that reason', async () => {
    const answers = {
      call_tool: () => {
        throw new WireError('run_ended', 'The run has ended.')
      },
    }
    const error = await thrown((ctx) => ctx.reply('x'), { resources: {} }, answers)
    expect(AgentAPIException.isInstance(error) && error.error.details.reason).toBe('run_ended')
  })

  test('[run-api.lists-may-be-empty] the lists are empty and not missing', async () => {
    let lists: unknown
    await thrown(
      async (ctx) => {
        lists = [
          ctx.api.getAllowedModels(),
          ctx.api.getAllowedTools(),
          ctx.api.getAllowedKnowledgeBases(),
          await ctx.getAvailableTools(),
          ctx.resources.skills,
        ]
      },
      { resources: {} },
    )
    expect(lists).toEqual([[], [], [], [], []])
  })
})

describe('arguments that make no sense: SdkError, nothing on the wire', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const cases: [string, string, (ctx: FullRunnerContext) => unknown][] = [
    ['[runner.log.levels] a log level', 'invalid_argument', (ctx) => ctx.log('x', 'fatal' as 'info')],
    ['a log text above the limit', 'too_large', (ctx) => ctx.log('x'.repeat(65_537))],
    ['a log text that is none', 'invalid_argument', (ctx) => ctx.log(5 as unknown as string)],
    ['[runner.state.scopes] a state scope', 'invalid_argument', (ctx) => ctx.stateGet('room' as 'runner', 'k')],
    ['an empty state key', 'invalid_argument', (ctx) => ctx.stateSet('runner', '', 1)],
    ['a chain that is none', 'invalid_argument', (ctx) => ctx.reply({ text: 'x' } as unknown as string)],
    ['an unknown component', 'invalid_argument', (ctx) => ctx.reply([{ type: 'Video' }] as unknown as string)],
    ['no file ids', 'invalid_argument', (ctx) => ctx.replyFiles([])],
    ['too many file ids', 'too_large', (ctx) => ctx.replyFiles(Array.from({ length: 101 }, String))],
    [
      'a storage value that is no bytes',
      'invalid_argument',
      (ctx) => ctx.host.setPluginStorage('k', 'text' as unknown as Uint8Array),
    ],
    ['arguments with NaN', 'not_json', (ctx) => ctx.callTool('look', { at: Number.NaN })],
    [
      'arguments of a platform call',
      'not_json',
      (ctx) => ctx.host.callPlatformApi('b', 'x', { at: new Date(0) as unknown as Json }),
    ],
  ]
  test.each(cases)('%s: %s', async (_what, code, call) => {
    const error = await thrown(call)
    expect(SdkError.isInstance(error) && error.code).toBe(code)
    expect(host?.asked).toEqual([])
  })

  const values: [string, unknown][] = [
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a cycle', cyclic],
    ['undefined in a list', [undefined]],
    ['a function deep inside', { a: [{ b: () => 1 }] }],
  ]
  test.each(values)('[runner.state.json-values] stateSet refuses %s', async (_what, value) => {
    const error = await thrown((ctx) => ctx.stateSet('runner', 'k', value as Json))
    expect(SdkError.isInstance(error) && error.code).toBe('not_json')
    expect(host?.asked).toEqual([])
  })

  const kept: [string, Json][] = [
    ['null', null],
    ['0', 0],
    ['text', 'x'],
    ['a list', []],
    ['nested objects', { a: [null, { b: 1.5, c: true }] }],
    ['a whole number beyond 2^53', 2n ** 70n],
  ]
  test.each(kept)('[runner.state.json-values] stateSet sends %s unchanged', async (_what, value) => {
    const answers = { state_set: () => ({ success: true }) }
    expect(await thrown((ctx) => ctx.stateSet('runner', 'k', value), {}, answers)).toBeUndefined()
    expect(host?.asked[0]?.data.value).toEqual(value)
  })

  test('undefined properties count as absent', async () => {
    await thrown(
      (ctx) => ctx.stateSet('runner', 'k', { a: 1, b: undefined }),
      {},
      { state_set: () => ({ success: true }) },
    )
    expect(host?.asked[0]?.data.value).toEqual({ a: 1 })
  })
})

describe('failures of the host', () => {
  test('[errors.agent-api-exception] [errors.agent-api-exception.fields] a structured refusal: the four fields, and the run goes on', async () => {
    const error = await thrown(
      (ctx) => ctx.stateGet('runner', 'k'),
      {},
      {
        state_get: () => {
          throw new WireError('permission_denied', 'The scope runner is not enabled.')
        },
      },
    )
    const fields = {
      code: 'host.action_error',
      message: 'The scope runner is not enabled.',
      retryable: false,
      details: { reason: 'permission_denied' },
    }
    expect(AgentAPIException.isInstance(error) && error.error).toEqual(fields)
    expect(error).toMatchObject(fields)
  })

  test('a refusal without structure: host.action_error with the action', async () => {
    const error = await thrown(
      (ctx) => ctx.runGet(),
      {},
      {
        run_get: () => {
          throw new TypeError('no')
        },
      },
    )
    expect(AgentAPIException.isInstance(error) && error.error).toMatchObject({
      code: 'host.action_error',
      retryable: false,
      details: { action: 'run_get' },
    })
  })

  test('an answer that takes too long: deadline_exceeded', async () => {
    const error = await thrown(
      (ctx) => ctx.api.invokeLlm('llm-1', ask, { timeout: 0.05 }),
      {},
      { invoke_llm: () => new Promise<never>(() => {}) },
    )
    expect(AgentAPIException.isInstance(error) && error.error).toMatchObject({
      code: 'deadline_exceeded',
      retryable: true,
      details: { action: 'invoke_llm' },
    })
  })

  test('an answer without its key: host.malformed_response', async () => {
    const error = await thrown((ctx) => ctx.api.invokeLlm('llm-1', ask), {}, { invoke_llm: () => ({}) })
    expect(AgentAPIException.isInstance(error) && error.error).toMatchObject({
      code: 'host.malformed_response',
      details: { action: 'invoke_llm', missing_key: 'message' },
    })
  })

  test('[runner.get-bot-uuid.no-bot] no bot', async () => {
    const event = { event_id: 'e', event_type: 'message.received', source: 'api', data: {} }
    const error = await thrown((ctx) => ctx.getBotUuid(), { conversation: null, event })
    expect(SdkError.isInstance(error) && error.code).toBe('no_bot')
  })
})
