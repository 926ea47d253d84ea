import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLI_KEY_FILE } from '@runbound/api'
import { openStore, type Store } from '@runbound/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HostError } from '../errors.ts'
import { Attempts } from './attempts.ts'
import { createIdentity } from './identity.ts'
import type { Account, Identity } from './types.ts'

let folder: string
let store: Store
let now = 1_000_000
const clock = { now: () => now }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rb-identity-'))
  store = await openStore({ folder })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the first start makes one owner and a private key for the cli; the next start keeps the instance', async () => {
  const first = await createIdentity({ store, clock, folder })
  expect((await first.prepare()).firstStart).toBe(true)
  expect(statSync(join(folder, CLI_KEY_FILE)).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
  const old = readFileSync(join(folder, CLI_KEY_FILE), 'utf8').trim()
  expect(await first.apiKey(old)).toMatchObject({ scopes: ['*'] })
  const again = await createIdentity({ store, clock, folder })
  expect((await again.prepare()).firstStart).toBe(false)
  expect(again.instance_uuid).toBe(first.instance_uuid)
  expect(await again.apiKey(old), 'the key of an earlier start is revoked').toBeNull()
})

test('a link signs in once and not after its time; a session ends by signing out', async () => {
  const identity = await createIdentity({ store, clock, folder })
  await identity.prepare()
  const link = await identity.loginLink()
  const both = await Promise.all([identity.redeem(link.token), identity.redeem(link.token)])
  expect(both.filter((answer) => answer !== null)).toHaveLength(1)
  const session = both.find((answer) => answer !== null)?.session ?? ''
  expect((await identity.session(session))?.role).toBe('owner')
  await identity.signOut(session)
  expect(await identity.session(session)).toBeNull()
  const late = await identity.loginLink()
  now += 16 * 60_000
  expect(await identity.redeem(late.token)).toBeNull()
  expect(await identity.redeem('guess')).toBeNull()
})

test('a sealed secret opens at its own place only, and a readable key file is refused', async () => {
  const identity = await createIdentity({ store, clock, folder })
  const sealed = identity.seal('token-1', 'bots/b-1/token')
  expect(sealed).not.toContain('token-1')
  expect(identity.open(sealed, 'bots/b-1/token')).toBe('token-1')
  expect(() => identity.open(sealed, 'bots/b-2/token')).toThrow(/cannot be read/)
  expect(() => identity.open(`${sealed.slice(0, -2)}AA`, 'bots/b-1/token')).toThrow(/cannot be read/)
  chmodSync(join(folder, 'secret.key'), 0o644)
  await expect(createIdentity({ store, clock, folder })).rejects.toThrow(/chmod 600/)
})

const ADDRESS = '192.0.2.1'
const signIn = (identity: Identity, password: string, more: { name?: string; address?: string } = {}) =>
  identity.sessions.signIn({ name: 'owner', address: ADDRESS, browser: 'test', password, ...more })
async function withPassword(password: string): Promise<Identity> {
  const identity = await createIdentity({ store, clock, folder })
  await identity.prepare()
  const account = (await identity.owner()) as Account
  await identity.sessions.setPassword({
    account, password, current: undefined, keep: null, address: ADDRESS, trusted: false,
  }) // biome-ignore format: one call
  return identity
}

test('[D105] there is no default password; one that is set signs in, and wrong names and passwords read the same', async () => {
  const fresh = await createIdentity({ store, clock, folder })
  await fresh.prepare()
  for (const guess of ['', 'admin', 'owner', 'password', 'runbound'])
    await expect(signIn(fresh, guess)).rejects.toMatchObject({ code: 'sign_in_refused' })
  now += 16 * 60_000
  const identity = await withPassword('correct horse battery')
  const opened = await signIn(identity, 'correct horse battery')
  expect(await identity.session(opened.session)).toMatchObject({ name: 'owner', role: 'owner' })
  const wrong = await signIn(identity, 'wrong').catch((error: Error) => error.message)
  const nobody = await signIn(identity, 'wrong', { name: 'nobody' }).catch((error: Error) => error.message)
  expect(wrong).toBe(nobody)
  const row = await store.first<{ password_hash: string }>({ sql: 'select password_hash from accounts', params: [] })
  expect(row?.password_hash).toMatch(/^scrypt\$32768\$8\$1\$/)
  expect(row?.password_hash).not.toContain('correct')
})

