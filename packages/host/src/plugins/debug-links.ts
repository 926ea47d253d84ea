/** Debug connections over WebSocket: keys of a workspace, checked at registration and at each action afterwards. */
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingRequest, PackageManifest, Peer, Transport } from '@runbound/link'
import { type JsonObject, WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import { manifestDigest } from './digest.ts'
import { checkManifest } from './package.ts'
import { type Registration, register } from './registration.ts'
import { setupStateOf } from './setup-state.ts'
import { registeredManifest } from './starters.ts'
import * as sql from './statements.ts'
import type { Instance, Starter } from './supervised.ts'

const KEY_BYTES = 48
const KEY_MS = 2 * 3_600_000
const REGISTER_MS = 15_000

export interface DebugOptions {
  readonly store: Store
  readonly clock: Clock
  readonly workspace_uuid: string
  request(request: IncomingRequest, peer: Peer): JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>
  onNoise(text: string): void
}

export interface DebugInstance extends Instance {
  readonly manifest: PackageManifest
  readonly manifest_digest: string
}

export class DebugLinks {
  #options: DebugOptions

  constructor(options: DebugOptions) {
    this.#options = options
  }

  async newKey(): Promise<{ key: string; expires_at: number }> {
    const { store, clock, workspace_uuid } = this.#options
    const key = randomBytes(KEY_BYTES).toString('base64url')
    const now = clock.now()
    const expires_at = now + KEY_MS
    await store.commit([
      sql.deleteOldDebugKeys({ now }),
      sql.insertDebugKey({ key_hash: hash(key), workspace_uuid, now, expires_at }),
    ])
    return { key, expires_at }
  }

  /** Keys with which a plugin could connect now. */
  async living(): Promise<number> {
    const { store, clock, workspace_uuid } = this.#options
    return (await store.first(sql.livingDebugKeys({ workspace_uuid, now: clock.now() })))?.keys ?? 0
  }

  /** When the key ends, in milliseconds; null: unknown, expired or revoked. */
  async expiry(key: string): Promise<number | null> {
    const found = await this.#options.store.first(sql.debugKey({ key_hash: hash(key), now: this.#options.clock.now() }))
    return found?.expires_at ?? null
  }

  /** Takes an accepted socket. Rejects, after telling the plugin, when the key or the manifest does not fit. */
  async attach(transport: Transport, key: string): Promise<DebugInstance> {
    const expires = await this.expiry(key)
    if (expires === null) {
      await transport.close('the debug key is not known or has expired')
      throw new WireError(
        'key_expired',
        'The debug key is not known or has expired. Make a new one: runbound plugin debug-key',
      )
    }
    const { clock } = this.#options
    let manifest: PackageManifest | undefined
    let held: Peer | undefined
    const { peer } = await register({
      transport,
      timeoutMs: REGISTER_MS,
      accept(registration) {
        if (registration.debugKey !== key)
          throw new WireError('permission_denied', 'The debug key of register_plugin is not the one of the connection.')
        manifest = manifestOf(registration)
      },
      request: (request) => {
        if (clock.now() >= expires)
          throw new WireError(
            'key_expired',
            'The debug key of this connection has expired. Make a new one and connect again.',
          )
        if (held === undefined) throw new WireError('not_registered', 'The plugin has not finished registering.')
        return this.#options.request(request, held)
      },
      onNoise: this.#options.onNoise,
      onFault: (fault) => this.#options.onNoise(`link: ${fault.kind}: ${fault.detail}`),
    })
    held = peer
    if (manifest === undefined) throw new HostError('programming', 'a debug connection registered without a manifest')
    return {
      peer,
      pid: null,
      manifest,
      manifest_digest: manifestDigest(manifest),
      ended: peer.closed.then((why) => why.detail),
      initialise: async (settings) => {
        await peer.call('initialize_plugin', { plugin_settings: settings }, { timeoutMs: 60_000 })
      },
      setup: () => setupStateOf(peer),
      stop: async () => {
        await peer.close('the host ends this debug connection')
        return 'disconnected'
      },
    }
  }
}

function manifestOf(registration: Registration): PackageManifest {
  try {
    return checkManifest(
      { ...registeredManifest(registration), sdk: { name: 'debug', version: '0' } },
      'register_plugin',
    )
  } catch (error) {
    if (HostError.is(error)) throw new WireError('invalid_params', error.message, { cause: error })
    throw error
  }
}

const hash = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** A debug connection can't be started again by us: the author's process connects anew. */
export function onceStarter(instance: Instance): Starter {
  let used = false
  return {
    isolation: 'debug connection: runs where its author runs it',
    limits: 'none',
    async start() {
      if (used) throw new Error('the debug connection is gone; start the plugin again to reconnect')
      used = true
      return instance
    },
    async startUnknown() {
      throw new HostError('programming', 'a debug connection is not started by the host')
    },
  }
}
