/**
 * The oracle for kill tests: a fake platform in a process of its own. `spawnOracle` starts it, `oraclePlatform` is the
 * adapter by which a host uses it, and its log says what the people in the chats really got.
 */
import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@runbound/protocol'
import type {
  AdapterCapabilities,
  AdapterInstance,
  AdapterServices,
  OutgoingMessage,
  OutgoingStream,
  PlatformDefinition,
  StreamTarget,
} from './adapter.ts'
import { AdapterError, ConfigError } from './errors.ts'
import { decodeLine } from './json-lines.ts'
import { OracleClient } from './oracle-client.ts'
import type { OracleEntry } from './oracle-messages.ts'
import { SCRIPTABLE_DEFAULTS } from './scripted-adapter.ts'

export { OracleClient } from './oracle-client.ts'
export type { OracleCalls, OracleEntry, OracleState } from './oracle-messages.ts'
export { type OracleServer, openOracle } from './oracle-server.ts'

export interface Oracle {
  /** Setting `port` of bots on platform `oracle`. */
  readonly port: number
  /** Calls of a test: `emit`, `say`, `script`, `lose_streams`, `state`, `forget`. */
  readonly control: OracleClient
  readonly logFile: string
  /** What the log says now. A torn last line would be an error: the oracle is never killed. */
  log(): Promise<OracleEntry[]>
  /** Ends the process. Idempotent. */
  stop(): Promise<void>
}

/** Starts an oracle process whose log is `oracle.log` in this folder. It ends with its parent. */
export async function spawnOracle(folder: string): Promise<Oracle> {
  const logFile = join(folder, 'oracle.log')
  const child = fork(new URL('./scriptable-process.ts', import.meta.url), [logFile], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(Number(message)))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The oracle ended with code ${code} before it listened.`)))
  })
  const control = await OracleClient.open({ port, bot: null })
  return {
    port,
    control,
    logFile,
    log: () => readOracleLog(logFile),
    stop: async () => {
      control.close()
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await ended
    },
  }
}

/** Reads an oracle's log. */
export async function readOracleLog(logFile: string): Promise<OracleEntry[]> {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => decodeLine(line) as OracleEntry)
}

/** The platform `oracle`: a bot whose chats live in an oracle process on this machine. */
export const oraclePlatform: PlatformDefinition = {
  name: 'oracle',
  label: 'Oracle (tests)',
  settings: [
    { name: 'port', type: 'integer', label: 'Port of the oracle on 127.0.0.1', required: true },
    {
      name: 'streaming_interval_ms',
      type: 'integer',
      label: 'Shortest time between two edits; negative: no native streams',
      default: -1,
    },
    { name: 'proves_delivery', type: 'boolean', label: 'The outcome of a send can be asked for', default: false },
    { name: 'max_text', type: 'integer', label: 'Longest text of one message', default: 4096 },
  ],
  check: (settings) => void readSettings(settings),
  create: (settings, services) => oracleAdapter(readSettings(settings), services),
}

function readSettings(settings: JsonObject): { readonly port: number; readonly capabilities: AdapterCapabilities } {
  const whole = (name: string, fallback: number | null, min: number) => {
    const value = settings[name] ?? fallback
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min)
      throw new ConfigError(name, `must be a whole number from ${min}.`)
    return value
  }
  const port = whole('port', null, 1)
  const interval = whole('streaming_interval_ms', -1, -1)
  const proves = settings.proves_delivery ?? false
  if (typeof proves !== 'boolean') throw new ConfigError('proves_delivery', 'must be true or false.')
  return {
    port,
    capabilities: {
      ...SCRIPTABLE_DEFAULTS,
      streaming: interval < 0 ? null : { minIntervalMs: interval },
      provesDelivery: proves,
      limits: { ...SCRIPTABLE_DEFAULTS.limits, maxText: whole('max_text', 4096, 1) },
    },
  }
}

function oracleAdapter(
  { port, capabilities }: { port: number; capabilities: AdapterCapabilities },
  services: AdapterServices,
): AdapterInstance {
  let client: OracleClient | null = null
  const connected = () => {
    if (client === null) throw new AdapterError('unavailable', 'The bot is not running.')
    return client
  }
  const stream = (message_id: string): OutgoingStream => ({
    update: async (text) => {
      await connected().call('edit_stream', { message_id, operation: 'update', text })
    },
    finish: (text) => connected().call('edit_stream', { message_id, operation: 'finish', text }),
    abort: (text) => connected().call('edit_stream', { message_id, operation: 'abort', text }),
  })
  return {
    capabilities,
    start: async () => {
      if (client !== null) return
      client = await OracleClient.open({
        port,
        bot: { bot_uuid: services.bot_uuid, capabilities },
        onEvent: (incoming) => services.emit(incoming),
      })
      await client.call('start', null)
    },
    stop: async () => {
      const ending = client
      client = null
      await ending?.call('stop', null).catch(() => {})
      ending?.close()
    },
    send: async (message, signal) => connected().call('send', message, signal),
    api: async (action, params, signal) => connected().call('api', { action, params }, signal),
    typing: async (target) => {
      await connected().call('typing', target)
    },
    ...(capabilities.streaming === null
      ? {}
      : {
          openStream: async (message: Omit<OutgoingMessage, 'chain'>, text: string, signal: AbortSignal) => {
            const { message_id } = await connected().call('open_stream', { message, text }, signal)
            return { message_id, stream: stream(message_id ?? '') }
          },
          resumeStream: async ({ message, message_id }: StreamTarget) => {
            const { open } = await connected().call('resume_stream', { message, message_id })
            return open ? stream(message_id ?? '') : null
          },
        }),
    ...(capabilities.provesDelivery
      ? { outcome: async (delivery_key: string) => connected().call('outcome', { delivery_key }) }
      : {}),
  }
}
