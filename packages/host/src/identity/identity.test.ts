import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLI_KEY_FILE } from '@runbound/api'
import { openStore, type Store } from '@runbound/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createIdentity } from './identity.ts'

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
