/** Who may use the host: the owner made at the first start, one-time links, sessions, API keys. */
import { randomUUID } from 'node:crypto'
import { CLI_KEY_FILE } from '@runbound/api'
import { type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { writePrivate } from './private-file.ts'
import { createSealer, randomToken, tokenHash } from './secrets.ts'
import * as sql from './statements.ts'
import type { Account, Identity } from './types.ts'

const LINK_MS = 15 * 60_000
const SESSION_MS = 30 * 24 * 3_600_000
/** How long a found session or key is trusted without asking the table again. */
const CACHE_MS = 5_000
const CACHE_ENTRIES = 1_000
const CLI_KEY_NAME = 'cli'

export interface IdentityOptions {
  readonly store: Store
  readonly clock: Clock
  /** null: an in-memory host; keys live as long as the process. */
  readonly folder: string | null
}

/** Reads or makes the identity of this instance. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { store, clock, folder } = options
  const sealer = createSealer(folder)
  const instance_uuid = await setting(store, 'instance_uuid', randomUUID())
  const workspace_uuid = await setting(store, 'workspace_uuid', randomUUID())
  const sessions = new Cache<Account>(clock)
  const keys = new Cache<{ key_id: string; scopes: readonly string[] }>(clock)

  async function owner(): Promise<Account | undefined> {
    return store.first(sql.ownerAccount())
  }

  return {
    instance_uuid,
    workspace_uuid,
    placement_generation: 1,
    seal: sealer.seal,
    open: sealer.open,

    async prepare() {
      const known = await owner()
      if (known === undefined) {
        await store.commit([
          sql.insertAccount({ account_id: randomUUID(), name: 'owner', role: 'owner', created_at: clock.now() }),
        ])
      }
      const key = `rbk_${randomToken()}`
      await store.commit([
        sql.revokeKeysNamed({ name: CLI_KEY_NAME, now: clock.now() }),
        sql.insertKey({
          key_id: randomUUID(),
          key_hash: tokenHash(key),
          name: CLI_KEY_NAME,
          scopes: '["*"]',
          created_at: clock.now(),
        }),
        ...sql.deleteExpired(clock.now()),
      ])
      if (folder !== null) writePrivate(folder, CLI_KEY_FILE, key)
      return { firstStart: known === undefined, cliKey: key }
    },

    async loginLink(accountId) {
      const account = accountId ?? (await owner())?.account_id
      if (account === undefined) throw new Error('loginLink() before prepare(): there is no owner yet')
      const token = randomToken()
      const expires_at = clock.now() + LINK_MS
      await store.commit([
        sql.insertLink({ token_hash: tokenHash(token), account_id: account, created_at: clock.now(), expires_at }),
      ])
      return { token, expires_at }
    },

    async redeem(token) {
      const token_hash = tokenHash(token)
      const account = await store.first(sql.linkAccount({ token_hash }))
      if (account === undefined) return null
      const session = randomToken()
      const now = clock.now()
      const expires_at = now + SESSION_MS
      try {
        await store.commit([
          sql.useLink({ token_hash, now }),
          sql.insertSession({ token_hash: tokenHash(session), account_id: account.account_id, now, expires_at }),
        ])
      } catch (error) {
        if (StoreError.is(error) && error.code === 'refused') return null // used or expired
        throw error
      }
      return { session, account, expires_at, lives_ms: SESSION_MS }
    },

    async session(token) {
      const token_hash = tokenHash(token)
      const known = sessions.get(token_hash)
      if (known !== undefined) return known
      const row = await store.first(sql.sessionAccount({ token_hash, now: clock.now() }))
      if (row === undefined) return null
      const account: Account = { account_id: row.account_id, name: row.name, role: row.role }
      sessions.set(token_hash, account)
      return account
    },

    async signOut(token) {
      const token_hash = tokenHash(token)
      sessions.delete(token_hash)
      await store.commit([sql.deleteSession({ token_hash })])
    },

    async apiKey(key) {
      const key_hash = tokenHash(key)
      const known = keys.get(key_hash)
      if (known !== undefined) return known
      const row = await store.first(sql.keyByHash({ key_hash, now: clock.now() }))
      if (row === undefined) return null
      const found = { key_id: row.key_id, scopes: JSON.parse(row.scopes) as readonly string[] }
      keys.set(key_hash, found)
      return found
    },
  }
}

async function setting(store: Store, name: string, fresh: string): Promise<string> {
  await store.commit([sql.keepSetting({ name, value: fresh })])
  const row = await store.first(sql.settingValue({ name }))
  return row?.value ?? fresh
}

/** A small bounded memory of look-ups, so that each request does not ask the table. */
class Cache<T> {
  #entries = new Map<string, { value: T; until: number }>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.until > this.#clock.now() ? entry.value : undefined
  }

  set(key: string, value: T): void {
    if (this.#entries.size >= CACHE_ENTRIES) this.#entries.clear()
    this.#entries.set(key, { value, until: this.#clock.now() + CACHE_MS })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
