/** `runbound backup`, `restore` and `doctor` with real data. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, newFolder, PATIENCE, runbound, say, startHost, stopHost } from './harness.ts'
import { writePlugin } from './plugins-of-tests.ts'

test(
  'a backup of a running host, restored elsewhere, answers as before: history, plugins, secrets',
  async () => {
    const [data, place] = [newFolder(), newFolder()]
    const plugin = writePlugin(join(place, 'teller'), {
      name: 'teller',
      plugin: 'config: { word: field.secret() },',
      run: 'await ctx.reply(String(ctx.host.getPluginConfig().word))',
    })
    const host = await startHost(data)
    await json(['plugin', 'pack', plugin])
    const approved = ['--yes', '--accept-not-isolated']
    expect((await runbound(['plugin', 'install', join(plugin, 'dist'), ...approved], { data })).code).toBe(0)
    expect((await runbound(['plugin', 'set', 'teller', 'word=sesame'], { data })).code).toBe(0)
    const setup = join(place, 'setup.yaml')
    writeFileSync(
      setup,
      `bots: [{ name: Teller, platform: webchat }]
agents: [{ name: Teller, runner: "plugin:test/teller/talk" }]
routes: [{ bot: Teller, event: message.received, agent: Teller }]
`,
    )
    expect((await runbound(['apply', '-f', setup, '--yes'], { data })).code).toBe(0)
    expect(await say('hi', data, ['--bot', 'Teller'])).toBe('sesame')
    const before = await host.client.inspect()

    const file = join(place, 'backup.tar')
    expect((await runbound(['backup', file], { data })).code).toBe(0)
    expect(statSync(file).mode & 0o077).toBe(0)
    const twice = await runbound(['backup', file], { data })
    expect(twice.code).toBe(1)
    expect(twice.stderr).toContain('is there already')
    const running = await runbound(['restore', file, '--yes'], { data })
    expect(running).toMatchObject({ code: 1, stdout: '' })
    expect(running.stderr).toContain('Stop it first')
    expect(await stopHost(host)).toBe(0)

    const elsewhere = join(newFolder(), 'data')
    expect((await runbound(['restore', file], { data: elsewhere })).code).toBe(0)
    const restored = await startHost(elsewhere)
    expect(restored.events[0]).toMatchObject({ first_start: false })
    const after = await restored.client.inspect()
    for (const table of ['bots', 'events', 'runs', 'transcript', 'installations'])
      expect([table, after.rows[table]]).toEqual([table, before.rows[table]])
    expect(await say('again', elsewhere, ['--bot', 'Teller'])).toBe('sesame')
    expect(await stopHost(restored)).toBe(0)

    // In the same place, the data of now is kept beside it; without a yes nothing happens.
    expect((await runbound(['restore', file], { data })).code).toBe(2)
    const back = await json(['restore', file, '--yes'], { data })
    expect(back).toMatchObject({ folder: data, replaced: expect.stringContaining('runbound.db.replaced-') })
    expect((await runbound(['backup', join(place, 'stopped.tar')], { data })).code).toBe(0)
  },
  PATIENCE,
)

test(
  'what is no backup changes nothing',
  async () => {
    const [data, place] = [newFolder(), newFolder()]
    const host = await startHost(data)
    const file = join(place, 'backup.tar')
    expect((await runbound(['backup', file], { data })).code).toBe(0)
    await stopHost(host)
    const database = readFileSync(join(data, 'runbound.db'))
    const whole = readFileSync(file)
    const damaged = Buffer.from(whole)
    damaged.fill(0x55, 3 * 4096, 3 * 4096 + 512) // inside the database
    for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.alloc(4096, 1), damaged, Buffer.alloc(1024)]) {
      const bad = join(place, 'bad.tar')
      writeFileSync(bad, bytes)
      const refused = await runbound(['restore', bad, '--yes'], { data })
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/no usable backup|damaged|holds no database/)
      expect(readFileSync(join(data, 'runbound.db')).equals(database)).toBe(true)
    }
    expect(existsSync(join(data, 'first-start.done'))).toBe(true)
    expect((await runbound(['restore', join(place, 'nowhere')], { data })).code).toBe(2)
  },
  PATIENCE,
)

test(
  'doctor looks at machine, folder and database, with and without a host',
  async () => {
    const data = newFolder()
    const fresh = await runbound(['doctor', '--port', '0', '--json'], { data: join(data, 'new') })
    expect(fresh.code).toBe(0)
    const findings = fresh.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(findings.map(({ what }) => what)).toEqual([
      'Node',
      'isolation of plugins',
      'limits of plugins',
      'data folder',
      'disk',
      'database',
      'port',
      'Python',
    ])
    const host = await startHost(data)
    expect((await runbound(['doctor'], { data })).stdout).toMatch(
      /database: schema \d+, .*integrity: ok[\s\S]*host: answers/,
    )
    await stopHost(host)
    const file = join(data, 'runbound.db')
    const bytes = readFileSync(file)
    bytes.fill(0x55, 3 * 4096, 4 * 4096)
    writeFileSync(file, bytes)
    const broken = await runbound(['doctor', '--port', '0'], { data })
    expect(broken.code).toBe(1)
    expect(broken.stdout).toMatch(/✗ database: (damaged|can't be read)/)
  },
  PATIENCE,
)
