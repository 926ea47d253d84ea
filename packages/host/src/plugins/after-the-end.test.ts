/** A Runner in a real process that says its end and does not return: the run is over, and nobody waits for it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveManifest } from './derive-manifest.ts'
import { PATIENCE_MS, type PluginHost, pluginHost, RUNTIME, type Source, sourceOf } from './fixtures.ts'

let t: PluginHost
beforeAll(async () => {
  t = await pluginHost()
}, PATIENCE_MS)
afterAll(() => t.close(), PATIENCE_MS)

/** The same plugin with a generator as its Runner. */
async function installGenerator(source: Source): Promise<void> {
  const text = sourceOf(source).replace('async run(ctx)', 'async *run(ctx)')
  const path = t.folder(source.name, { 'index.ts': text })
  await deriveManifest({ runtime: RUNTIME, folder: path, entry: 'index.ts' })
  const { installation_uuid, manifest_digest, package_digest } = await t.host.plugins.install({ path })
  await t.host.plugins.approve(installation_uuid, { manifest_digest, package_digest, accept_not_isolated: true })
}

test('[D129] it hangs after run.completed: the run is completed, the next message has its turn, late calls are refused', {
  timeout: 60_000,
}, async () => {
  await installGenerator({
    name: 'lingering',
    run: `const said = ctx.input.toText()
    await ctx.reply('heard ' + said)
    yield { type: 'run.completed', run_id: ctx.run_id, data: { finish_reason: 'stop' } }
    setInterval(() => ctx.reply('late ' + said).then(
      () => console.log('late was sent'),
      (error) => console.log('late: ' + error.details?.reason),
    ), 100)
    await new Promise(() => {})`,
  })
  const bot = await t.chat('lingering')
  expect(await t.ask(bot, 'one')).toBe('heard one')
  // The same conversation: its lane is free although the function never returned.
  expect(await t.ask(bot, 'two')).toBe('heard two')
  await expect.poll(() => t.host.runs.active, { timeout: PATIENCE_MS }).toBe(0)
  const { items } = await t.host.runs.list({
    workspace_uuid: t.host.identity.workspace_uuid,
    processor_id: null,
    statuses: null,
    before_cursor: null,
    limit: 10,
  })
  expect(items.map(({ status, status_reason }) => [status, status_reason])).toEqual([
    ['completed', 'stop'],
    ['completed', 'stop'],
  ])
  const one = t.host.plugins.installations().find(({ plugin_id }) => plugin_id === 'acme/lingering')
  if (one === undefined) throw new Error('it is not installed')
  await expect.poll(() => t.logged(one), { timeout: PATIENCE_MS }).toMatch(/late: run_ended/)
  expect(t.logged(one)).not.toContain('late was sent')
  expect(bot.messages.map(({ text }) => text)).toEqual(['heard one', 'heard two'])
})
