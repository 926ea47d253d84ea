/** How a run starts, what it gives back, and everything that ends it (wire.md §6). */
import { WireError } from '@runbound/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { contextOf, type FakeHost, fakeHost } from '../../fake-host.ts'
import { AgentAPIException, defineRunner, type FullRunnerContext, result } from '../../index.ts'

let host: FakeHost | undefined
afterEach(async () => {
  await host?.close()
  host = undefined
})

const agent = { name: 'r', usages: ['agent'] } as const
const completed = { finish_reason: 'stop' }
const text = (content: string) => ({
  type: 'message.completed',
  data: { message: { role: 'assistant', content }, file_ids: [] },
})

describe('what a handler gives back', () => {
  const shapes = {
    value: defineRunner({ ...agent, run: () => 'hi' }),
    chain: defineRunner({ ...agent, run: () => [{ type: 'Plain', text: 'hi' }] as const }),
    promise: defineRunner({ ...agent, run: async () => 'hi' }),
    iterable: defineRunner({
      ...agent,
      async *run() {
        yield 'hi'
      },
    }),
    results: defineRunner({
      ...agent,
      async *run(ctx) {
        yield result.messageCompleted(ctx.run_id, 'hi')
      },
    }),
  }

  test.each(Object.entries(shapes))(
    '[D133] [runner.entry.run] %s: one message, then completed',
    async (shape, runner) => {
      host = await fakeHost(runner)
      const [message, end, ...rest] = await host.run()
      const content = shape === 'chain' ? [expect.objectContaining({ type: 'text', text: 'hi' })] : 'hi'
      expect(message).toMatchObject({ ...text('hi'), data: { message: { content } }, run_id: 'run-1', sequence: 1 })
      expect(end).toMatchObject({ type: 'run.completed', data: completed, sequence: 2 })
      expect(rest).toEqual([])
    },
  )

  test('[D133] nothing: only completed, without nulls in its data', async () => {
    host = await fakeHost(defineRunner({ ...agent, run() {} }))
    expect(await host.run()).toEqual([
      { run_id: 'run-1', type: 'run.completed', data: completed, usage: null, sequence: 1, timestamp: null },
    ])
  })

  test.each([
    ['a number', () => 5],
    ['null', () => null],
    ['an object', async () => ({ text: 'hi' })],
    ['a list of no components', () => [1]],
  ])('[D133] %s fails the run and says what may be given back', async (_what, run) => {
    // What TypeScript refuses, plain JavaScript can still do.
    host = await fakeHost(defineRunner({ ...agent, run: run as unknown as () => undefined }))
    const [end, ...rest] = await host.run()
    expect(end).toMatchObject({ type: 'run.failed', data: { code: 'runner.exception', retryable: false } })
    expect(rest).toEqual([])
  })

  test('a chain with what no message can carry fails and names ctx.reply', async () => {
    host = await fakeHost(defineRunner({ ...agent, run: () => [{ type: 'Face', face_id: 1 }] as const }))
    expect((await host.run())[0]).toMatchObject({
      type: 'run.failed',
      data: { error: expect.stringContaining('ctx.reply') },
    })
  })
})

describe('which function runs', () => {
  const own = defineRunner({
    ...agent,
    run: () => 'run',
    on: { 'message.received': () => 'own', '*': () => 'rest' },
  })
  const event = (event_type: string) => ({ ...(contextOf().event as object), event_type })

  test('[runner.entry.handler] the own handler, else that of *, else run', async () => {
    host = await fakeHost(own)
    expect((await host.run())[0]).toMatchObject(text('own'))
    expect((await host.run({ event: event('friend.added') }))[0]).toMatchObject(text('rest'))
    await host.close()
    host = await fakeHost(defineRunner({ ...agent, run: () => 'run', on: { 'friend.added': () => 'own' } }))
    expect((await host.run())[0]).toMatchObject(text('run'))
  })

  test('without any function for the event the run fails', async () => {
    host = await fakeHost(defineRunner({ ...agent, on: { 'friend.added': () => 'own' } }))
    expect(await host.run()).toMatchObject([
      {
        type: 'run.failed',
        data: { code: 'runner.exception', error: expect.stringContaining('no handler for message.received') },
      },
    ])
  })

  test('an inherited name is no handler', async () => {
    host = await fakeHost(own)
    expect((await host.run({ event: event('toString') }))[0]).toMatchObject(text('rest'))
  })
})

