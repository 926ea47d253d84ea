/** Endpoints of bots, routes and processors. */
import type { BOT_ENDPOINTS, EndpointRequest } from '@runbound/api'
import { HostError } from '../../errors.ts'
import type { KnownPlatform } from '../../platforms/types.ts'
import type { Processor } from '../../runs/types.ts'
import { hideSecrets, keepSecrets } from '../../secret-values.ts'
import type { Handlers } from '../api-routes.ts'
import { changedFields, shownBot } from '../views.ts'
import { shownRunner } from './plugins.ts'
import { type HandlerRooms, OK } from './rooms.ts'

export function botHandlers(rooms: HandlerRooms): Handlers<typeof BOT_ENDPOINTS> {
  const { identity, platforms, plugins, events, conversations, runs } = rooms
  const { workspace_uuid } = identity
  const botOf = async (botUuid: string) => {
    const bot = await platforms.bot(botUuid)
    if (bot === undefined) throw new HostError('not_found', `There is no bot ${botUuid}.`)
    return bot
  }
  const shownProcessor = ({ workspace_uuid: _own, ...processor }: Processor) => {
    const runner = plugins.runner(processor.runner_id)
    const config = 'manifest' in runner ? hideSecrets(runner.manifest.config_schema, processor.config) : {}
    return { ...processor, config } as never
  }
  const processorOf = async (
    body: EndpointRequest<(typeof BOT_ENDPOINTS)['putProcessor']>['body'],
  ): Promise<Processor> => {
    const processor_id = body.processor_id ?? crypto.randomUUID()
    const runner = plugins.runner(body.runner_id)
    const before = await runs.processors.get(processor_id)
    // What was given to one Runner in confidence is not handed to another.
    const stored = before?.runner_id === body.runner_id ? before.config : {}
    const config = 'manifest' in runner ? keepSecrets(runner.manifest.config_schema, stored, body.config) : body.config
    return { ...body, config, processor_id, workspace_uuid }
  }
  const storedProcessor = async (processorId: string): Promise<Processor> => {
    const processor = await runs.processors.get(processorId)
    if (processor === undefined) throw new HostError('not_found', `There is no processor "${processorId}".`)
    return processor
  }
  return {
    listPlatforms: async () => ({ items: (await platforms.known()).map(shownPlatform) }),
    listBots: async () => ({
      items: (await platforms.bots()).map((bot) => shownBot(bot, platforms.status(bot.bot_uuid))),
    }),
    getBot: async ({ params: { bot_uuid } }) => ({
      ...shownBot(await botOf(bot_uuid), platforms.status(bot_uuid)),
      account_id: platforms.adapter(bot_uuid)?.selfId ?? null,
      capabilities: (platforms.capabilities(bot_uuid) ?? null) as never,
    }),
    putBot: async ({ body }) => {
      const bot = await platforms.put(body)
      return shownBot(bot, platforms.status(bot.bot_uuid))
    },
    compareBot: async ({ body }) => ({ changed: [...(await platforms.changes(body))] }),
    removeBot: async ({ params }) => {
      await botOf(params.bot_uuid)
      await platforms.remove(params.bot_uuid)
      events.forgetBot(params.bot_uuid)
      return OK
    },
    getRoutes: async ({ params: { bot_uuid } }) => {
      await botOf(bot_uuid)
      const [routes, attached] = await Promise.all([events.routes(bot_uuid), events.subscriptions(bot_uuid)])
      return {
        routes: routes.map((route) => ({ ...route, filters: [...route.filters] as never })),
        plugin_processors: attached.map(({ processor_id, scope, enabled }) => ({ processor_id, scope, enabled })),
      }
    },
    setRoutes: async ({ params, body }) => {
      await events.setRouting(params.bot_uuid, body.routes.map(withRouteId), body.plugin_processors)
      return OK
    },
    dryRun: async ({ params, body: { event, event_id, routes, plugin_processors } }) => {
      const drafted = routes !== undefined || plugin_processors !== undefined
      const found = await events.dryRun(
        params.bot_uuid,
        {
          ...(event === undefined ? {} : { event: event as never }),
          ...(event_id === undefined ? {} : { event_id }),
        },
        drafted
          ? {
              ...(routes === undefined ? {} : { routes: routes.map(withRouteId) }),
              ...(plugin_processors === undefined ? {} : { subscriptions: plugin_processors }),
            }
          : undefined,
      )
      return { ...found, routes: [...found.routes], plugin_processors: [...found.plugin_processors] }
    },
    listProcessors: async () => ({
      items: (await runs.processors.list(workspace_uuid)).map(shownProcessor),
    }),
    getProcessor: async ({ params: { processor_id } }) => {
      const processor = await storedProcessor(processor_id)
      const runner = plugins.runner(processor.runner_id)
      const known = 'manifest' in runner
      return {
        ...(shownProcessor(processor) as object),
        runner: known ? shownRunner(runner) : null,
        fault: known ? null : runner.message,
        uses: await usesOf(rooms, processor),
      } as never
    },
    putProcessor: async ({ body }) => shownProcessor(await runs.processors.put(await processorOf(body))),
    compareProcessor: async ({ body }) => {
      const next = runs.processors.checked(await processorOf(body))
      const before = await runs.processors.get(next.processor_id)
      return { changed: changedFields(before, next), processor: shownProcessor(next) }
    },
    explainGrant: async ({ body: { processor_id, draft, event_type, event_id, bot_uuid } }) => {
      const processor =
        draft === undefined
          ? await storedProcessor(processor_id ?? '')
          : runs.processors.checked(await processorOf(draft))
      if (bot_uuid !== null) await botOf(bot_uuid)
      const envelope =
        event_id === undefined ? events.typical(processor, event_type, bot_uuid) : await events.envelope(event_id)
      if (envelope === undefined) throw new HostError('not_found', `There is no event ${event_id}.`, { at: 'event_id' })
      const things = runs.grantMatrix(processor, envelope, conversations.key(envelope, 'chat'))
      return { event_type: envelope.event_type, bot_uuid: envelope.bot_uuid, things: things.map((one) => ({ ...one })) }
    },
    removeProcessor: async ({ params }) => {
      await runs.processors.remove(params.processor_id)
      return OK
    },
  }
}

const withRouteId = <R extends { readonly route_id?: string | undefined }>(route: R) => ({
  ...route,
  route_id: route.route_id ?? crypto.randomUUID(),
})

const shownPlatform = ({ name, label, settings, fault }: KnownPlatform) => ({
  name,
  label,
  fault,
  settings: settings.map((setting) => ({
    name: setting.name,
    type: setting.type,
    label: setting.label,
    description: setting.description ?? null,
    required: setting.required ?? false,
    default: (setting.default ?? null) as never,
    options: [...(setting.options ?? [])],
  })),
})

/** The routes that lead to a processor, and the bots whose events it gets as well. */
async function usesOf({ platforms, events }: HandlerRooms, { processor_id }: Processor) {
  const uses = []
  for (const { bot_uuid, name: bot_name } of await platforms.bots()) {
    for (const route of await events.routes(bot_uuid)) {
      if (route.processor_id !== processor_id) continue
      const { route_id, event_pattern, enabled } = route
      uses.push({ bot_uuid, bot_name, route_id, event_pattern, enabled })
    }
    for (const { processor_id: attached, enabled } of await events.subscriptions(bot_uuid))
      if (attached === processor_id) uses.push({ bot_uuid, bot_name, route_id: null, event_pattern: null, enabled })
  }
  return uses
}
