import { definePlugin, defineRunner, field, result } from '@runbound/sdk'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestHost, type TestHost, type TestHostOptions, TestKitError } from './index.ts'

const MAY_REPLY = { capabilities: { tool_calling: true }, permissions: { tools: ['call'] } } as const
let running: TestHost | undefined

async function kit(options: TestHostOptions): Promise<TestHost> {
  running = await createTestHost(options)
  return running
}

afterEach(async () => {
  await running?.stop()
  running = undefined
})

function pluginOf(...components: Parameters<typeof definePlugin>[0]['components']) {
  return definePlugin({ author: 'acme', name: 'tested', version: '1.0.0', components })
}

const echo = defineRunner({
  name: 'echo',
  usages: ['agent'],
  ...MAY_REPLY,
  config: { before: field.string({ default: '' }) },
  async run(ctx) {
    await ctx.log('about to answer', 'debug')
    await ctx.reply(`${ctx.config.before}${ctx.input.toText()}`)
  },
})

describe('createTestHost', () => {
  test('a message is answered, each reply is read once, and the run is there to look at', async () => {
    const t = await kit({ plugin: pluginOf(echo), config: { before: '> ' } })
    await t.say('one')
    await t.say('two')
    expect([await t.reply(), await t.reply()]).toEqual(['> one', '> two'])
    expect(await t.replies()).toEqual(['> one', '> two'])
    const run = await t.run()
    expect(run).toMatchObject({ status: 'completed', event_type: 'message.received', denials: [] })
    expect(run.logs).toEqual([{ level: 'debug', text: 'about to answer' }])
    expect(run.calls.map(({ method, outcome }) => [method, outcome])).toContainEqual(['call_tool', 'ok'])
    expect(await t.runs()).toHaveLength(2)
  })

  test('people and places have their own conversations', async () => {
    const counter = defineRunner({
      name: 'counter',
      usages: ['agent'],
      ...MAY_REPLY,
      async run(ctx) {
        const { value } = await ctx.stateGet('conversation', 'count')
        await ctx.stateSet('conversation', 'count', Number(value ?? 0) + 1)
        await ctx.reply(`${ctx.actor?.actor_id} ${ctx.conversation?.conversation_id} ${Number(value ?? 0) + 1}`)
      },
    })
    const t = await kit({ plugin: pluginOf(counter) })
    const group = t.conversation('g-1')
    for (const speaker of [t, group.as('bob'), group, t.as('bob')]) {
      await speaker.say('hi')
      await t.settled()
    }
    expect(await t.replies()).toEqual(['ann person_ann 1', 'bob group_g-1 1', 'ann group_g-1 2', 'bob person_bob 1'])
    expect(await t.state('conversation')).toEqual({ count: 1 })
    expect(await t.state('actor')).toEqual({})
  })

  test('events reach plugin processors; what the plugin did outside the chat can be seen', async () => {
    const welcome = defineRunner({
      name: 'welcome',
      usages: ['event'],
      ...MAY_REPLY,
      on: {
        'group.member_joined': async (ctx) => {
          const group = await ctx.callTool('event_get_group')
          await ctx.reply(`Welcome to ${String(group?.name)}, ${ctx.platform_event.member.nickname}`)
        },
      },
    })
    const t = await kit({ plugin: pluginOf(welcome) })
    await t.as('zoe').conversation('g-7').emit('group.member_joined')
    expect(await t.reply()).toBe('Welcome to Group g-7, zoe')
    expect(t.platformCalls()).toEqual([{ action: 'get_group_info', params: { group_id: 'g-7' } }])
    expect(t.messages()[0]?.target).toMatchObject({ target_type: 'group', target_id: 'g-7' })
  })

  test('fake models answer whole and streamed, fake tools by their schema', async () => {
    const asking = defineRunner({
      name: 'asking',
      usages: ['agent'],
      capabilities: { tool_calling: true },
      permissions: { tools: ['call'], models: ['invoke', 'stream'] },
      async run(ctx) {
        const messages = [{ role: 'user', content: ctx.input.toText() }]
        const whole = await ctx.api.invokeLlm('parrot', messages)
        let streamed = ''
        for await (const chunk of ctx.api.invokeLlmStream('parrot', messages)) streamed += String(chunk.content ?? '')
        const weather = await ctx.callTool('weather', { city: 'Oslo' })
        const wrong = await ctx.callTool('weather', { town: 'Oslo' }).catch((error: unknown) => String(error))
        await ctx.reply(JSON.stringify([whole.content, streamed, weather, String(wrong).includes('city')]))
      },
    })
    const t = await kit({
      plugin: pluginOf(asking),
      models: { parrot: (messages) => `You said: ${String(messages.at(-1)?.content)}` },
      tools: {
        weather: {
          description: 'The weather of a city',
          parameters: {
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
            additionalProperties: false,
          },
          call: ({ city }) => ({ city, celsius: 21 }),
        },
      },
    })
    await t.say('hi there')
    expect(JSON.parse(await t.reply())).toEqual([
      'You said: hi there',
      'You said: hi there',
      { city: 'Oslo', celsius: 21 },
      true,
    ])
  })

  test('a debug event is simulated: the plugin sees results, the platform nothing', async () => {
    const t = await kit({ plugin: pluginOf(echo) })
    await t.debug('message.received', { message_chain: [{ type: 'Plain', text: 'psst' }] })
    const run = await t.run()
    expect(run.status).toBe('completed')
    expect(t.messages()).toEqual([])
    expect(run.record.metadata.processor_kind).toBe('agent')
  })

  test('what was refused is told, and what was returned without being sent', async () => {
    const shy = defineRunner({
      name: 'shy',
      usages: ['agent'],
      ...MAY_REPLY,
      async *run(ctx) {
        yield result.messageCompleted(ctx.run_id, 'produced')
        yield result.stateUpdated(ctx.run_id, 'runner', 'x', 1)
        await ctx.reply('never').catch(() => undefined)
      },
    })
    const t = await kit({ plugin: pluginOf(shy), grants: { event_tools: [], state: [] } })
    await t.say('hi')
    const run = await t.run()
    expect(run.produced).toEqual(['produced'])
    expect(run.denials).toContainEqual(expect.objectContaining({ method: 'yield state.updated' }))
    expect(run.grant).toContainEqual(
      expect.objectContaining({ thing: 'flag:reply_stream', allowed: false, by: 'operator' }),
    )
    expect(await t.replies()).toEqual([])
  })
})

