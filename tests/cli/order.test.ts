/** Who reacts to one event, in which order, and who can stop whom: the operator's routes say it, and the guide does. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { json, newFolder, PATIENCE, runbound, startHost, stopHost } from './harness.ts'
import { pluginText, writePlugin } from './plugins-of-tests.ts'

const GUIDE = fileURLToPath(new URL('../../docs/plugin-guide.md', import.meta.url))

test(
  '[D130] of two agents that fit, the one with the higher priority answers alone; what watches besides is neither stopped nor stops',
  async () => {
    const [data, place] = [newFolder(), newFolder()]
    const host = await startHost(data)
    const folder = writePlugin(join(place, 'order'), { name: 'order' })
    const runner = (name: string, usage: string, run: string): string => `const ${name} = defineRunner({
  name: '${name}', usages: ['${usage}'], events: ['message.received'],
  capabilities: { tool_calling: true }, permissions: { tools: ['call'] }, async run(ctx) { ${run} } })\n`
    const text = pluginText({
      name: 'order',
      before:
        runner('high', 'agent', "await ctx.reply('high')") +
        runner('low', 'agent', "await ctx.reply('low')") +
        runner('watcher', 'event', "await ctx.reply('watcher')") +
        runner('broken', 'event', "throw new Error('no luck')"),
    }).replace('components: [talk]', 'components: [high, low, watcher, broken]')
    writeFileSync(join(folder, 'index.ts'), text)
    await json(['plugin', 'pack', folder])
    const install = ['plugin', 'install', join(folder, 'dist'), '--yes', '--accept-not-isolated']
    expect((await runbound(install, { data })).code).toBe(0)

    const setup = (high: number, low: number): string => `bots: [{ name: B, platform: webchat }]
agents:
  - { name: High, runner: "plugin:test/order/high" }
  - { name: Low, runner: "plugin:test/order/low" }
plugin_processors:
  - { name: Watcher, runner: "plugin:test/order/watcher", bots: [B] }
  - { name: Broken, runner: "plugin:test/order/broken", bots: [B], options: { sentence: "" } }
routes:
  - { bot: B, event: message.received, agent: Low, priority: ${low} }
  - { bot: B, event: message.received, agent: High, priority: ${high} }
`
    const file = join(place, 'setup.yaml')
    for (const { high, low, answer } of [
      { high: 10, low: 5, answer: 'high' },
      { high: 5, low: 10, answer: 'low' },
    ]) {
      writeFileSync(file, setup(high, low))
      expect(await runbound(['apply', '-f', file, '--yes'], { data })).toMatchObject({ code: 0 })
      const asked = await runbound(['chat', '--once', '--bot', 'B', '--json'], { data, input: 'hi' })
      const { event_id } = JSON.parse(asked.stdout)
      const { items } = await host.client.listRuns({ query: { limit: 100 } })
      const of = items.filter((run) => run.event_id === event_id)
      expect(of.map(({ runner_id, status }) => `${runner_id} ${status}`).sort()).toEqual([
        'plugin:test/order/broken failed',
        `plugin:test/order/${answer} completed`,
        'plugin:test/order/watcher completed',
      ])
      const said: { text: string }[] = JSON.parse(asked.stdout).messages
      expect(said.map(({ text }) => text).sort()).toEqual([answer, 'watcher'].sort())
    }
    expect(readFileSync(GUIDE, 'utf8')).toContain('### Who gets an event, and in which order')
    await stopHost(host)
  },
  PATIENCE,
)
