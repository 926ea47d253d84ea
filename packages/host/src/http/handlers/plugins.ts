/** Endpoints of plugins. */
import type { PLUGIN_ENDPOINTS } from '@runbound/api'
import { HostError } from '../../errors.ts'
import type { Installation, Plugins, RunnerDescriptor } from '../../plugins/types.ts'
import type { Handlers } from '../api-routes.ts'
import { DEBUG_PATHS } from '../sockets.ts'
import { shownInstallation } from '../views.ts'
import { type HandlerRooms, OK } from './rooms.ts'

export function pluginHandlers(rooms: HandlerRooms): Handlers<typeof PLUGIN_ENDPOINTS> {
  const { plugins } = rooms
  const installation = (uuid: string): Installation => {
    const found = plugins.installation(uuid)
    if (found === undefined)
      throw new HostError('not_found', `There is no installation ${uuid}. \`runbound plugin list\` shows them.`)
    return found
  }
  return {
    listPlugins: () => ({
      items: plugins
        .list()
        .map((status) => ({ ...status, approved: plugins.installation(status.installation_uuid)?.approved ?? false })),
    }),
    getPlugin: ({ params }) => shownInstallation(installation(params.installation_uuid)),
    pluginStatus: ({ params }) => {
      const status = plugins.status(params.installation_uuid)
      if (status === undefined)
        throw new HostError('not_found', `There is no installation ${params.installation_uuid}.`)
      return status
    },
    pluginPermissions: ({ params }) => ({
      items: rooms.permissionsOf(installation(params.installation_uuid)).map((one) => ({ ...one })),
    }),
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
    listRunners: () => ({ items: plugins.runners().map(shownRunner) }),
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
  }
}

const runnerFacts = (runner: RunnerDescriptor) => ({
  runner_id: runner.runner_id,
  runner_name: runner.runner_name,
  installation_uuid: runner.installation_uuid,
  plugin_id: runner.plugin_id,
  usages: [...runner.manifest.usages],
  events: [...runner.manifest.supported_event_patterns],
  manifest: runner.manifest as never,
})

/** Runners as `status` lists them. */
export const runnersOf = (plugins: Plugins) => plugins.runners().map(runnerFacts)

/** A Runner with what a form needs. */
export function shownRunner(runner: RunnerDescriptor) {
  const { label, description, config_schema, capabilities, permissions } = runner.manifest
  return {
    ...runnerFacts(runner),
    plugin_version: runner.plugin_version,
    label: textOf(label) ?? runner.runner_name,
    description: textOf(description),
    config_schema: config_schema.map((item) => ({ ...item })) as never,
    capabilities: { ...capabilities } as never,
    permissions: { ...permissions } as never,
  }
}

/** Texts of manifests come in several languages: the English one, else any. */
function textOf(text: unknown): string | null {
  if (typeof text === 'string') return text === '' ? null : text
  if (typeof text !== 'object' || text === null) return null
  const texts = Object.entries(text).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return (texts.find(([language]) => language.startsWith('en')) ?? texts[0])?.[1] ?? null
}
