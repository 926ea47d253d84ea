/** What each endpoint does: calls a room, shows its answer. No business rules here. */
import { statSync } from 'node:fs'
import type { EndpointRequest, Endpoints } from '@runbound/api'
import type { RunEventPage, RunPage } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Delivery } from '../delivery/types.ts'
import { HostError } from '../errors.ts'
import type { Events } from '../events/types.ts'
import type { Identity } from '../identity/types.ts'
import type { Bot, Platforms } from '../platforms/types.ts'
import type { Installation, Plugins } from '../plugins/types.ts'
import type { Processor, Runs } from '../runs/types.ts'
import { hideSecrets, keepSecrets } from '../secret-values.ts'
import type { Trail } from '../trail/types.ts'
import type { ApiHandlers } from './api-routes.ts'
import { signOut } from './login.ts'
import { DEBUG_PATHS } from './sockets.ts'
import { changedFields, shownGrant, shownSettings } from './views.ts'

export interface HandlerRooms {
  readonly version: string
  readonly startedAt: number
  readonly platformNames: readonly string[]
  readonly store: Store
  readonly clock: Clock
  readonly identity: Identity
  readonly platforms: Platforms
  readonly plugins: Plugins
  readonly events: Events
  readonly runs: Runs
  readonly delivery: Delivery
  readonly trail: Trail
  /** The address of this host, once it listens. */
  readonly url: () => string
}

const OK = { ok: true } as const