describe('terminal results', () => {
  test('[D129] after the first one nothing more is sent, and the generator is closed', async () => {
    let closed = false
    host = await fakeHost(
      defineRunner({
        ...agent,
        async *run(ctx) {
          try {
            yield result.runCompleted(ctx.run_id, { finish_reason: 'length' })
            yield 'too late'
            yield result.runFailed(ctx.run_id, 'never')
          } finally {
            closed = true
          }
        },
      }),
    )
    expect(await host.run()).toMatchObject([{ type: 'run.completed', data: { finish_reason: 'length' } }])
    expect(closed).toBe(true)
  })

  test('an exception fails the run with its message; the stack goes to the log only', async () => {
    host = await fakeHost(
      defineRunner({
        ...agent,
        async run(ctx) {
          await ctx.log('before')
          throw new TypeError('boom')
        },
      }),
    )
    const [log, end] = await host.run()
    expect(log).toMatchObject({ type: 'processor.log', data: { text: 'before', level: 'info' } })
    expect(end).toMatchObject({
      type: 'run.failed',
      data: { error: 'Runner "r" failed: boom', code: 'runner.exception', retryable: false },
    })
    expect(JSON.stringify(end)).not.toContain('run.test.ts')
    expect(host.logged[0]).toContain('run.test.ts')
  })

  test('a very long error text is cut, so that it always reaches the host', async () => {
    host = await fakeHost(
      defineRunner({
        ...agent,
        run() {
          throw new Error('x'.repeat(2_000_000))
        },
      }),
    )
    const [end] = await host.run()
    expect(end).toMatchObject({ type: 'run.failed', data: { code: 'runner.exception' } })
    expect(String(end?.data.error).length).toBeLessThan(4200)
  })

  test.each([
    ['of another run', (_ctx: { run_id: string }) => result.processorLog('other', 'x')],
    ['that is none', () => ({ type: 'message.completed' })],
    ['that JSON cannot hold', (ctx: { run_id: string }) => result.stateUpdated(ctx.run_id, 'runner', 'k', Number.NaN)],
    ['above the limit', (ctx: { run_id: string }) => result.messageCompleted(ctx.run_id, 'x'.repeat(1_100_000))],
  ])('a result %s fails the run', async (_what, make) => {
    host = await fakeHost(
      defineRunner({
        ...agent,
        async *run(ctx) {
          yield make(ctx) as unknown as 'hi'
        },
      }),
    )
    expect(await host.run()).toMatchObject([{ type: 'run.failed', data: { code: 'runner.exception' } }])
  })

  test('unknown Runner, missing settings, invalid context: the documented codes, nothing runs', async () => {
    let ran = 0
    const runner = defineRunner({ ...agent, run: () => void ran++ })
    host = await fakeHost(runner, { settings: null })
    expect(await host.run({}, 'nobody')).toMatchObject([{ type: 'run.failed', data: { code: 'runner.not_found' } }])
    expect(await host.run()).toMatchObject([
      { type: 'run.failed', run_id: 'run-1', data: { code: 'runner.not_initialized' } },
    ])
    for (const broken of [
      { trigger: {} },
      { input: null },
      { resources: { tools: [{}] } },
      { runtime: { deadline_at: 'soon' } },
      { run_id: '' },
    ]) {
      expect(await host.run(broken)).toMatchObject([{ type: 'run.failed', data: { code: 'runner.context_invalid' } }])
    }
    await expect(host.run({ runtime: { metadata: { component_kind: 'AgentRunner' } } })).rejects.toThrow('AgentRunner')
    expect(ran).toBe(0)
  })
})

