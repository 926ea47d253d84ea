/** Sessions and passwords: who is signed in, how they came in, and what ends them. */
import { createHash } from 'node:crypto'
import { type Statement, type Store, StoreError } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { HostError } from '../errors.ts'
import type { Attempts } from './attempts.ts'
import type { Cache } from './cache.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { randomToken, tokenHash } from './secrets.ts'
import * as sql from './statements.ts'
import type { Account, OpenedSession, SessionInfo, Sessions } from './types.ts'

const SESSION_MS = 30 * 24 * 3_600_000
const TOUCH_MS = 60_000
const BROWSER_MAX = 200

export interface SessionParts {
  readonly store: Store
  readonly clock: Clock
  readonly cache: Cache<Account>
  readonly attempts: Attempts
  /** Somebody's session has ended, after the commit: forgets what is cached and tells who holds connections. */
  readonly ended: () => void
}

/** A session to be: its token, and the statement that makes it. */
export function newSession(account: Account, by: 'link' | 'password', browser: string | null, now: number) {
  const session = randomToken()
  const expires_at = now + SESSION_MS
  const statement = sql.insertSession({
    token_hash: tokenHash(session),
    account_id: account.account_id,
    now,
    expires_at,
    opened_by: by,
    browser: browser?.slice(0, BROWSER_MAX) ?? null,
  })
  const opened: OpenedSession = { session, account, expires_at, lives_ms: SESSION_MS }
  return { statement, opened }
}

export function createSessions({ store, clock, cache, attempts, ended }: SessionParts): Sessions {
  /** One try at a password; refuses with the same words whatever was wrong. */
  async function tried(address: string, name: string, hash: string | null, password: string): Promise<void> {
    const wait = attempts.take(address, name)
    if (wait !== null) {
      const seconds = Math.ceil(wait / 1_000)
      throw new HostError(
        'too_many_attempts',
        `Too many wrong passwords. Try again in ${Math.ceil(seconds / 60)} minutes, or sign in by a link: \`runbound login\`.`,
        { retryAfterSeconds: seconds },
      )
    }
    const right = await checkPassword(hash, password).catch((error: unknown) => {
      attempts.giveBack(address, name)
      throw error
    })
    if (!right) throw refused()
    attempts.forgive(address, name)
  }

  /** Commits only while `checked` still is the password: another one may have been set since it was looked at. */
  async function commitWhile(account_id: string, checked: string, next: string, unit: Statement[]): Promise<void> {
    try {
      await store.commit([sql.changePasswordHash({ account_id, checked, password_hash: next }), ...unit])
    } catch (error) {
      if (StoreError.is(error) && error.code === 'refused' && error.statement === 0) throw refused()
      throw error
    }
  }

  return {
    async signIn({ name, password, address, browser }) {
      const row = await store.first(sql.accountByName({ name }))
      await tried(address, name, row?.password_hash ?? null, password)
      const checked = row?.password_hash ?? null
      if (row === undefined || checked === null) throw new HostError('programming', 'a password fitted no account')
      const account: Account = { account_id: row.account_id, name: row.name, role: row.role }
      const { statement, opened } = newSession(account, 'password', browser, clock.now())
      await commitWhile(row.account_id, checked, checked, [statement])
      return opened
    },

    async setPassword({ account, current, password, keep, address, trusted }) {
      const row = await store.first(sql.accountByName({ name: account.name }))
      const hash = row?.password_hash ?? null
      if (hash !== null && !trusted) {
        if (current === undefined)
          throw new HostError('invalid_config', 'The current password is needed to change it.', { at: 'current' })
        await tried(address, account.name, hash, current)
      }
      const password_hash = await hashPassword(password)
      const { account_id } = account
      // Whoever came in with the old one is out.
      const others = sql.deleteOtherSessions({ account_id, keep: keep === null ? '' : tokenHash(keep) })
      if (hash === null || trusted) await store.commit([sql.setPasswordHash({ account_id, password_hash }), others])
      else await commitWhile(account_id, hash, password_hash, [others])
      ended()
    },

    async hasPassword({ name }) {
      return (await store.first(sql.accountByName({ name })))?.password_hash != null
    },

    async list({ account_id }, currentToken) {
      const own = currentToken === null ? '' : tokenHash(currentToken)
      const rows = await store.all(sql.sessionsOf({ account_id, now: clock.now() }))
      return rows.map(({ token_hash, opened_by, ...row }): SessionInfo => {
        return { ...row, session_id: sessionId(token_hash), by: opened_by, current: token_hash === own }
      })
    },

    async end({ account_id }, session) {
      const rows = await store.all(sql.sessionsOf({ account_id, now: clock.now() }))
      const found = rows.find(({ token_hash }) => sessionId(token_hash) === session)
      if (found === undefined) throw new HostError('not_found', 'There is no such session of yours.')
      await store.commit([sql.deleteSession({ token_hash: found.token_hash })])
      ended()
    },

    async find(token) {
      const token_hash = tokenHash(token)
      const known = cache.get(token_hash)
      if (known !== undefined) return known
      const readAt = cache.generation
      const now = clock.now()
      const row = await store.first(sql.sessionAccount({ token_hash, now }))
      if (row === undefined) return null
      if (row.seen_at < now - TOUCH_MS)
        await store.commit([sql.touchSession({ token_hash, now })]).catch(() => undefined) // a full disk keeps nobody out
      const account: Account = { account_id: row.account_id, name: row.name, role: row.role }
      cache.set(token_hash, account, readAt)
      return account
    },

    async signOut(token) {
      await store.commit([sql.deleteSession({ token_hash: tokenHash(token) })])
      ended()
    },
  }
}

const refused = () =>
  new HostError('sign_in_refused', 'Name and password do not fit. `runbound login` prints a link that signs in.')

/** A name for a session that gives nobody its token. */
const sessionId = (tokenHashed: string): string => createHash('sha256').update(tokenHashed).digest('hex').slice(0, 16)
