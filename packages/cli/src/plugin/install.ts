/** `runbound plugin install` and `approve`: the operator sees what a package is before anything of it runs. */
import { resolve } from 'node:path'
import type { Client } from '@runbound/api'
import { readPackage } from '@runbound/host'
import { at, list, runnersOf } from '../dev/runners.ts'
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import { confirmed } from '../terminal/confirm.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { describePlugin } from './describe.ts'
import { findPlugin, type PluginLine } from './find-plugin.ts'

/** Options as they were written; `grant` is JSON. */
export interface ApproveOptions extends HostChoice {
  readonly yes?: boolean
  readonly acceptNotIsolated?: boolean
  readonly grant?: string
}

type Installation = Awaited<ReturnType<Client['getPlugin']>>

/** How long the plugin may take to start before its state is told as it is. Milliseconds. */
const START_MS = 20_000

/**
 * Installs a packed folder of this machine and approves what was shown. The version before serves until the yes. CliError
 * `refused` without one.
 */
export async function installPlugin(terminal: Terminal, options: ApproveOptions, path: string): Promise<void> {
  const { client } = findHost(options)
  const read = readPackage(resolve(path))
  const known = (await client.listPlugins()).items.find(
    (one) => one.plugin_id === read.plugin_id && one.source === 'package',
  )
  const before = known === undefined ? undefined : await client.getPlugin({ params: known })
  if (known !== undefined && before !== undefined && isThere(before, read) && serves(known, before, options))
    return terminal.result(
      { ...before, state: known.state, message: known.message, changed: false },
      () => `${before.plugin_id} ${before.version} is already installed, nothing changed (${known.state}).`,
    )
  terminal.note(describePlugin(read.manifest))
  if (before !== undefined) terminal.note(changeText(before, read.version, settingsOf(read.manifest)))
  await needYes(terminal, options, 'Install and approve this?')
  const installed = await client.installPlugin({ body: { path: resolve(path) } })
  if (!isThere(installed, read))
    throw new CliError(
      'refused',
      `The package changed while you looked at it: it is installed, but not approved. Look at it again, then approve it: runbound plugin approve ${installed.plugin_id}`,
    )
  await approve(terminal, client, installed, options)
}

type Digests = Pick<Installation, 'manifest_digest' | 'package_digest'>

/** The same manifest and the same bytes. */
function isThere(installed: Digests, read: Digests): boolean {
  return installed.manifest_digest === read.manifest_digest && installed.package_digest === read.package_digest
}

/** It runs as it is (or is switched off on purpose), and no other rights were asked for. */
function serves(known: PluginLine, installed: Installation, options: ApproveOptions): boolean {
  const asIs =
    options.grant === undefined && (options.acceptNotIsolated !== true || installed.isolation === 'accepted_none')
  return known.approved && asIs && (known.state === 'ready' || known.state === 'disabled')
}

/** Approves what is installed now. CliError `refused` without a yes. */
export async function approvePlugin(terminal: Terminal, options: ApproveOptions, name: string): Promise<void> {
  const { client } = findHost(options)
  const found = await client.getPlugin({ params: await findPlugin(client, name) })
  terminal.note(describePlugin(found.manifest))
  await needYes(terminal, options, 'Approve this?')
  await approve(terminal, client, found, options)
}

async function needYes(terminal: Terminal, options: ApproveOptions, question: string): Promise<void> {
  if (options.acceptNotIsolated === true)
    terminal.note(paint('yellow', 'Where the system has no isolation, it runs with the rights of the host itself.'))
  if (!(await confirmed(terminal, options.yes, question))) throw new CliError('refused', 'Nothing was changed.')
}

async function approve(terminal: Terminal, client: Client, shown: Installation, options: ApproveOptions) {
  const params = { installation_uuid: shown.installation_uuid }
  const { manifest_digest, package_digest } = shown
  const approved = await client.approvePlugin({
    params,
    body: {
      manifest_digest,
      package_digest,
      ...(options.grant === undefined ? {} : { grant: grantOf(options.grant) }),
      ...(options.acceptNotIsolated === true ? { accept_not_isolated: true } : {}),
    },
  })
  const status = await started(client, shown.installation_uuid)
  terminal.result({ ...approved, state: status.state, message: status.message }, () =>
    status.state === 'ready'
      ? `${paint('green', `${approved.plugin_id} ${approved.version} is approved and ready`)} (${status.isolation})`
      : `${approved.plugin_id} ${approved.version} is approved; it is ${status.state}: ${status.message ?? ''}`,
  )
  if (status.state === 'ready')
    for (const { runner_id } of runnersOf(approved).slice(0, 1))
      terminal.note(`Next: lead messages to it: \`runner: ${runner_id}\` in a set-up file, and runbound apply -f FILE`)
  if (status.state !== 'ready' && status.state !== 'disabled')
    throw new CliError('failed', `${approved.plugin_id} did not start: ${status.message ?? status.state}`)
}

async function started(client: Client, installationUuid: string) {
  const until = Date.now() + START_MS
  for (;;) {
    const status = await findPlugin(client, installationUuid)
    if (status.state !== 'starting' || Date.now() > until) return status
    await new Promise((next) => setTimeout(next, 100))
  }
}

/** The installation grant as JSON; the host checks it. */
function grantOf(text: string): Parameters<Client['approvePlugin']>[0]['body']['grant'] {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CliError('usage', `--grant is JSON, such as '{"apis":["send_message"]}'.`, { cause })
  }
}

function settingsOf(manifest: unknown): string[] {
  return list(at(at(at(manifest, 'manifest'), 'spec'), 'config')).map((item) => String(at(item, 'name')))
}

/** What becomes of the settings that were saved. */
function changeText(before: Installation, version: string, names: readonly string[]): string {
  const had = Object.keys(before.settings)
  const gone = had.filter((name) => !names.includes(name))
  const fresh = names.filter((name) => !had.includes(name))
  return [
    `It takes the place of ${before.version}${before.version === version ? ' (other files)' : ''}; its settings stay.`,
    ...(fresh.length === 0 ? [] : [`  new settings: ${fresh.join(', ')}`]),
    ...(gone.length === 0 ? [] : [`  no longer used, kept for the way back: ${gone.join(', ')}`]),
  ].join('\n')
}
