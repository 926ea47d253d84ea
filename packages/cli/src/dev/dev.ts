/** `runbound dev DIR`: a plugin in its author's folder, loaded anew on each save, with a web chat to try it in. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError } from '../errors.ts'
import { type FoundHost, findHost, type HostChoice, reachHost } from '../place/connect.ts'
import { dataFolder, dataOption } from '../place/installation.ts'
import { type StartOptions, startLocal } from '../start/start.ts'
import { stopSignal } from '../terminal/stop-signal.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { type DevBench, restBench, setUpBench } from './bench.ts'
import { followPlugin } from './follow.ts'
import { grantsLine, needsYes } from './grants-line.ts'
import { type Loaded, loadFirst } from './load-first.ts'

/** How long runs may go on after Ctrl-C in a host that was started for development. Milliseconds. */
const DRAIN_MS = 2_000

/** Options as they were written: which host, or how to start one. */
export type DevOptions = HostChoice & StartOptions

/** Serves until Ctrl-C. CliError when there is no such folder, or when the host goes. */
export async function dev(terminal: Terminal, options: DevOptions, directory: string): Promise<void> {
  const folder = resolve(directory)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CliError('usage', `There is no folder ${folder}. \`runbound plugin new NAME\` makes a plugin.`)
  const signal = stopSignal()
  const attached = await reachHost(options)
  if (attached !== undefined) return session(terminal, attached, folder, signal, options.data)
  terminal.note(paint('dim', 'No host answers; starting one.'))
  const own = await startLocal(options, withoutPlugins)
  try {
    await session(terminal, findHost({ data: options.data, url: own.http?.url }), folder, signal, options.data)
  } finally {
    await own.stop({ drainMs: DRAIN_MS })
    terminal.note('Stopped.')
  }
}

/** One development session; the signal ends it. */
async function session(
  terminal: Terminal,
  host: FoundHost,
  folder: string,
  signal: AbortSignal,
  data?: string,
): Promise<void> {
  const { client } = host
  const following = await followPlugin(client, signal)
  const loaded = await loadFirst({ client, folder, terminal, signal })
  if (loaded === undefined) return
  const params = { installation_uuid: loaded.installation_uuid }
  const bench = await setUpBench(client, loaded)
  const login = await client.loginLink()
  const over = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  terminal.event(readyOf(host, folder, loaded, bench, login.url, data), readyText)
  following.start({ ...params, folder }, terminal, async () => {
    const { faults } = await setUpBench(client, await client.getPlugin({ params }))
    for (const fault of faults) terminal.note(paint('yellow', fault))
  })
  await Promise.race([over, following.lost])
  await restBench(client, loaded)
  await client.endDevPlugin({ params })
}

/** What plugins print is shown as news of the session; the host's own log keeps to the host. */
const withoutPlugins = {
  write: (line: string): void => {
    if (!line.includes('"from":"plugin"')) process.stderr.write(line)
  },
}

function readyOf(host: FoundHost, folder: string, loaded: Loaded, bench: DevBench, login_url: string, data?: string) {
  return {
    event: 'ready',
    url: host.url,
    chat_url: `${host.url}/bots/${bench.bot_uuid}/`,
    login_url,
    folder,
    installation_uuid: loaded.installation_uuid,
    plugin_id: loaded.plugin_id,
    version: loaded.version,
    runners: bench.runners,
    faults: bench.faults,
    needs_yes: needsYes(loaded),
    data: dataFolder(data),
  }
}

function readyText(ready: ReturnType<typeof readyOf>): string {
  const label = (text: string): string => paint('dim', text.padEnd(9))
  return [
    `${paint(['bold', 'green'], `${ready.plugin_id} ${ready.version}`)} is loaded from ${ready.folder}`,
    '',
    ...ready.runners.map(({ name, usage, gets }) => `${label(usage === 'agent' ? 'Agent' : 'Event')}${name}: ${gets}`),
    ...grantsLine(label('Grants'), ready.needs_yes),
    ...ready.faults.map((fault) => paint('yellow', fault)),
    `${label('Chat')}${paint('underline', ready.chat_url)}  or: echo hi | runbound chat --once${dataOption(ready.data)}`,
    `${label('Sign in')}${paint(['cyan', 'underline'], ready.login_url)}`,
    '',
    paint('dim', 'Each save is loaded at once. Ctrl-C ends.'),
  ].join('\n')
}
