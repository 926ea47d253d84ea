/** The plugin of the requirement tests: a Runner with every permission that plays scenes, and Runners of every shape. */
import { type Capabilities, definePlugin, defineRunner, field, type Permissions, result } from '@runbound/sdk'
import { play, type Scenes } from './play.ts'
import { contextScenes } from './scenes/context.ts'
import { recordScenes } from './scenes/records.ts'
import { replyScenes } from './scenes/replies.ts'
import { toolScenes } from './scenes/tools.ts'

const SCENES: Scenes = { ...contextScenes, ...replyScenes, ...toolScenes, ...recordScenes }

const EVERYTHING = {
  models: ['invoke', 'stream', 'rerank', 'count_tokens'],
  tools: ['detail', 'call'],
  knowledge_bases: ['list', 'retrieve'],
  history: ['page', 'search'],
  events: ['get', 'page'],
  storage: ['plugin', 'workspace'],
  interactions: ['request'],
} as const satisfies Permissions

const ABLE = {
  streaming: true,
  tool_calling: true,
  knowledge_retrieval: true,
  multimodal_input: true,
  skill_authoring: true,
  interrupt: true,
  steering: true,
  interactions: true,
} as const satisfies Capabilities

const CONFIG = { scene: field.string({ default: '' }), greeting: field.string({ default: 'hello' }) }

/** Asks for everything; the operator decides. */
const probe = defineRunner({
  name: 'probe',
  usages: ['agent', 'event'],
  events: ['*'],
  capabilities: ABLE,
  permissions: EVERYTHING,
  config: CONFIG,
  run: (ctx) => play(SCENES, ctx),
})

/** The same, entered by handlers of single events; `'*'` takes the rest. */
const handlers = defineRunner({
  name: 'handlers',
  usages: ['agent', 'event'],
  capabilities: ABLE,
  permissions: EVERYTHING,
  config: CONFIG,
  on: {
    'message.received': (ctx) => play(SCENES, ctx),
    'group.member_joined': (ctx) => play(SCENES, ctx),
    '*': (ctx) => play(SCENES, ctx),
  },
})

/** Asks for nothing at all. */
const bare = defineRunner({
  name: 'bare',
  usages: ['agent'],
  async run(ctx) {
    const { resources } = ctx
    const allowed = {
      tools: ctx.api.getAllowedTools(),
      models: ctx.api.getAllowedModels(),
      bases: ctx.api.getAllowedKnowledgeBases(),
      available: await ctx.getAvailableTools(),
    }
    await ctx.log(JSON.stringify({ allowed, resources }))
  },
})

/** Yields one result of each kind that needs no grant. */
const yielding = defineRunner({
  name: 'yielding',
  usages: ['agent'],
  async *run(ctx) {
    yield result.processorLog(ctx.run_id, 'yielded log')
    yield result.messageDelta(ctx.run_id, 'yielded delta')
    yield result.toolCallStarted(ctx.run_id, 'call-1', 'own_tool', { a: 1 })
    yield result.toolCallCompleted(ctx.run_id, 'call-1', 'own_tool', { result: { b: 2 } })
    yield result.stateUpdated(ctx.run_id, 'runner', 'yielded', true)
    yield result.messageCompleted(ctx.run_id, 'yielded message')
    yield result.runCompleted(ctx.run_id)
  },
})

/** The four shapes of a handler's value. */
const REPLIES = { capabilities: { tool_calling: true }, permissions: { tools: ['call'] } } as const
const nothing = defineRunner({
  name: 'shape-nothing',
  usages: ['agent'],
  ...REPLIES,
  async run(ctx) {
    await ctx.reply('hi')
  },
})
const value = defineRunner({ name: 'shape-value', usages: ['agent'], run: () => 'hi' })
const promise = defineRunner({ name: 'shape-promise', usages: ['agent'], run: async () => 'hi' })
const iterable = defineRunner({
  name: 'shape-iterable',
  usages: ['agent'],
  async *run() {
    yield 'hi'
  },
})
/** Goes on after its end: what comes after it is refused. */
const twoEnds = defineRunner({
  name: 'two-ends',
  usages: ['agent'],
  async *run(ctx) {
    yield result.runCompleted(ctx.run_id)
    yield result.messageCompleted(ctx.run_id, 'after the end')
    yield result.runFailed(ctx.run_id, 'a second end')
  },
})

export default definePlugin({
  author: 'runbound',
  name: 'probe',
  version: '1.0.0',
  components: [probe, handlers, bare, yielding, nothing, value, promise, iterable, twoEnds],
  config: { plugin_level: field.string({ default: 'of the plugin' }) },
})
