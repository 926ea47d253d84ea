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