export function apiHandlers(rooms: HandlerRooms): ApiHandlers {
  const { identity, platforms, plugins, events, runs, delivery, trail, store } = rooms
  const workspace_uuid = identity.workspace_uuid

  const shownBot = (bot: Bot) => {
    const { state, message } = platforms.status(bot.bot_uuid)
    return {
      bot_uuid: bot.bot_uuid,
      name: bot.name,
      platform: bot.platform,
      settings: bot.settings as never,
      admins: [...bot.admins],
      enabled: bot.enabled,
      state,
      message,
    }
  }
  const shownInstallation = (one: Installation) => ({
    installation_uuid: one.installation_uuid,
    plugin_id: one.plugin_id,
    version: one.version,
    source: one.source,
    folder: one.folder,
    manifest: one.manifest as never,
    manifest_digest: one.manifest_digest,
    package_digest: one.package_digest,
    approved: one.approved,
    enabled: one.enabled,
    ...shownSettings(one),
    installation_grant: shownGrant(one),
    isolation: one.isolation,
  })
  const shownProcessor = ({ workspace_uuid: _own, ...processor }: Processor) => {
    const runner = plugins.runner(processor.runner_id)
    const config = 'manifest' in runner ? hideSecrets(runner.manifest.config_schema, processor.config) : {}
    return { ...processor, config } as never
  }
  const processorOf = async (body: EndpointRequest<Endpoints['putProcessor']>['body']): Promise<Processor> => {
    const processor_id = body.processor_id ?? crypto.randomUUID()
    const runner = plugins.runner(body.runner_id)
    const stored = (await runs.processors.get(processor_id))?.config ?? {}
    const config = 'manifest' in runner ? keepSecrets(runner.manifest.config_schema, stored, body.config) : body.config
    return { ...body, config, processor_id, workspace_uuid }
  }
  const installation = (uuid: string): Installation => {
    const found = plugins.installation(uuid)
    if (found === undefined)
      throw new HostError('not_found', `There is no installation ${uuid}. \`runbound plugin list\` shows them.`)
    return found
  }
  const needRun = async (runId: string) => {
    const run = await runs.get(runId)
    if (run === undefined)
      throw new HostError('not_found', `There is no run ${runId}. \`runbound runs list\` shows the newest.`)
    return run
  }
  const page = (value: RunPage | RunEventPage) => ({
    items: [...value.items] as never,
    next_cursor: value.next_cursor,
    prev_cursor: value.prev_cursor,
    has_more: value.has_more,
  })
  const runners = () =>
    plugins.runners().map((runner) => ({
      runner_id: runner.runner_id,
      runner_name: runner.runner_name,
      installation_uuid: runner.installation_uuid,
      plugin_id: runner.plugin_id,
      usages: [...runner.manifest.usages],
      events: [...runner.manifest.supported_event_patterns],
      manifest: runner.manifest as never,
    }))

  return {
    status: async () => ({
      version: rooms.version,
      instance_uuid: identity.instance_uuid,
      workspace_uuid,
      started_at: rooms.startedAt,
      runs_active: runs.active,
      plugins: [...plugins.list()],
      bots: (await platforms.bots()).map(shownBot),
      runners: runners(),
      platforms: [...rooms.platformNames],
    }),
    inspect: async () => {
      const facts = await store.inspect()
      return { ...facts, rows: { ...facts.rows } }
    },
    backup: async ({ body }) => {
      await store.backup(body.file)
      return { file: body.file, bytes: statSync(body.file).size }
    },
    loginLink: async () => {
      const link = await identity.loginLink()
      return { url: `${rooms.url()}/login/${link.token}`, expires_at: link.expires_at }
    },
    signOut: async (_request, _principal, headers) => {
      await signOut(identity, headers)
      return OK
    },

    listPlugins: () => ({
      items: plugins
        .list()
        .map((status) => ({ ...status, approved: plugins.installation(status.installation_uuid)?.approved ?? false })),
    }),
    getPlugin: ({ params }) => shownInstallation(installation(params.installation_uuid)),
    installPlugin: async ({ body }) => shownInstallation(await plugins.install({ path: body.path })),
    approvePlugin: async ({ params, body }) => shownInstallation(await plugins.approve(params.installation_uuid, body)),
    setPluginSettings: async ({ params, body }) =>
      shownInstallation(await plugins.setSettings(params.installation_uuid, body)),
    enablePlugin: async ({ params }) => {
      await plugins.setEnabled(params.installation_uuid, true)
      return OK
    },
    disablePlugin: async ({ params }) => {
      await plugins.setEnabled(params.installation_uuid, false)
      return OK
    },
    restartPlugin: async ({ params }) => {
      await plugins.restart(params.installation_uuid)
      return OK
    },
    removePlugin: async ({ params, query }) => {
      await plugins.remove(params.installation_uuid, { data: query.data === 'true' })
      return OK
    },
    pluginLogs: ({ params, query }) => {
      installation(params.installation_uuid)
      return { items: [...plugins.logs(params.installation_uuid, query.limit)] }
    },
    devPlugin: async ({ body }) => shownInstallation((await plugins.dev(body.folder)).installation),
    endDevPlugin: async ({ params }) => {
      if (!(await plugins.endDev(params.installation_uuid)))
        throw new HostError('not_found', 'There is no such development session.')
      return OK
    },
    debugKey: async () => ({
      ...(await plugins.newDebugKey()),
      url: `${rooms.url().replace(/^http/, 'ws')}${DEBUG_PATHS[0]}`,
    }),

    putBot: async ({ body }) => shownBot(await platforms.put(body)),
    compareBot: async ({ body }) => ({ changed: [...(await platforms.changes(body))] }),
    removeBot: async ({ params }) => {
      await platforms.remove(params.bot_uuid)
      events.forgetBot(params.bot_uuid)
      return OK
    },
    getRoutes: async ({ params }) => ({
      routes: (await events.routes(params.bot_uuid)).map((route) => ({
        ...route,
        filters: [...route.filters] as never,
      })),
      plugin_processors: (await events.subscriptions(params.bot_uuid)).map(({ processor_id, scope, enabled }) => ({
        processor_id,
        scope,
        enabled,
      })),
    }),
    setRoutes: async ({ params, body }) => {
      await events.setRoutes(
        params.bot_uuid,
        body.routes.map((route) => ({ ...route, route_id: route.route_id ?? crypto.randomUUID() })),
      )
      await events.setSubscriptions(params.bot_uuid, body.plugin_processors)
      return OK
    },
    listProcessors: async () => ({
      items: (await runs.processors.list(workspace_uuid)).map(shownProcessor),
    }),
    putProcessor: async ({ body }) => shownProcessor(await runs.processors.put(await processorOf(body))),
    compareProcessor: async ({ body }) => {
      const next = runs.processors.checked(await processorOf(body))
      const before = await runs.processors.get(next.processor_id)
      return { changed: changedFields(before, next), processor: shownProcessor(next) }
    },
    removeProcessor: async ({ params }) => {
      await runs.processors.remove(params.processor_id)
      return OK
    },

    listRuns: async ({ query }) =>
      page(
        await runs.list({
          workspace_uuid,
          processor_id: query.processor_id ?? null,
          statuses: query.status === undefined ? null : query.status.split(','),
          before_cursor: query.before_cursor ?? null,
          limit: query.limit,
        }),
      ),
    getRun: async ({ params }) => needRun(params.run_id),
    runEvents: async ({ params, query }) => {
      await needRun(params.run_id)
      return page(
        await runs.events({
          run_id: params.run_id,
          before_cursor: query.before_cursor ?? null,
          after_cursor: query.after_cursor ?? null,
          limit: query.limit,
          direction: query.direction,
        }),
      )
    },
    runGrant: async ({ params }) => (await runs.explain(params.run_id)) ?? notRun(params.run_id),
    runTrace: async ({ params }) => ({ items: [...(await runs.trace(params.run_id))] as never }),
    cancelRun: async ({ params, body }, principal) => {
      await needRun(params.run_id)
      const id = principal.kind === 'session' ? principal.account.account_id : principal.key_id
      return { cancelled: await runs.cancel(params.run_id, { kind: 'operator', id }, body.reason) }
    },

    why: async ({ params }) => {
      const verdict = await trail.why(params.event_id)
      if (verdict === null)
        throw new HostError(
          'not_found',
          `Nothing is known of event ${params.event_id}: it never reached this host, or its trail has been deleted.`,
        )
      return {
        event_id: params.event_id,
        code: verdict.code,
        sentence: verdict.sentence,
        answered: verdict.answered,
        who: verdict.who,
        entries: verdict.entries.map((entry) => ({ ...entry })),
      }
    },
    debugEvent: async ({ body }) => events.acceptDebug({ ...body, event: body.event as never }),
    listDeliveries: async ({ query }) => ({
      items: [
        ...(await delivery.list({
          workspace_uuid,
          states: query.state === undefined ? null : query.state.split(','),
          limit: query.limit,
        })),
      ],
    }),
    resend: async ({ params }) => {
      await delivery.resend(params.delivery_id)
      return OK
    },
    discard: async ({ params }) => {
      await delivery.discard(params.delivery_id)
      return OK
    },
  }
}

function notRun(runId: string): never {
  throw new WireError('not_found', `There is no run ${runId}.`)
}
