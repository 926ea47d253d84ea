/** Real processes that hang while they start: the operator's word counts at once, and nothing that waits brings them back. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PATIENCE_MS, type PluginHost, pluginHost, type Source } from './fixtures.ts'
import type { Installation } from './types.ts'

let t: PluginHost
beforeAll(async () => {
  t = await pluginHost()
}, PATIENCE_MS)
afterAll(() => t.close(), PATIENCE_MS)

const TIMEOUT = { timeout: 60_000 }
/** Registering may take 30 s and initialising 60 s: who waits for them is told apart from who does not. Milliseconds. */
const AT_ONCE = 15_000
/** In a plugin: true under this host, false where only its manifest is asked for. */
const HERE = `process.env.HOME?.includes('runbound-plugins-')`

/** Its module never ends loading. */
const loads = (name: string): Source => ({
  name,
  top: `if (${HERE}) { setInterval(() => {}, 1_000); await new Promise(() => {}) }`,
})
/** It registers, and its process is busy for ever when it is initialised. */
const initialises = (name: string): Source => ({
  name,
  run: `await ctx.reply('here')`,
  more: `setup() { if (${HERE}) { console.log('busy now'); while (true); } },`,
})

/** Installs and approves without waiting for the start; resolves once a process of it is there. */
async function begun(source: Source): Promise<{ installation: Installation; approving: Promise<unknown> }> {
  const installation = await t.host.plugins.install({ path: await t.pack(source) })
  const { installation_uuid, manifest_digest, package_digest } = installation
  const approving = t.host.plugins.approve(installation_uuid, {
    manifest_digest,
    package_digest,
    accept_not_isolated: true,
  })
  approving.catch(() => undefined)
  await expect.poll(() => processesOf(installation).length, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
  return { installation, approving }
}

/** Pids whose command line names the installation's own folder. */
function processesOf({ installation_uuid }: Installation): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(installation_uuid)
    } catch {
      return false // ended meanwhile
    }
  })
}

async function atOnce<T>(work: Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await work
  expect(performance.now() - began).toBeLessThan(AT_ONCE)
  return result
}

test(
  'switched off while its module loads: off at once, no process is left, and on again starts it',
  TIMEOUT,
  async () => {
    const { installation, approving } = await begun(loads('loading'))
    expect(t.status(installation).state).toBe('starting')
    await atOnce(t.host.plugins.setEnabled(installation.installation_uuid, false))
    expect(t.status(installation)).toMatchObject({ state: 'disabled', message: null, pid: null })
    expect(processesOf(installation)).toEqual([])
    await approving
    const again = t.host.plugins.setEnabled(installation.installation_uuid, true)
    await expect.poll(() => processesOf(installation).length, { timeout: PATIENCE_MS }).toBeGreaterThan(0)
    await atOnce(t.host.plugins.setEnabled(installation.installation_uuid, false))
    await again
    expect(t.status(installation).state).toBe('disabled')
  },
)

test(
  'removed while it is initialised, with starts that wait: it is gone, and none of them brings it back',
  TIMEOUT,
  async () => {
    const { installation, approving } = await begun(initialises('busy'))
    await expect.poll(() => t.logged(installation), { timeout: PATIENCE_MS }).toContain('busy now')
    const { plugins } = t.host
    const { installation_uuid } = installation
    const waiting = [plugins.restart(installation_uuid), plugins.setEnabled(installation_uuid, true)]
    const removed = plugins.remove(installation_uuid, { data: true })
    waiting.push(plugins.restart(installation_uuid))
    await atOnce(removed)
    await atOnce(Promise.allSettled([...waiting, approving]))
    expect(plugins.installation(installation_uuid)).toBeUndefined()
    expect(plugins.status(installation_uuid)).toBeUndefined()
    await new Promise((next) => setTimeout(next, 2_000))
    expect(processesOf(installation)).toEqual([])
  },
)

test('the host stops while one loads and one is initialised', TIMEOUT, async () => {
  const [one, other] = [await begun(loads('slow-to-load')), await begun(initialises('slow-to-begin'))]
  await atOnce(t.host.plugins.stop())
  expect([...processesOf(one.installation), ...processesOf(other.installation)]).toEqual([])
  expect([t.status(one.installation).state, t.status(other.installation).state]).toEqual(['stopped', 'stopped'])
})