describe('errors that teach', () => {
  async function errorOf(work: Promise<unknown>): Promise<TestKitError> {
    const error: unknown = await work.then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (!TestKitError.is(error)) throw new Error(`no TestKitError: ${String(error)}`)
    return error
  }

  test('a plugin without a Runner, an unknown Runner, one that is no agent, an unknown setting', async () => {
    const welcome = defineRunner({ name: 'welcome', usages: ['event'], on: { '*': () => undefined } })
    const plugin = pluginOf(echo, welcome)
    expect(await errorOf(createTestHost({ plugin: pluginOf() }))).toMatchObject({ code: 'no_runner' })
    const unknown = await errorOf(createTestHost({ plugin, runner: 'eco' }))
    expect(unknown.message).toContain('echo, welcome')
    const wrong = await errorOf(createTestHost({ plugin, runner: 'welcome' }))
    expect(wrong.message).toContain("no usage 'agent'")
    const setting = await errorOf(createTestHost({ plugin: pluginOf(echo), config: { befor: 'x' } }))
    expect(setting).toMatchObject({ code: 'unknown_setting', message: expect.stringContaining('before') })
  })

  test('no reply: at once, with the run, its log and what it returned', async () => {
    const mute = defineRunner({
      name: 'mute',
      usages: ['agent'],
      async run(ctx) {
        await ctx.log('I have nothing to say')
        return 'forgotten'
      },
    })
    const t = await kit({ plugin: pluginOf(mute), timeoutMs: 60_000 })
    await t.say('hi')
    const error = await errorOf(t.reply())
    expect(error.code).toBe('no_reply')
    expect(error.message).toContain('completed')
    expect(error.message).toContain('I have nothing to say')
    expect(error.message).toContain('returned, not sent: "forgotten"')
  })

  test('no reply of a Runner that failed: the cause', async () => {
    const broken = defineRunner({
      name: 'broken',
      usages: ['agent'],
      run() {
        throw new Error('the oven is cold')
      },
    })
    const t = await kit({ plugin: pluginOf(broken) })
    await t.say('hi')
    expect((await errorOf(t.reply())).message).toContain('the oven is cold')
  })

  test('an event that nobody takes, one that does not exist, one that the host refuses', async () => {
    const welcome = defineRunner({ name: 'welcome', usages: ['event'], on: { 'group.member_joined': () => undefined } })
    const t = await kit({ plugin: pluginOf(welcome) })
    await t.say('hi')
    expect((await errorOf(t.reply())).message).toContain('no_route')
    expect((await errorOf(t.run())).code).toBe('no_run')
    const unknown = JSON.parse('"group.member_joind"')
    expect(await errorOf(t.emit(unknown))).toMatchObject({ code: 'unknown_event' })
    const wrong = JSON.parse('{"group": 7}')
    expect(await errorOf(t.emit('group.member_joined', wrong))).toMatchObject({
      code: 'event_refused',
      details: { reason: 'invalid_event' },
    })
  })

  test('a run that does not end is named', async () => {
    const stuck = defineRunner({
      name: 'stuck',
      usages: ['agent'],
      run: (ctx) => new Promise<undefined>((resolve) => ctx.signal.addEventListener('abort', () => resolve(undefined))),
    })
    const t = await kit({ plugin: pluginOf(stuck), timeoutMs: 300 })
    await t.say('hi')
    expect(await errorOf(t.run())).toMatchObject({ code: 'not_settled', message: expect.stringContaining('running') })
  })
})