test('wrong passwords are counted for an address and for an account, and a right one after the limit is refused too', async () => {
  const identity = await withPassword('correct horse battery')
  const tries = await Promise.all(
    Array.from({ length: 12 }, () => signIn(identity, 'wrong').catch((error: HostError) => error.code)),
  )
  expect(tries.filter((code) => code === 'sign_in_refused')).toHaveLength(10)
  expect(tries.filter((code) => code === 'too_many_attempts')).toHaveLength(2)
  await expect(signIn(identity, 'correct horse battery')).rejects.toMatchObject({
    code: 'too_many_attempts',
    retryAfterSeconds: 900,
  })
  // Another address of the same person still comes in.
  await signIn(identity, 'correct horse battery', { address: '192.0.2.2' })
  now += 16 * 60_000
  await signIn(identity, 'correct horse battery')
})

test('changing a password needs the current one, ends the other sessions and keeps the own', async () => {
  const identity = await withPassword('correct horse battery')
  const own = await signIn(identity, 'correct horse battery')
  const other = await signIn(identity, 'correct horse battery')
  const change = (current: string | undefined, trusted = false) =>
    identity.sessions.setPassword({
      account: own.account, current, password: 'a new password', keep: own.session, address: ADDRESS, trusted,
    }) // biome-ignore format: one call
  await expect(change(undefined)).rejects.toMatchObject({ code: 'invalid_config', at: 'current' })
  await expect(change('wrong')).rejects.toMatchObject({ code: 'sign_in_refused' })
  await change('correct horse battery')
  expect(await identity.session(own.session)).not.toBeNull()
  expect(await identity.session(other.session)).toBeNull()
  await expect(signIn(identity, 'correct horse battery')).rejects.toMatchObject({ code: 'sign_in_refused' })
  await change(undefined, true)
})

test('sessions are listed with how they were opened, and one can be ended', async () => {
  const identity = await withPassword('correct horse battery')
  const own = await signIn(identity, 'correct horse battery')
  const link = await identity.loginLink()
  const second = await identity.redeem(link.token, 'Another browser')
  const listed = await identity.sessions.list(own.account, own.session)
  expect(listed.map(({ by, browser, current }) => ({ by, browser, current }))).toEqual(
    expect.arrayContaining([
      { by: 'password', browser: 'test', current: true },
      { by: 'link', browser: 'Another browser', current: false },
    ]),
  )
  expect(JSON.stringify(listed)).not.toContain(own.session)
  await identity.sessions.end(own.account, listed.find(({ current }) => !current)?.session_id ?? '')
  expect(await identity.session(second?.session ?? '')).toBeNull()
  expect(await identity.session(own.session)).not.toBeNull()
})

test('an API key is shown once, has no scope beyond its maker, ends at its time, and a revoked one is dead at once', async () => {
  const identity = await createIdentity({ store, clock, folder })
  const { cliKey } = await identity.prepare()
  const made = await identity.keys.create({ name: 'ci', scopes: ['read'], expires_at: now + 1_000 }, ['*'])
  expect(await identity.apiKey(made.key)).toMatchObject({ name: 'ci', scopes: ['read'] })
  const listed = await identity.keys.list()
  expect(listed.find(({ key_id }) => key_id === made.key_id)).toMatchObject({ name: 'ci', last_used_at: now })
  expect(JSON.stringify(listed)).not.toContain(made.key)
  await expect(
    identity.keys.create({ name: 'more', scopes: ['configure'], expires_at: null }, ['read']),
  ).rejects.toMatchObject({ reason: 'permission_denied' })
  await expect(identity.keys.create({ name: 'cli', scopes: ['read'], expires_at: null }, ['*'])).rejects.toMatchObject({
    code: 'invalid_config',
  })
  const second = await identity.keys.create({ name: 'second', scopes: ['read'], expires_at: null }, ['*'])
  expect(await identity.apiKey(second.key)).not.toBeNull()
  await expect(identity.keys.revoke(second.key_id, ['configure'])).rejects.toMatchObject({
    reason: 'permission_denied',
  })
  await identity.keys.revoke(second.key_id, ['*'])
  expect(await identity.apiKey(second.key)).toBeNull()
  await expect(identity.keys.revoke(second.key_id, ['*'])).rejects.toMatchObject({ code: 'not_found' })
  now += 6_000
  expect(await identity.apiKey(made.key)).toBeNull()
  expect(await identity.apiKey(cliKey)).not.toBeNull()
})

test('guesses from many addresses are counted for the account; an IPv6 network counts as one address', () => {
  const attempts = new Attempts(clock)
  for (let index = 0; index < 30; index++) expect(attempts.take(`198.51.100.${index}`, 'Owner')).toBeNull()
  expect(attempts.take('203.0.113.9', 'owner')).toBe(15 * 60_000)
  expect(attempts.take('203.0.113.9', 'somebody')).toBeNull()
  for (let index = 0; index < 10; index++) expect(attempts.take(`2001:db8:1:2::${index}`, `a${index}`)).toBeNull()
  expect(attempts.take('2001:db8:1:2:ffff::1', 'another')).not.toBeNull()
  expect(attempts.take('2001:db8:1:3::1', 'another')).toBeNull()
  now += 16 * 60_000
  expect(attempts.take('203.0.113.9', 'owner')).toBeNull()
})

