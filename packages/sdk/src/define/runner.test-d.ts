/** Checked by tsc alone: what `defineRunner` infers, and what must not compile. */
import { defineRunner, field, type MessageChain, result } from '../index.ts'

/** Fails to compile unless both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function same<A, B>(_is: Same<A, B>): void {}

export const greeter = defineRunner({
  name: 'greeter',
  usages: ['agent', 'event'],
  capabilities: { tool_calling: true, steering: true },
  permissions: { tools: ['call'], history: ['page'], storage: ['plugin'], models: ['invoke'] },
  config: {
    greeting: field.string({ default: 'Hello' }),
    mode: field.select({ options: ['a', { name: 'b', label: 'B' }], default: 'a' }),
    count: field.integer({ required: true }),
    note: field.text({ show_if: { field: 'mode', operator: 'eq', value: 'b' } }),
    hook: field.webhookUrl(),
    tools: field.richToolsSelector({ default: [] }),
  },
  async run(ctx) {
    same<typeof ctx.config.greeting, string>(true)
    same<typeof ctx.config.mode, 'a' | 'b'>(true)
    same<typeof ctx.config.count, number>(true)
    same<typeof ctx.config.note, string | undefined>(true)
    same<(typeof ctx.config)['enable-all-tools'], boolean>(true)
    // @ts-expect-error a display-only field has no value
    ctx.config.hook
    // @ts-expect-error a misspelt setting
    ctx.config.greetings
    const past = await ctx.historyPage({ limit: 5 })
    same<(typeof past.items)[number]['content'], string | null>(true)
    const streamed = await ctx.replyStream(async (reply) => {
      await reply.update('x')
      return 7
    })
    same<typeof streamed, number>(true)
    await ctx.steeringPull({ mode: 'one' })
    await ctx.host.setPluginStorage('k', new Uint8Array())
    await ctx.api.invokeLlm('m', [{ role: 'user', content: 'hi' }])
    await ctx.api.ctx.api.ctx.reply('deep')
    await ctx.stateSet('runner', 'k', { a: [1, null] })
    // @ts-expect-error search was not asked for
    await ctx.historySearch('x')
    // @ts-expect-error neither on the lower-level proxy
    await ctx.api.historySearch('x')
    // @ts-expect-error streaming models was not asked for
    ctx.host.invokeLlmStream('m', [])
    // @ts-expect-error the workspace's storage was not asked for
    await ctx.host.getWorkspaceStorage('k')
    // @ts-expect-error no such scope
    await ctx.stateGet('room', 'k')
    // @ts-expect-error no such level
    await ctx.log('x', 'fatal')
    // @ts-expect-error a function is not JSON
    await ctx.stateSet('runner', 'k', () => 1)
    // @ts-expect-error outside runs only
    ctx.host.getBots
  },
  on: {
    'group.member_joined': async (ctx) => {
      same<typeof ctx.platform_event.type, 'group.member_joined'>(true)
      await ctx.reply(`Welcome ${ctx.platform_event.member.nickname}`)
    },
    '*': async (ctx) => {
      await ctx.reply(ctx.platform_event.type)
    },
  },
})

// What a handler may give back [D133].
const agent = { name: 'r', usages: ['agent'] } as const
export const nothing = defineRunner({ ...agent, run() {} })
export const text = defineRunner({ ...agent, run: () => 'hi' })
export const chained = defineRunner({ ...agent, run: (): MessageChain => [{ type: 'Plain', text: 'hi' }] })
export const maybe = defineRunner({ ...agent, run: (ctx) => (ctx.actor === null ? undefined : 'hi') })
export const promised = defineRunner({ ...agent, run: async () => 'hi' })
export const empty = defineRunner({ ...agent, run: async () => {} })
export const streamed = defineRunner({
  ...agent,
  async *run(ctx) {
    yield 'hi'
    yield result.runCompleted(ctx.run_id)
  },
})
// @ts-expect-error a number is no message
export const number = defineRunner({ ...agent, run: () => 5 })
// @ts-expect-error nor is a promised one
export const promisedNumber = defineRunner({ ...agent, run: async () => 5 })
// @ts-expect-error an object that is no message
export const object = defineRunner({ ...agent, run: () => ({ text: 'hi' }) })
export const generator = defineRunner({
  ...agent,
  // @ts-expect-error a generator that is not async
  *run() {
    yield 'hi'
  },
})
export const wrongItems = defineRunner({
  ...agent,
  // @ts-expect-error items are results, texts or chains
  async *run() {
    yield 5
  },
})

export const mute = defineRunner({
  ...agent,
  permissions: { tools: ['call'] },
  async run(ctx) {
    // @ts-expect-error replies need the capability tool_calling too
    await ctx.reply('hi')
    // @ts-expect-error so do tool calls
    await ctx.callTool('x')
    // @ts-expect-error steering is a capability
    await ctx.steeringPull()
    // The rest is there for every Runner.
    await ctx.log('x')
    await ctx.getAvailableTools()
    await ctx.runGet()
  },
})

// @ts-expect-error a misspelt group of permissions
export const typoGroup = defineRunner({ ...agent, permissions: { tolls: ['call'] }, run() {} })
// @ts-expect-error a misspelt operation
export const typoOperation = defineRunner({ ...agent, permissions: { tools: ['calls'] }, run() {} })
// @ts-expect-error a misspelt capability
export const typoCapability = defineRunner({ ...agent, capabilities: { tool_caling: true }, run() {} })
// @ts-expect-error a misspelt event id
export const typoEvent = defineRunner({ ...agent, on: { 'message.recieved': async () => {} } })
// @ts-expect-error a misspelt key of the definition
export const typoKey = defineRunner({ ...agent, permisions: {}, run() {} })
// @ts-expect-error a misspelt option of a field
export const typoOption = defineRunner({ ...agent, config: { a: field.string({ defualt: 'x' }) }, run() {} })
export const badDefault = defineRunner({
  ...agent,
  // @ts-expect-error a default that is none of the options
  config: { a: field.select({ options: ['x'], default: 'y' }) },
  run() {},
})
export const badCondition = defineRunner({
  ...agent,
  // @ts-expect-error a condition on a field that this form does not have
  config: { a: field.string({ show_if: { field: 'b', operator: 'eq', value: 1 } }) },
  run() {},
})

// @ts-expect-error nothing to run
export const idle = defineRunner({ ...agent })
// @ts-expect-error usage 'event' needs events or handlers
export const deaf = defineRunner({ name: 'd', usages: ['event'], run() {} })
// @ts-expect-error also beside usage 'agent'
export const deafToo = defineRunner({ name: 'd', usages: ['agent', 'event'], run() {} })
export const hearing = defineRunner({ name: 'h', usages: ['event'], events: ['message.*'], run() {} })
export const handling = defineRunner({ name: 'h', usages: ['event'], on: { '*': async () => {} } })
