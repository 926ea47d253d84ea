/** Finds the host that a command is for, and the key with which it may speak to it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, CLI_KEY_FILE, type Client, createClient } from '@runbound/api'
import { CliError } from '../errors.ts'
import { readHostFile } from './host-file.ts'
import { dataFolder, dataOption } from './installation.ts'

/** How a person says which host is meant. */
export interface HostChoice {
  /** Address; default: RUNBOUND_URL, else what `host.json` of the data folder says. */
  readonly url?: string
  /** Data folder; default: see {@link dataFolder}. */
  readonly data?: string
}

/** A host that can be asked. */
export interface FoundHost {
  readonly url: string
  readonly key: string
  readonly client: Client
}

/** CliError `no_host` when none is known here; that it answers is found out by the first call. */
export function findHost(choice: HostChoice, env: NodeJS.ProcessEnv = process.env): FoundHost {
  const folder = dataFolder(choice.data, env)
  const local = readHostFile(folder)
  const given = choice.url ?? (env.RUNBOUND_URL === '' ? undefined : env.RUNBOUND_URL)
  const url = given === undefined ? local?.url : baseOf(given)
  if (url === undefined) {
    throw new CliError(
      'no_host',
      `No host runs on the data folder ${folder}. Start one: runbound start${dataOption(folder)}; or name the one that runs, by its data folder (--data) or its address (--url).`,
    )
  }
  const key = keyFor(url, folder, local?.url, env)
  return { url, key, client: createClient({ url, key }) }
}

/** The host if it answers; undefined if there is none. Other faults (a wrong key, say) are thrown. */
export async function reachHost(choice: HostChoice, env: NodeJS.ProcessEnv = process.env) {
  let host: FoundHost
  try {
    host = findHost(choice, env)
  } catch (error) {
    if (CliError.is(error) && error.code === 'no_host') return undefined
    throw error
  }
  try {
    await host.client.status()
    return host
  } catch (error) {
    if (ApiError.is(error) && error.code === 'unreachable') return undefined
    throw error
  }
}

/** The key of the data folder goes to the host of that folder alone, never to an address that was typed in. */
function keyFor(url: string, folder: string, local: string | undefined, env: NodeJS.ProcessEnv): string {
  const given = env.RUNBOUND_API_KEY
  if (given !== undefined && given !== '') return given
  const file = join(folder, CLI_KEY_FILE)
  if (url === local && existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new CliError(
    'no_host',
    `There is no key for ${url}: ${local === undefined ? `no host runs on the data folder ${folder}` : `the host of ${folder} is ${local}`}. Name its data folder with --data, or set RUNBOUND_API_KEY.`,
  )
}

function baseOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError('usage', `"${given}" is no address. It looks like http://127.0.0.1:5490`)
  return url.origin
}
