/** Who may use the host: the owner made at the first start, one-time links, sessions, API keys. */
import { randomUUID } from 'node:crypto'
import { CLI_KEY_FILE } from '@runbound/api'
import { type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { Attempts } from './attempts.ts'
import { Cache } from './cache.ts'
import { CLI_KEY_NAME, createKeys } from './keys.ts'
import { writePrivate } from './private-file.ts'
import { createSealer, randomToken, tokenHash } from './secrets.ts'
import { createSessions, newSession } from './sessions.ts'
import * as sql from './statements.ts'
import type { Account, FoundKey, Identity } from './types.ts'

const LINK_MS = 15 * 60_000

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
  const accounts = new Cache<Account>(clock)
  const found = new Cache<FoundKey>(clock)
  const listeners = new Set<() => void>()
  const ended = (): void => {
    accounts.clear()
    found.clear()
    for (const listener of listeners) listener()
  }
  const sessions = createSessions({ store, clock, cache: accounts, attempts: new Attempts(clock), ended })
  const keys = createKeys({ store, clock, cache: found, ended })

  async function owner(): Promise<Account | undefined> {
    return store.first(sql.ownerAccount())
  }

  return {
    instance_uuid,
    workspace_uuid,
    placement_generation: 1,
    sessions,
    keys,
    owner,
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
          expires_at: null,
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

    async redeem(token, browser = null) {
      const token_hash = tokenHash(token)
      const account = await store.first(sql.linkAccount({ token_hash }))
      if (account === undefined) return null
      const now = clock.now()
      const { statement, opened } = newSession(account, 'link', browser, now)
      try {
        await store.commit([sql.useLink({ token_hash, now }), statement])
      } catch (error) {
        if (StoreError.is(error) && error.code === 'refused') return null // used or expired
        throw error
      }
      return opened
    },

    onEnded(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    session: (token) => sessions.find(token),
    signOut: (token) => sessions.signOut(token),
    apiKey: (key) => keys.find(key),
  }
}

async function setting(store: Store, name: string, fresh: string): Promise<string> {
  await store.commit([sql.keepSetting({ name, value: fresh })])
  const row = await store.first(sql.settingValue({ name }))
  return row?.value ?? fresh
}
