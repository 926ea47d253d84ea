/** Puts the parts of the web chat together as an adapter instance, and owns its start and stop. */
import {
  type AdapterCapabilities,
  AdapterError,
  type AdapterInstance,
  type AdapterServices,
  type AdapterSocket,
  ConfigError,
} from '@runbound/platform-kit'
import { MessageChainSchema } from '@runbound/protocol/schemas'
import { API_NAMES, type ApiParts, callApi } from './apis.ts'
import { Commands } from './commands.ts'
import { Emitter } from './emitter.ts'
import { EventBuilder } from './events.ts'
import { FileStore } from './files.ts'
import { createHttp } from './http.ts'
import { Hub } from './hub.ts'
import { JournalError } from './journal.ts'
import { LIMITS, type Limits } from './limits.ts'
import { BOT_ID } from './model.ts'
import { Outbound } from './outbound.ts'
import type { Scene } from './plan.ts'
import { FIRE_EVENTS, Session } from './session.ts'
import { Store } from './store.ts'

const SWEEP_MS = 60 * 60 * 1000

function capabilities(limits: Limits): AdapterCapabilities {
  return {
    events: ['message.received', 'message.edited', 'message.deleted', 'message.reaction', ...FIRE_EVENTS],
    apis: API_NAMES,
    streaming: { minIntervalMs: 40 },
    edit: true,
    reaction: true,
    quote: true,
    send: true,
    provesDelivery: true,
    interactions: null,
    limits: { maxText: limits.maxText, unit: 'utf16', maxAttachments: limits.maxAttachments },
  }
}

/** A web chat in `services.folder`. Throws ConfigError without one: what is said has to survive a restart. */
export function createWebchat(services: AdapterServices, overrides: Partial<Limits> = {}): AdapterInstance {
  const { folder } = services
  if (folder === undefined) {
    throw new ConfigError('folder', 'the web chat keeps its messages on disk. Start the host with a data folder.')
  }
  const limits: Limits = { ...LIMITS, ...overrides }
  const now = () => services.now()
  const hub = new Hub()
  const store = new Store(folder, limits, {
    committed: (records, world) => hub.publish(records, world),
    reset: (cause) => {
      services.log('error', `The message log could not be written: ${describe(cause)}`)
      hub.broadcast({ type: 'reset' })
    },
  })
  const files = new FileStore(folder, limits, now)
  const build = new EventBuilder(services.bot_uuid, services.bot_name)
  const scene = (): Scene => ({ world: store.world, build, limits, now: now() })
  const emitter = new Emitter(store, files, services)
  const commands = new Commands({ store, files, emitter, build, limits, services })
  const outbound = new Outbound({ store, files, hub, scene })
  const api: ApiParts = {
    store,
    files,
    scene,
    emit: (key) => void emitter.emit(key),
    readChain: (value) => {
      const read = MessageChainSchema.safeParse(value)
      if (!read.success) throw new AdapterError('invalid', `"new_content" is no message chain: ${read.error.message}`)
      return read.data
    },
  }
  let state: 'new' | 'running' | 'stopped' = 'new'
  let sweeper: NodeJS.Timeout | undefined

  const sweep = async (): Promise<void> => {
    const used = store.world.filesInUse()
    const gone = await files.sweep((id) => used.has(id))
    await store.commit(gone.filter((id) => store.world.files.has(id)).map((id) => ({ t: 'file_gone', id })))
  }

  async function start(): Promise<void> {
    try {
      await store.open(now())
      await files.open()
    } catch (error) {
      // The message names the file and what to do with it.
      throw error instanceof JournalError ? new AdapterError('invalid', error.message, { cause: error }) : error
    }
    state = 'running'
    const tidy = () => void sweep().catch((error) => services.log('warning', `Old files stay: ${describe(error)}`))
    tidy()
    sweeper = setInterval(tidy, SWEEP_MS).unref()
    emitter.resume()
  }

  async function stop(): Promise<void> {
    if (state === 'stopped') return
    state = 'stopped'
    clearInterval(sweeper)
    hub.closeAll()
    await store.close()
  }

  function connect(socket: AdapterSocket): void {
    if (state !== 'running') socket.close(1013, 'the bot is not running')
    else if (hub.size >= limits.maxSockets) socket.close(1013, `more than ${limits.maxSockets} pages are open`)
    else new Session({ store, hub, commands, limits, services }, socket)
  }

  services.signal.addEventListener('abort', () => void stop(), { once: true })
  return {
    capabilities: capabilities(limits),
    selfId: BOT_ID,
    start,
    stop,
    send: (message, signal) => outbound.send(message, signal),
    openStream: (message, text, signal) => outbound.openStream(message, text, signal),
    resumeStream: (target) => outbound.resumeStream(target),
    outcome: (key) => outbound.outcome(key),
    api: (action, params) => callApi(api, action, params),
    typing: async (target) => hub.broadcast({ type: 'typing', chat: outbound.chat(target), user_id: BOT_ID }),
    http: { auth: 'session', handle: createHttp({ botUuid: services.bot_uuid, store, files, limits }) },
    socket: connect,
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
