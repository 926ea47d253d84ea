/** What a plugin may do outside runs follows the operator's word at the next call, without a restart. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE_MS, type PluginHost, pluginHost } from './fixtures.ts'

let t: PluginHost
beforeAll(async () => {
  t = await pluginHost()
}, PATIENCE_MS)
afterAll(() => t.close(), PATIENCE_MS)

test('a grant that is narrowed while the plugin runs holds at its next call, and is widened again the same way', {
  timeout: 60_000,
}, async () => {
  const one = await t.install({
    name: 'keeper',
    more: `async setup(host, { signal }) {
    for (let n = 1; !signal.aborted; n++) {
      const said = (word) => (error) => console.log(word + ' ' + (error?.details?.reason ?? 'allowed'))
      await host.setPluginStorage('n', new Uint8Array([n % 200])).then(said('storage'), said('storage'))
      await host.getBots().then(said('bots'), said('bots'))
      await new Promise((next) => setTimeout(next, 50))
    }
  },`,
  })
  const { pid } = t.status(one)
  /** What was said of each call after now, at least a few times, and always the same. */
  async function said(): Promise<string[]> {
    // One call may be on its way with the rights of before.
    const known = t.host.plugins.logs(one.installation_uuid, 1_000).length + 2
    const lines = () => t.host.plugins.logs(one.installation_uuid, 1_000).slice(known)
    await expect.poll(() => lines().length, { timeout: PATIENCE_MS }).toBeGreaterThan(6)
    return [...new Set(lines().map(({ text }) => /(storage|bots) \w+/.exec(text)?.[0] ?? text))].sort()
  }
  const approve = (grant: object) => t.host.plugins.approve(one.installation_uuid, { ...one, grant })

  // By default: the storage that its manifest names, and no API of the host.
  expect(await said()).toEqual(['bots permission_denied', 'storage allowed'])
  await approve({ apis: ['get_bots'] })
  expect(await said()).toEqual(['bots allowed', 'storage allowed'])
  await approve({ apis: ['get_bots'], storage: { plugin: false } })
  expect(await said()).toEqual(['bots allowed', 'storage permission_denied'])
  await approve({ apis: [], storage: { plugin: false } })
  expect(await said()).toEqual(['bots permission_denied', 'storage permission_denied'])
  await approve({ storage: { plugin: true } })
  expect(await said()).toEqual(['bots permission_denied', 'storage allowed'])
  expect(t.status(one)).toMatchObject({ state: 'ready', pid, restarts: expect.any(Number) })
})
