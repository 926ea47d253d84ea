/** `runbound status` and `runbound login`: one look at a running host. */
import type { Client } from '@runbound/api'
import { findHost, type HostChoice } from '../place/connect.ts'
import { paint, type Terminal, table, timeText } from '../terminal/terminal.ts'

type Status = Awaited<ReturnType<Client['status']>>

/** Prints what runs. */
export async function status(terminal: Terminal, options: HostChoice): Promise<void> {
  const host = findHost(options)
  const found = await host.client.status()
  terminal.result({ url: host.url, ...found }, () => statusText(host.url, found))
}

/** Prints a fresh sign-in link. */
export async function login(terminal: Terminal, options: HostChoice): Promise<void> {
  const link = await findHost(options).client.loginLink()
  terminal.note('Works once, for 15 minutes. Whoever has it is signed in as the owner.')
  terminal.result(link, ({ url }) => url)
}

function statusText(url: string, { version, started_at, runs_active, bots, plugins }: Status): string {
  return [
    `Runbound ${version} at ${url}, since ${timeText(started_at)}; ${runs_active} active ${runs_active === 1 ? 'run' : 'runs'}`,
    '',
    table(
      ['BOT', 'PLATFORM', 'STATE', ''],
      bots.map((bot) => [bot.name, bot.platform, bot.enabled ? bot.state : 'off', bot.message ?? '']),
      'No bots.',
    ),
    '',
    table(
      ['PLUGIN', 'VERSION', 'FROM', 'STATE', ''],
      plugins.map((one) => [
        one.plugin_id,
        one.version,
        one.source,
        stateText(one.state),
        one.message ?? one.isolation,
      ]),
      'No plugins.',
    ),
  ].join('\n')
}

/** A plugin's state, in the colour of its news. */
export function stateText(state: Status['plugins'][number]['state']): string {
  if (state === 'failed' || state === 'backing_off') return paint('red', state)
  return state === 'ready' ? paint('green', state) : state
}
