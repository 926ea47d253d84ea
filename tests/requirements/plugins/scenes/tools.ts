/** Scenes about what a run may call, and calling it: on `ctx` and on `ctx.api`. */
import type { JsonObject } from '@runbound/sdk'
import { attempt, type Scenes, textOf, waitAt } from '../play.ts'

function parametersOf(args: JsonObject): JsonObject | undefined {
  return args.parameters === undefined ? undefined : JSON.parse(JSON.stringify(args.parameters))
}

export const toolScenes: Scenes = {
  tools: (ctx) => ctx.getAvailableTools(),
  call: (ctx, args) => {
    const parameters = parametersOf(args)
    return parameters === undefined
      ? ctx.callTool(textOf(args, 'name'))
      : ctx.callTool(textOf(args, 'name'), parameters)
  },
  apiCall: (ctx, args) => ctx.api.callTool(textOf(args, 'name'), parametersOf(args) ?? {}),
  detail: (ctx, args) => ctx.api.getToolDetail(textOf(args, 'name')),
  allowed: (ctx) => {
    // Not awaited on purpose: these answer at once.
    const tools = ctx.api.getAllowedTools()
    const models = ctx.api.getAllowedModels()
    const bases = ctx.api.getAllowedKnowledgeBases()
    return { tools, models, bases, lists: [tools, models, bases].map(Array.isArray) }
  },
  apiCtx: (ctx) => ({
    run_id: ctx.api.ctx.run_id,
    flags: ctx.api.ctx.context.available_apis,
    same: ctx.api.ctx.context.available_apis.history_page === ctx.context.available_apis.history_page,
  }),
  /** One call through both doors: the same value, or the same refusal. */
  bothDoors: async (ctx) => ({
    historyPage: [await attempt(() => ctx.historyPage()), await attempt(() => ctx.api.historyPage())],
    historySearch: [
      await attempt(() => ctx.historySearch('bothDoors')),
      await attempt(() => ctx.api.historySearch('bothDoors')),
    ],
    getPrompt: [await attempt(() => ctx.getPrompt()), await attempt(() => ctx.api.getPrompt())],
    eventGet: [
      await attempt(() => ctx.eventGet(ctx.event.event_id)),
      await attempt(() => ctx.api.eventGet(ctx.event.event_id)),
    ],
    eventPage: [await attempt(() => ctx.eventPage()), await attempt(() => ctx.api.eventPage())],
    stateSet: [
      await attempt(() => ctx.stateSet('runner', 'door', 1)),
      await attempt(() => ctx.api.stateSet('runner', 'door', 1)),
    ],
    stateGet: [
      await attempt(() => ctx.stateGet('runner', 'door')),
      await attempt(() => ctx.api.stateGet('runner', 'door')),
    ],
    stateList: [await attempt(() => ctx.stateList('runner')), await attempt(() => ctx.api.stateList('runner'))],
    runGet: [
      await attempt(async () => (await ctx.runGet()).run_id),
      await attempt(async () => (await ctx.api.runGet()).run_id),
    ],
    callTool: [
      await attempt(() => ctx.callTool('event_get_actor')),
      await attempt(() => ctx.api.callTool('event_get_actor')),
    ],
    runFinalize: [await attempt(() => ctx.runFinalize()), await attempt(() => ctx.api.runFinalize())],
  }),
  /** Waits until another run is there too, then looks at what this run's proxy holds, and speaks through it. */
  sideBySide: async (ctx, args) => {
    const { api } = ctx
    await waitAt(textOf(args, 'gate'), ctx.signal)
    return {
      run_id: api.ctx.run_id,
      record: (await api.runGet()).run_id,
      actor: api.ctx.actor?.actor_id,
      tools: api.getAllowedTools().map(({ tool_name }) => tool_name),
      actorTool: await attempt(() => api.callTool('event_get_actor')),
      replied: await attempt(() => api.callTool('event_reply', { text: `answer to ${api.ctx.actor?.actor_id}` })),
    }
  },
}
