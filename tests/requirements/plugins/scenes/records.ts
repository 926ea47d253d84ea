/** Scenes about prompt, history, events, state, storage and run records. */
import type { JsonObject, StateScope } from '@runbound/sdk'
import { attempt, type Scenes, textOf, waitAt } from '../play.ts'

/** Options as the test gave them: the host checks them. */
function optionsOf<T>(args: JsonObject): T {
  return JSON.parse(JSON.stringify(args.options ?? {}))
}

function scopeOf(args: JsonObject): StateScope {
  return JSON.parse(JSON.stringify(textOf(args, 'scope')))
}

const bytesOf = (args: JsonObject): Uint8Array =>
  Uint8Array.from(Array.isArray(args.bytes) ? args.bytes.map(Number) : [])

export const recordScenes: Scenes = {
  prompt: (ctx) => ctx.getPrompt(),
  history: (ctx, args) => (args.options === undefined ? ctx.historyPage() : ctx.historyPage(optionsOf(args))),
  /** How much came: more than a log line holds. */
  historySize: async (ctx, args) => {
    const page = await ctx.historyPage(optionsOf(args))
    return { items: page.items.length, has_more: page.has_more }
  },
  /** Walks back with `prev_cursor` until nothing is older. */
  walkBack: async (ctx, args) => {
    const pages: { contents: (string | null)[]; has_more: boolean }[] = []
    let before_cursor: string | null = null
    do {
      const page = await ctx.historyPage({ before_cursor, limit: Number(args.limit) })
      pages.push({ contents: page.items.map(({ content }) => content), has_more: page.has_more })
      before_cursor = page.prev_cursor
    } while (pages.at(-1)?.has_more === true && pages.length < 100)
    return pages
  },
  /** Begins at the oldest entry and walks forward from it. */
  walkForward: async (ctx) => {
    let oldest = await ctx.historyPage({ limit: 1 })
    while (oldest.has_more) oldest = await ctx.historyPage({ before_cursor: oldest.prev_cursor, limit: 1 })
    const pages = [{ contents: oldest.items.map(({ content }) => content), has_more: true }]
    let after_cursor = oldest.prev_cursor
    while (pages.at(-1)?.has_more === true && pages.length < 100) {
      const page = await ctx.historyPage({ after_cursor, direction: 'forward', limit: 2 })
      pages.push({ contents: page.items.map(({ content }) => content), has_more: page.has_more })
      after_cursor = page.next_cursor
    }
    return pages
  },
  search: (ctx, args) =>
    args.options === undefined
      ? ctx.historySearch(textOf(args, 'query'))
      : ctx.historySearch(textOf(args, 'query'), optionsOf(args)),
  event: (ctx, args) => ctx.eventGet(typeof args.event_id === 'string' ? args.event_id : ctx.event.event_id),
  events: (ctx, args) => (args.options === undefined ? ctx.eventPage() : ctx.eventPage(optionsOf(args))),

  stateSet: (ctx, args) => ctx.stateSet(scopeOf(args), textOf(args, 'key'), args.value ?? null),
  stateGet: (ctx, args) => ctx.stateGet(scopeOf(args), textOf(args, 'key')),
  stateDelete: (ctx, args) => ctx.stateDelete(scopeOf(args), textOf(args, 'key')),
  stateList: (ctx, args) =>
    args.options === undefined ? ctx.stateList(scopeOf(args)) : ctx.stateList(scopeOf(args), optionsOf(args)),
  stateRoundTrip: async (ctx, args) => {
    await ctx.stateSet('runner', 'value', args.value ?? null)
    return (await ctx.stateGet('runner', 'value')).value
  },
  stateMany: async (ctx, args) => {
    for (let count = 0; count < Number(args.count); count++) await ctx.stateSet('runner', `key-${count}`, count)
    return ctx.stateList('runner')
  },
  /** Values that JSON can't hold, one by one. */
  stateNotJson: async (ctx) => {
    const loop: Record<string, unknown> = {}
    loop.self = loop
    const values: unknown[] = [() => 1, Symbol('s'), Number.NaN, Number.POSITIVE_INFINITY, loop, new Map([[1, 2]])]
    const tries = []
    for (const value of values) tries.push(await attempt(() => ctx.stateSet('runner', 'not-json', value as never)))
    return { tries, kept: await ctx.stateGet('runner', 'not-json') }
  },
  stateAll: async (ctx, args) => {
    const key = textOf(args, 'key')
    const read: Record<string, unknown> = {}
    for (const scope of ['conversation', 'actor', 'subject', 'runner'] as const)
      read[scope] = await attempt(async () => (await ctx.stateGet(scope, key)).value)
    return read
  },
  stateSetAll: async (ctx, args) => {
    const key = textOf(args, 'key')
    for (const scope of ['conversation', 'actor', 'subject', 'runner'] as const)
      await ctx.stateSet(scope, key, `${scope} of ${textOf(args, 'name')}`)
  },

  storePlugin: (ctx, args) => ctx.api.setPluginStorage(textOf(args, 'key'), bytesOf(args)),
  readPlugin: (ctx, args) => ctx.api.getPluginStorage(textOf(args, 'key')),
  pluginKeys: (ctx) => ctx.api.getPluginStorageKeys(),
  dropPlugin: (ctx, args) => ctx.api.deletePluginStorage(textOf(args, 'key')),
  storeWorkspace: (ctx, args) => ctx.api.setWorkspaceStorage(textOf(args, 'key'), bytesOf(args)),
  readWorkspace: (ctx, args) => ctx.api.getWorkspaceStorage(textOf(args, 'key')),
  workspaceKeys: (ctx) => ctx.api.getWorkspaceStorageKeys(),
  dropWorkspace: (ctx, args) => ctx.api.deleteWorkspaceStorage(textOf(args, 'key')),
  /** What one door writes, the other reads; both delete the same. */
  storageDoors: async (ctx) => {
    await ctx.api.setPluginStorage('door', new Uint8Array([1]))
    await ctx.host.setWorkspaceStorage('door', new Uint8Array([2]))
    const read = [await ctx.host.getPluginStorage('door'), await ctx.api.getWorkspaceStorage('door')]
    const keys = [await ctx.host.getPluginStorageKeys(), await ctx.api.getPluginStorageKeys()]
    await ctx.host.deletePluginStorage('door')
    await ctx.api.deleteWorkspaceStorage('door')
    const gone = [
      await attempt(() => ctx.api.getPluginStorage('door')),
      await attempt(() => ctx.host.getWorkspaceStorage('door')),
    ]
    return { read, keys, gone }
  },
  everyByte: async (ctx) => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256)
    await ctx.api.setPluginStorage('bytes', bytes)
    const back = await ctx.api.getPluginStorage('bytes')
    await ctx.api.setPluginStorage('empty', new Uint8Array())
    const empty = await ctx.api.getPluginStorage('empty')
    return {
      isBytes: back instanceof Uint8Array && empty instanceof Uint8Array,
      length: back.length,
      same: back.length === bytes.length && back.every((byte, index) => byte === bytes[index]),
      empty: empty.length,
    }
  },

  run: (ctx, args) => (typeof args.run_id === 'string' ? ctx.runGet(args.run_id) : ctx.runGet()),
  /** Fails as the host says, or as the tool does; the Runner catches it and goes on. */
  refusedThenGoesOn: async (ctx, args) => {
    const refused = await attempt(() => ctx.callTool(textOf(args, 'name'), { wrong: true }))
    const failed = await attempt(() => ctx.callTool(textOf(args, 'name'), { right: true }))
    await ctx.reply('went on')
    return { refused, failed }
  },
  /** Hears nothing of a cancel. */
  stubborn: () => new Promise(() => undefined),
  runNull: async (ctx) => [
    await ctx.runGet(null),
    await ctx.runGet(),
    (await ctx.runEventsPage({ run_id: null })).items[0]?.run_id,
    (await ctx.runEventsPage()).items[0]?.run_id,
  ],
  runs: (ctx, args) => (args.options === undefined ? ctx.runList() : ctx.runList(optionsOf(args))),
  /** Fifty records are more than a log line holds. */
  runListSize: async (ctx, args) => {
    const page = args.options === undefined ? await ctx.runList() : await ctx.runList(optionsOf(args))
    const { items, has_more, prev_cursor } = page
    return { items: items.length, has_more, prev_cursor, event_ids: items.map(({ event_id }) => event_id) }
  },
  runEvents: (ctx, args) => (args.options === undefined ? ctx.runEventsPage() : ctx.runEventsPage(optionsOf(args))),
  cancelSelf: async (ctx) => {
    await ctx.runCancel()
    await waitAt('never', ctx.signal)
  },
  waitHere: (ctx, args) => waitAt(textOf(args, 'gate'), ctx.signal),
  logs: async (ctx, args) => {
    for (let count = 1; count <= Number(args.count); count++) await ctx.log(`line ${count}`)
  },
}
