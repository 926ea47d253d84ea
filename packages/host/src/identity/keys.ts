/** API keys: made once and shown once, with scopes, an end and the time of their last use. */
import { randomUUID } from 'node:crypto'
import { WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import type { Cache } from './cache.ts'
import { randomToken, tokenHash } from './secrets.ts'
import * as sql from './statements.ts'
import type { ApiKey, FoundKey, Keys } from './types.ts'

/** The key that each start of the host makes for the cli. */
export const CLI_KEY_NAME = 'cli'
/** How exactly the last use is known, in milliseconds: a busy script should not write at each call. */
const TOUCH_MS = 60_000

export interface KeyParts {
  readonly store: Store
  readonly clock: Clock
  readonly cache: Cache<FoundKey>
  /** A key has ended, after the commit: forgets what is cached and tells who holds connections. */
  readonly ended: () => void
}

export function createKeys({ store, clock, cache, ended }: KeyParts): Keys {
  return {
    async list() {
      const rows = await store.all(sql.allKeys())
      return rows.map(({ scopes, ...row }): ApiKey => ({ ...row, scopes: JSON.parse(scopes) as readonly string[] }))
    },

    async create({ name, scopes, expires_at }, own) {
      if (name === CLI_KEY_NAME)
        throw new HostError('invalid_config', `"${CLI_KEY_NAME}" is the host's own key: choose another name.`, {
          at: 'name',
        })
      const now = clock.now()
      if (expires_at !== null && expires_at <= now)
        throw new HostError('invalid_config', 'The end of the key lies in the past.', { at: 'expires_at' })
      const missing = missingIn(own, scopes)
      if (missing.length > 0)
        throw new WireError(
          'permission_denied',
          `You lack the scope ${missing.join(', ')} yourself: a key can't have more.`,
        )
      const key = `rbk_${randomToken()}`
      const row = { key_id: randomUUID(), name, created_at: now, expires_at }
      await store.commit([sql.insertKey({ ...row, key_hash: tokenHash(key), scopes: JSON.stringify(scopes) })])
      return { ...row, scopes, key, last_used_at: null, revoked_at: null }
    },

    async revoke(keyId, own) {
      const key = (await store.all(sql.allKeys())).find(({ key_id }) => key_id === keyId)
      const beyond = key === undefined ? [] : missingIn(own, JSON.parse(key.scopes) as readonly string[])
      if (beyond.length > 0)
        throw new WireError(
          'permission_denied',
          `This key has the scope ${beyond.join(', ')}, which you lack: you can't end it.`,
        )
      const [result] = await store.commit([sql.revokeKey({ key_id: keyId, now: clock.now() })])
      ended()
      if (result?.changes !== 1)
        throw new HostError('not_found', `There is no API key ${keyId}, or it is revoked already.`)
    },

    async find(key) {
      const key_hash = tokenHash(key)
      const known = cache.get(key_hash)
      if (known !== undefined) return known
      const readAt = cache.generation
      const now = clock.now()
      const row = await store.first(sql.keyByHash({ key_hash, now }))
      if (row === undefined) return null
      if ((row.last_used_at ?? 0) < now - TOUCH_MS)
        await store.commit([sql.touchKey({ key_id: row.key_id, now })]).catch(() => undefined) // a full disk keeps nobody out
      const found = { key_id: row.key_id, name: row.name, scopes: JSON.parse(row.scopes) as readonly string[] }
      cache.set(key_hash, found, readAt)
      return found
    },
  }
}

const missingIn = (own: readonly string[], scopes: readonly string[]): readonly string[] =>
  own.includes('*') ? [] : scopes.filter((scope) => !own.includes(scope))
