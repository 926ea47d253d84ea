/** Commands for plugins that a host has: list, show, set, restart, enable, disable, remove, debug-key. */
import type { Client } from '@runbound/api'
import { at, list } from '../dev/runners.ts'
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import { stateText } from '../start/status.ts'
import { confirmed } from '../terminal/confirm.ts'
import { type Terminal, table, timeText } from '../terminal/terminal.ts'
import { describePlugin } from './describe.ts'
import { findPlugin } from './find-plugin.ts'

type Settings = Parameters<Client['setPluginSettings']>[0]['body']

/** Prints all installations. */
export async function listPlugins(terminal: Terminal, options: HostChoice): Promise<void> {
  const { items } = await findHost(options).client.listPlugins()
  terminal.result(items, () =>
    table(
      ['PLUGIN', 'VERSION', 'FROM', 'STATE', 'ID', ''],
      items.map((one) => [
        one.plugin_id,
        one.version,
        one.source,
        stateText(one.state),
        one.installation_uuid,
        one.message ?? '',
      ]),
      'No plugins.',
    ),
  )
}

/** Prints one installation with its manifest, settings and state. */
export async function showPlugin(terminal: Terminal, options: HostChoice, name: string): Promise<void> {
  const { client } = findHost(options)
  const status = await findPlugin(client, name)
  const found = await client.getPlugin({ params: status })
  terminal.result({ ...found, status }, () =>
    [
      describePlugin(found.manifest),
      '',
      `state      ${stateText(status.state)}${status.message === null ? '' : `: ${status.message}`}`,
      `since      ${timeText(status.since)}, ${status.restarts} restarts`,
      `isolation  ${status.isolation}; limits: ${status.limits}`,
      `from       ${found.source}${found.folder === null ? '' : ` ${found.folder}`}`,
      `approved   ${found.approved ? 'yes' : `no; run: runbound plugin approve ${found.plugin_id}`}`,
      `grant      ${JSON.stringify(found.installation_grant)}`,
      `settings   ${JSON.stringify(found.settings)}`,
      ...(found.kept_settings.length === 0 ? [] : [`kept       ${found.kept_settings.join(', ')}`]),
    ].join('\n'),
  )
}

/** Options as they were written; `unset` names settings. */
export interface SetOptions extends HostChoice {
  readonly unset: readonly string[]
}

/** Changes settings: `name=value`, the value read by the setting's type. CliError `usage` for what can't be read. */
export async function setPlugin(
  terminal: Terminal,
  options: SetOptions,
  name: string,
  changes: readonly string[],
): Promise<void> {
  if (changes.length + options.unset.length === 0)
    throw new CliError('usage', 'Say what to set: name=value, or --unset name.')
  const { client } = findHost(options)
  const found = await client.getPlugin({ params: await findPlugin(client, name) })
  const settings = {
    ...found.settings,
    ...Object.fromEntries(changes.map((change) => readChange(found.manifest, change))),
  }
  for (const gone of options.unset) delete settings[gone]
  const saved = await client.setPluginSettings({ params: found, body: settings })
  terminal.result({ plugin_id: saved.plugin_id, settings: saved.settings }, (value) => JSON.stringify(value.settings))
}

function readChange(manifest: unknown, change: string): [string, Settings[string]] {
  const cut = change.indexOf('=')
  if (cut < 1) throw new CliError('usage', `"${change}" is not name=value.`)
  const [name, text] = [change.slice(0, cut), change.slice(cut + 1)]
  const item = list(at(at(at(manifest, 'manifest'), 'spec'), 'config')).find((one) => at(one, 'name') === name)
  const type = at(item, 'type')
  if (type === 'string' || type === 'text' || type === 'secret' || type === 'select') return [name, text]
  try {
    return [name, JSON.parse(text)]
  } catch {
    return [name, text] // the host says what it expected
  }
}

/** A command that does one thing to one plugin and says so. */
function simple(done: string, act: (client: Client, installationUuid: string) => Promise<unknown>) {
  return async (terminal: Terminal, options: HostChoice, name: string): Promise<void> => {
    const { client } = findHost(options)
    const { installation_uuid, plugin_id } = await findPlugin(client, name)
    await act(client, installation_uuid)
    const now = (await client.listPlugins()).items.find((one) => one.installation_uuid === installation_uuid)
    terminal.result(
      { plugin_id, installation_uuid, done, state: now?.state ?? null },
      (value) => `${value.plugin_id} is ${done}${now === undefined ? '' : ` (${stateText(now.state)})`}.`,
    )
  }
}

/** Ends the process and starts it anew. */
export const restartPlugin = simple('restarted', (client, installation_uuid) =>
  client.restartPlugin({ params: { installation_uuid } }),
)
/** Switches a plugin on. */
export const enablePlugin = simple('switched on', (client, installation_uuid) =>
  client.enablePlugin({ params: { installation_uuid } }),
)
/** Switches a plugin off; its settings stay. */
export const disablePlugin = simple('switched off', (client, installation_uuid) =>
  client.disablePlugin({ params: { installation_uuid } }),
)

/** Options as they were written. */
export interface RemoveOptions extends HostChoice {
  readonly withData?: boolean
  readonly yes?: boolean
}

/** Removes a plugin; its private files only with `--with-data`. CliError `refused` without a yes. */
export async function removePlugin(terminal: Terminal, options: RemoveOptions, name: string): Promise<void> {
  const { client } = findHost(options)
  const { plugin_id, installation_uuid } = await findPlugin(client, name)
  const what = options.withData === true ? `${plugin_id} and its data` : plugin_id
  if (!(await confirmed(terminal, options.yes, `Remove ${what}?`)))
    throw new CliError('refused', 'Nothing was changed.')
  await client.removePlugin({
    params: { installation_uuid },
    query: { data: options.withData === true ? 'true' : 'false' },
  })
  terminal.result({ removed: plugin_id, installation_uuid }, () => `${what} is removed.`)
}

/** Prints a key for debug connections. */
export async function debugKey(terminal: Terminal, options: HostChoice): Promise<void> {
  const key = await findHost(options).client.debugKey()
  terminal.note(`For DEBUG_RUNTIME_WS_URL=${key.url}; ends at ${timeText(key.expires_at)}.`)
  terminal.result(key, (value) => value.key)
}