test('made-up names push out no count: neither after a refusal, nor when the memory is full', () => {
  const attempts = new Attempts(clock)
  for (let index = 0; index < 10; index++) attempts.take('203.0.113.1', 'owner')
  for (let index = 0; index < 10_500; index++)
    expect(attempts.take('203.0.113.1', `made-up-${index}`), 'a full address').not.toBeNull()
  for (let index = 0; index < 20; index++) expect(attempts.take(`198.51.100.${index}`, 'owner')).toBeNull()
  expect(attempts.take('203.0.113.2', 'owner'), 'thirty tries at the account').not.toBeNull()
  for (let index = 0; index < 10_500; index++) attempts.take(`10.0.${index >> 8}.${index & 255}`, `name-${index}`)
  expect(attempts.take('203.0.113.1', 'somebody')).not.toBeNull()
  expect(attempts.take('203.0.113.2', 'owner')).not.toBeNull()
})

test('while every count is full a new one is refused rather than an old one forgotten', () => {
  const attempts = new Attempts(clock)
  for (let index = 0; index < 100_000; index++)
    attempts.take(`10.1.${Math.floor(index / 10) >> 8}.${Math.floor(index / 10) & 255}`, `one-${index % 5_000}`)
  expect(attempts.take('203.0.113.7', 'one-1')).toBe(15 * 60_000)
  expect(attempts.take('10.1.0.0', 'one-1')).not.toBeNull()
})

/** The store, with the first look-up that `matches` held back until `between` has happened. */
function racing(matches: RegExp, between: () => Promise<unknown>): Store {
  let done = false
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'first') {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (asked: { readonly sql: string; readonly params: readonly never[] }) => {
        const row = await target.first(asked)
        if (!done && matches.test(asked.sql)) {
          done = true
          await between()
        }
        return row
      }
    },
  })
}

test('what is revoked or ended while it is looked up is not remembered as good', async () => {
  let between: () => Promise<unknown> = async () => undefined
  const onKeys = await createIdentity({ store: racing(/api_keys/, () => between()), clock, folder })
  await onKeys.prepare()
  const made = await onKeys.keys.create({ name: 'ci', scopes: ['read'], expires_at: null }, ['*'])
  between = () => onKeys.keys.revoke(made.key_id, ['*'])
  await onKeys.apiKey(made.key)
  expect(await onKeys.apiKey(made.key)).toBeNull()
  const onSessions = await createIdentity({ store: racing(/"sessions"/, () => between()), clock, folder })
  const opened = await onSessions.redeem((await onSessions.loginLink()).token)
  between = () => onSessions.signOut(opened?.session ?? '')
  await onSessions.session(opened?.session ?? '')
  expect(await onSessions.session(opened?.session ?? '')).toBeNull()
})

test('a password that is replaced while it is checked opens no session and sets no other', async () => {
  const first = await withPassword('correct horse battery')
  const account = (await first.owner()) as Account
  const replace = (password: string) =>
    first.sessions.setPassword({
      account, password, current: undefined, keep: null, address: ADDRESS, trusted: true,
    }) // biome-ignore format: one call
  const late = await createIdentity({
    store: racing(/password_hash/, () => replace('another password')),
    clock,
    folder,
  })
  await expect(signIn(late, 'correct horse battery')).rejects.toMatchObject({ code: 'sign_in_refused' })
  expect(await first.sessions.list(account, null)).toEqual([])
  const later = await createIdentity({
    store: racing(/password_hash/, () => replace('a third password')),
    clock,
    folder,
  })
  const change = later.sessions.setPassword({
    account, password: 'of the thief', current: 'another password', keep: null, address: ADDRESS, trusted: false,
  }) // biome-ignore format: one call
  await expect(change).rejects.toMatchObject({ code: 'sign_in_refused' })
  await signIn(first, 'a third password')
})

test('few passwords are worked on at once; beyond those that may wait one is told to come again, and it counts as no try', async () => {
  const identity = await withPassword('correct horse battery')
  const many = await Promise.all(
    Array.from({ length: 30 }, (_one, index) =>
      signIn(identity, 'wrong', { name: `n${index}`, address: `198.51.100.${index}` }).catch(
        (error: HostError) => error,
      ),
    ),
  )
  const codes = many.map((error) => ('code' in error ? error.code : 'signed in'))
  expect(codes.filter((code) => code === 'sign_in_refused')).toHaveLength(22)
  const busy = many.filter((error) => 'code' in error && error.code === 'busy')
  expect(busy).toHaveLength(8)
  expect(busy[0]).toMatchObject({ retryAfterSeconds: 2 })
  await signIn(identity, 'correct horse battery')
}, 30_000)
