/** Signing in under a held clock: what the cookie says follows the host's time, not the machine's. */
import { expect, test } from 'vitest'
import { startHost } from '../host.ts'
import { createLogger } from '../telemetry/log.ts'

const DAY_S = 86_400

test('the cookie lives as long as its session, also where the clock of the host is another one', async () => {
  for (const now of [Date.now() + 400 * DAY_S * 1000, 1_000_000]) {
    const host = await startHost({
      folder: null,
      platforms: {},
      runtime: null,
      http: { port: 0 },
      clock: { now: () => now },
      logger: createLogger({ level: 'silent' }),
    })
    const url = host.http?.url ?? ''
    const { token } = await host.identity.loginLink()
    const answer = await fetch(`${url}/login/${token}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
    })
    const cookie = answer.headers.get('set-cookie') ?? ''
    const maxAge = Number(/Max-Age=(-?\d+)/.exec(cookie)?.[1])
    expect(maxAge % DAY_S).toBe(0)
    expect(maxAge / DAY_S).toBeGreaterThanOrEqual(1)
    expect(maxAge / DAY_S).toBeLessThanOrEqual(90)
    await host.stop({ drainMs: 0 })
  }
})

test('behind a public https address links begin with it and cookies are Secure; a header changes nothing', async () => {
  const start = (publicUrl?: string) =>
    startHost({
      folder: null,
      platforms: {},
      runtime: null,
      http: { port: 0, ...(publicUrl === undefined ? {} : { publicUrl }) },
      logger: createLogger({ level: 'silent' }),
    })
  const cookieOf = async (host: Awaited<ReturnType<typeof start>>) => {
    const { token } = await host.identity.loginLink()
    const headers = { 'x-forwarded-proto': 'https', forwarded: 'proto=https' }
    const answer = await fetch(`${host.http?.url}/login/${token}`, { method: 'POST', redirect: 'manual', headers })
    return answer.headers.get('set-cookie') ?? ''
  }
  const published = await start('https://bots.example')
  expect(await cookieOf(published)).toMatch(
    /^rb_session=[\w-]{40,}; HttpOnly; SameSite=Strict; Path=\/; Secure; Max-Age/,
  )
  const { key } = await published.identity.keys.create({ name: 'all', scopes: ['*'], expires_at: null }, ['*'])
  const asked = { method: 'POST', headers: { authorization: `Bearer ${key}` } }
  const link = await fetch(`${published.http?.url}/api/v1/login-link`, asked)
  expect(await link.json()).toMatchObject({ url: expect.stringMatching(/^https:\/\/bots\.example\/login\//) })
  await published.stop({ drainMs: 0 })
  const plain = await start()
  expect(await cookieOf(plain)).not.toContain('Secure')
  await plain.stop({ drainMs: 0 })
  for (const wrong of ['bots.example', 'ftp://bots.example', 'https://bots.example/path'])
    await expect(start(wrong)).rejects.toMatchObject({ code: 'invalid_config', at: 'public-url' })
})