describe('overlapping runs', () => {
  test('[run-api.bound] two runs side by side keep their own id, context and grants', async () => {
    const gate = Promise.withResolvers<void>()
    let both = 0
    host = await fakeHost(
      defineRunner({
        ...agent,
        permissions: { storage: ['plugin'] },
        async run(ctx) {
          if (++both === 2) gate.resolve()
          await gate.promise
          const kept = await ctx.api.getPluginStorageKeys().catch((error: Error) => error.name)
          return `${ctx.run_id} ${ctx.input.toText()} ${kept}`
        },
      }),
      {
        answers: {
          get_plugin_storage_keys: ({ run_id }) => {
            if (run_id === 'two') throw new WireError('permission_denied', 'storage:plugin is not granted to this run.')
            return { keys: [`of ${String(run_id)}`] }
          },
        },
      },
    )
    const resources = { storage: { plugin_storage: false } }
    const [one, two] = await Promise.all([
      host.run({ run_id: 'one', input: { text: 'a' } }),
      host.run({ run_id: 'two', input: { text: 'b' }, resources }),
    ])
    expect(one[0]).toMatchObject({ ...text('one a of one'), run_id: 'one' })
    expect(two[0]).toMatchObject({ ...text('two b PermissionDeniedError'), run_id: 'two' })
    expect(host.asked.map(({ data }) => data.run_id).sort()).toEqual(['one', 'two'])
  })
})

describe('the end of a run', () => {
  test('every bound call fails afterwards with run_ended, also from background work; nothing is sent', async () => {
    let kept: FullRunnerContext | undefined
    host = await fakeHost(
      defineRunner({
        ...agent,
        run(ctx) {
          kept = ctx as FullRunnerContext
        },
      }),
    )
    await host.run()
    const ctx = kept
    if (ctx === undefined) throw new Error('the runner did not run')
    expect(ctx.signal.aborted).toBe(true)
    const calls: (() => unknown)[] = [
      () => ctx.reply('x'),
      () => ctx.replyStream(async () => {}),
      () => ctx.replyFiles(['f']),
      () => ctx.log('x'),
      () => ctx.getBotUuid(),
      () => ctx.getAvailableTools(),
      () => ctx.callTool('look'),
      () => ctx.bindBox('b'),
      () => ctx.importBoxAttachments(),
      () => ctx.exportBoxFiles(),
      () => ctx.getPrompt(),
      () => ctx.historyPage(),
      () => ctx.historySearch('x'),
      () => ctx.eventGet('e'),
      () => ctx.eventPage(),
      () => ctx.steeringPull(),
      () => ctx.stateGet('runner', 'k'),
      () => ctx.stateSet('runner', 'k', 1),
      () => ctx.stateDelete('runner', 'k'),
      () => ctx.stateList('runner'),
      () => ctx.runGet(),
      () => ctx.runList(),
      () => ctx.runEventsPage(),
      () => ctx.runCancel(),
      () => ctx.runAppendResult(result.processorLog('run-1', 'x')),
      () => ctx.runFinalize(),
      () => ctx.api.getAllowedTools(),
      () => ctx.api.countTokens('llm-1', []),
      () => ctx.api.invokeLlm('llm-1', []),
      () => ctx.api.invokeLlmWithUsage('llm-1', []),
      () => drain(ctx.api.invokeLlmStream('llm-1', [])),
      () => drain(ctx.api.invokeLlmStreamEvents('llm-1', [])),
      () => ctx.api.invokeRerank('llm-1', 'q', []),
      () => ctx.api.invokeEmbedding('llm-1', []),
      () => ctx.api.retrieveKnowledge('kb-1', 'q'),
      () => ctx.api.getToolDetail('read'),
      () => ctx.api.getLangbotVersion(),
      () => ctx.host.getPluginConfig(),
      () => ctx.host.getConfigFile('f'),
      () => ctx.host.getLlmModels(),
      () => ctx.host.listTools(),
      () => ctx.host.listKnowledgeBases(),
      () => ctx.host.setPluginStorage('k', new Uint8Array()),
      () => ctx.host.getWorkspaceStorage('k'),
      () => ctx.host.sendMessage('b', 'person', 'u', 'x'),
      () => ctx.host.callPlatformApi('b', 'get_group_list'),
      () => ctx.host.getBoxStatus(),
      () => ctx.host.listBoxes(),
      () => ctx.host.acquireBox('k'),
    ]
    for (const call of calls) {
      const error = await failure(call)
      expect([call.toString(), AgentAPIException.isInstance(error) && error.details.reason]).toEqual([
        call.toString(),
        'run_ended',
      ])
    }
    expect(host.asked).toEqual([])
  })

  test('a reply whose await was forgotten is finished before the run ends', async () => {
    host = await fakeHost(
      defineRunner({
        ...agent,
        capabilities: { tool_calling: true },
        permissions: { tools: ['call'] },
        run(ctx) {
          void ctx.reply('hi')
        },
      }),
      {
        answers: {
          call_tool: async () => {
            await new Promise((resolve) => setTimeout(resolve, 30))
            return { result: { message_id: 'm-2' } }
          },
        },
      },
    )
    const types = (await host.run()).map(({ type }) => type)
    expect(types[0]).toBe('tool.call.started')
    expect(types.at(-1)).toBe('run.completed')
    expect(host.asked).toHaveLength(1)
  })
})

