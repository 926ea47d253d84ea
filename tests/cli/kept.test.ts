/** What people keep from before: published plugins, backups of an older version. Both go on working on this host. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { json, newFolder, PATIENCE, runbound, say, startHost, stopHost } from './harness.ts'
import { writePlugin } from './plugins-of-tests.ts'

const PUBLISHED = fileURLToPath(new URL('./published/sampler-1.0.0', import.meta.url))
const FIRST_SCHEMA = fileURLToPath(new URL('../../packages/store/src/migrations/0001-initial.sql', import.meta.url))
const APPROVED = ['--yes', '--accept-not-isolated']

test(
  '[D127] a plugin that was published with the SDK of 0.1.0 is installed unchanged, loads and answers',
  async () => {
    // What was published does not change with us: a failure here is to be mended in the SDK or the host.
    const digests = ['index.mjs', 'runbound.manifest.json'].map((name) =>
      createHash('sha256')
        .update(readFileSync(join(PUBLISHED, name)))
        .digest('hex')
        .slice(0, 16),
    )
    expect(digests).toEqual(['3f2828f7a5e4307c', '70edf3feb3029a2c'])

    const [data, place] = [newFolder(), newFolder()]
    const host = await startHost(data)
    cpSync(PUBLISHED, join(place, 'sampler'), { recursive: true })
    const installed = await runbound(['plugin', 'install', join(place, 'sampler'), ...APPROVED], { data })
    expect(installed.stdout).toContain('published/sampler 1.0.0 is approved and ready')
    const setup = join(place, 'setup.yaml')
    writeFileSync(
      setup,
      `bots: [{ name: Sample, platform: webchat }]
agents: [{ name: Sampler, runner: "plugin:published/sampler/sampler", config: { token: t } }]
routes: [{ bot: Sample, event: message.received, agent: Sampler }]
`,
    )
    expect((await runbound(['apply', '-f', setup, '--yes'], { data })).code).toBe(0)
    expect(await say('first', data, ['--bot', 'Sample'])).toMatch(/^@\S+ Hello 1 first true true true eu$/)
    expect(await say('second', data, ['--bot', 'Sample'])).toMatch(/^@\S+ Hello 2 second true true true eu$/)
    expect(await say('stream', data, ['--bot', 'Sample'])).toBe('one two')
    expect(await say('refused', data, ['--bot', 'Sample'])).toBe('refused: true')
    await stopHost(host)
  },
  PATIENCE,
)

test(
  '[D114] [D115] a backup of an older version is restored whole: two bots of one platform, each with its own history',
  async () => {
    const [data, place] = [newFolder(), newFolder()]
    const plugin = writePlugin(join(place, 'memory'), {
      name: 'memory',
      runner: "permissions: { tools: ['call'], history: ['page'] },",
      run: `const past = await ctx.historyPage({ limit: 50 })
        const texts = past.items.filter((item) => item.role === 'user').map((item) => item.content)
        await ctx.reply(texts.sort().join(' ') || 'nothing')`,
    })
    const host = await startHost(data)
    await json(['plugin', 'pack', plugin])
    expect((await runbound(['plugin', 'install', join(plugin, 'dist'), ...APPROVED], { data })).code).toBe(0)
    const setup = join(place, 'setup.yaml')
    writeFileSync(
      setup,
      `bots: [{ name: Left, platform: webchat }, { name: Right, platform: webchat }]
agents: [{ name: Memory, runner: "plugin:test/memory/talk" }]
routes:
  - { bot: Left, event: message.received, agent: Memory }
  - { bot: Right, event: message.received, agent: Memory }
`,
    )
    expect((await runbound(['apply', '-f', setup, '--yes'], { data })).code).toBe(0)
    for (const [bot, text] of [
      ['Left', 'apples'],
      ['Right', 'roses'],
      ['Left', 'pears'],
    ] as const)
      await say(text, data, ['--bot', bot])
    const before = await host.client.inspect()
    expect(before.schemaVersion).toBeGreaterThan(1)
    const file = join(place, 'now.tar')
    expect((await runbound(['backup', file], { data })).code).toBe(0)
    await stopHost(host)

    const old = asOfSchema1(file, place)
    const elsewhere = join(newFolder(), 'data')
    expect(await runbound(['restore', old], { data: elsewhere })).toMatchObject({ code: 0 })
    const restored = await startHost(elsewhere)
    const after = await restored.client.inspect()
    expect(after.schemaVersion).toBe(before.schemaVersion)
    for (const table of ['bots', 'routes', 'processors', 'installations', 'events', 'runs', 'transcript'])
      expect([table, after.rows[table]]).toEqual([table, before.rows[table]])
    expect(await say('plums', elsewhere, ['--bot', 'Left'])).toMatch(/^apples pears( plums)?$/)
    expect(await say('tulips', elsewhere, ['--bot', 'Right'])).toMatch(/^roses( tulips)?$/)
    await stopHost(restored)
  },
  PATIENCE,
)

/** The same backup as the first version would have written it: its schema, with every row that it could hold. */
function asOfSchema1(archive: string, place: string): string {
  const folder = join(place, 'old')
  mkdirSync(folder)
  execFileSync('tar', ['xf', archive, '-C', folder])
  const now = join(folder, 'runbound.db')
  const old = join(place, 'old.db')
  const database = new DatabaseSync(old, { enableForeignKeyConstraints: false })
  database.exec(readFileSync(FIRST_SCHEMA, 'utf8'))
  database.prepare('attach ? as now').run(now)
  const names = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map(({ name }) => String(name))
  const record = database.prepare("select sql from now.sqlite_schema where name = 'migrations'").get()
  database.exec(String(record?.sql))
  const tables = names(
    "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%' and name <> 'migrations'",
  )
  for (const table of tables) {
    const columns = names(`select name from pragma_table_info('${table}')`).join(', ')
    database.exec(`insert into main.${table} (${columns}) select ${columns} from now.${table}`)
  }
  database.exec('insert into main.migrations select * from now.migrations where id = 1')
  database.close()
  rmSync(now)
  renameSync(old, now)
  const made = join(place, 'old.tar')
  // A backup holds files alone, no folders.
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  execFileSync('tar', ['cf', made, '--format=ustar', '-C', folder, ...files])
  return made
}