describe('cancel and deadline', () => {
  function waiting() {
    const seen = Promise.withResolvers<{ reason: unknown; after: unknown; inFlight: unknown }>()
    const started = Promise.withResolvers<void>()
    const runner = defineRunner({
      ...agent,
      permissions: { storage: ['plugin'] },
      async run(ctx) {
        const inFlight = failure(() => ctx.host.getPluginStorage('never'))
        started.resolve()
        await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve()))
        seen.resolve({
          reason: ctx.signal.reason,
          inFlight: await inFlight,
          after: await failure(() => ctx.log('late')),
        })
        return 'late'
      },
    })
    return { seen: seen.promise, started: started.promise, runner }
  }
  const answers = { get_plugin_storage: () => new Promise<never>(() => {}) }
  const reasons = (found: { reason: unknown; after: unknown; inFlight: unknown }) =>
    [found.reason, found.inFlight, found.after].map(
      (error) => AgentAPIException.isInstance(error) && error.details.reason,
    )

  test('cancel: the signal aborts, calls under way fail, nothing more is sent', async () => {
    const { seen, started, runner } = waiting()
    host = await fakeHost(runner, { answers })
    const controller = new AbortController()
    const results: unknown[] = []
    const reading = (async () => {
      for await (const item of host?.start({}, 'r', controller.signal) ?? []) results.push(item)
    })()
    reading.catch(() => {})
    await started
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(new Error('enough'))
    expect(reasons(await seen)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    await expect(reading).rejects.toThrow('enough')
    expect(results).toEqual([])
  })

  test('deadline: run.failed runner.timeout, retryable, and later calls fail locally', async () => {
    const { seen, runner } = waiting()
    host = await fakeHost(runner, { answers })
    const results = await host.run({ runtime: { deadline_at: Date.now() / 1000 + 0.1 } })
    expect(results).toMatchObject([{ type: 'run.failed', data: { code: 'runner.timeout', retryable: true } }])
    expect(reasons(await seen)).toEqual(['deadline', 'deadline', 'deadline'])
  })

  test('a deadline that has passed: the author is not called', async () => {
    let ran = false
    host = await fakeHost(
      defineRunner({
        ...agent,
        run() {
          ran = true
        },
      }),
    )
    expect(await host.run({ runtime: { deadline_at: 1 } })).toMatchObject([
      { type: 'run.failed', data: { code: 'runner.timeout' } },
    ])
    expect(ran).toBe(false)
  })

  test('a lost connection aborts the run with link_closed', async () => {
    const { seen, started, runner } = waiting()
    host = await fakeHost(runner, { answers })
    const reading = (async () => {
      for await (const _ of host?.start() ?? []);
    })()
    reading.catch(() => {})
    await started
    await host.close()
    expect(reasons(await seen)).toEqual(['link_closed', 'link_closed', 'link_closed'])
    await expect(reading).rejects.toThrow()
  })
})

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

async function failure(call: () => unknown): Promise<unknown> {
  try {
    await call()
    return undefined
  } catch (error) {
    return error
  }
}
