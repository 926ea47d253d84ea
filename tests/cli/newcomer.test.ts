/** What somebody meets who knows nothing yet: a step done twice, an option misspelt, ids instead of names. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { going, json, newFolder, PATIENCE, type RunningHost, runbound, say, startHost, stopHost } from './harness.ts'
import { pluginText, writePlugin } from './plugins-of-tests.ts'

let host: RunningHost
let data = ''
beforeAll(async () => {
  data = newFolder()
  host = await startHost(data)
}, PATIENCE)
afterAll(() => stopHost(host).then(() => undefined), PATIENCE)

test(
  'the same package a second time changes nothing and restarts nothing; other rights still count',
  async () => {
    const folder = writePlugin(join(newFolder(), 'twice'), { name: 'twice' })
    const packed = await runbound(['plugin', 'pack', folder])
    expect(packed.stdout).toMatch(/Next: runbound plugin install \S+dist .*you approve it/)
    const dist = join(folder, 'dist')
    const install = (...more: string[]) => runbound(['plugin', 'install', dist, ...more], { data })
    const first = await install('--yes', '--accept-not-isolated')
    expect(first.code).toBe(0)
    expect(first.stderr).toContain('runner: plugin:test/twice/talk')

    const lineOf = async () => (await host.client.listPlugins()).items.find((one) => one.plugin_id === 'test/twice')
    const before = await lineOf()
    for (const more of [[], ['--yes'], ['--yes', '--accept-not-isolated']]) {
      const again = await install(...more)
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(again.stdout).toBe('test/twice 1.0.0 is already installed, nothing changed (ready).\n')
    }
    expect(await lineOf()).toEqual(before)

    expect((await install('--yes', '--grant', '{"apis":["get_bots"]}')).code).toBe(0)
    const params = { installation_uuid: before?.installation_uuid ?? '' }
    expect((await host.client.getPlugin({ params })).installation_grant).toEqual({ apis: ['get_bots'] })

    // One that was switched off stays so, and it is said.
    expect((await runbound(['plugin', 'disable', 'twice'], { data })).code).toBe(0)
    expect((await install('--yes')).stdout).toContain('already installed, nothing changed (disabled)')
  },
  PATIENCE,
)

test.each([
  [['runs', 'list', '--status', 'foo'], /no status "foo"\. --status takes: .*created.*running.*completed.*failed/],
  [['runs', 'list', '--limit', '0'], /^--limit is a whole number from 1 to 100, not "0"\.\n$/],
  [['runs', 'list', '--limit', 'many'], /^--limit is a whole number from 1 to 100, not "many"\.\n$/],
  [['plugin', 'logs', 'guide', '--lines', '-3'], /^--lines is a whole number from 1 to 1000, not "-3"\.\n$/],
  [['chat', '--once', '--timeout', '0'], /^--timeout is a number of seconds above 0, at most 86400, not "0"\.\n$/],
  [['doctor', '--port', '70000'], /^--port is a whole number from 0 to 65535, not "70000"\.\n$/],
  [['start', '--drain', '-1'], /^--drain is a whole number from 0 to 86400, not "-1"\.\n$/],
  [['runs', 'show', 'ab'], /^"ab" is too short: at least 4 characters of the run's id\.\n$/],
])(
  'what an option does not take is one sentence: %j',
  async (args, why) => {
    const own = args[0] === 'start' ? newFolder() : data
    const refused = await runbound(args.includes('--port') || args[0] !== 'start' ? args : [...args, '--port', '0'], {
      data: own,
      input: 'hi',
    })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(why)
  },
  PATIENCE,
)

test(
  'an empty set-up file is an error, not a set-up of nothing',
  async () => {
    const file = join(newFolder(), 'empty.yaml')
    writeFileSync(file, '# later\n')
    const refused = await runbound(['apply', '-f', file, '--yes'], { data })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/empty\.yaml is empty\. It needs at least one of: bots, agents/)
  },
  PATIENCE,
)

test(
  'people read names, scripts ids; a run is found by how its id begins',
  async () => {
    const asked = await runbound(['chat', '--once', '--json'], { data, input: 'who are you' })
    const { event_id, messages } = JSON.parse(asked.stdout)
    const run_id: string = messages[0].run_id
    const list = await runbound(['runs', 'list'], { data })
    expect(list.stdout).toMatch(new RegExp(`^${run_id} +completed +\\S+ \\S+ +Guide +${event_id}$`, 'm'))
    expect(await json(['runs', 'list'], { data })).toMatchObject([{ run_id, agent_id: 'guide' }])
    const why = await runbound(['events', 'why', event_id], { data })
    expect(why.stdout).toContain(`The run ${run_id} of "Guide" completed.`)
    expect(await json(['events', 'why', event_id], { data })).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ processor_id: 'guide' })]),
    })

    const beginning = run_id.slice(0, 12)
    expect((await runbound(['runs', 'show', beginning], { data })).stdout).toMatch(
      new RegExp(`^${run_id} [\\s\\S]*Guide`),
    )
    const late = await runbound(['runs', 'cancel', beginning], { data })
    expect(late.stderr).toContain(`Run ${run_id} is completed`)
    expect((await runbound(['runs', 'follow', beginning], { data })).stdout).toContain('run.completed')
    const none = await runbound(['runs', 'show', 'zzzz'], { data })
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain('There is no run zzzz')

    // Run ids begin with their time: two of the same moment begin alike.
    await say('and again', data)
    const ids = ((await json(['runs', 'list'], { data })) as { run_id: string }[]).map((run) => run.run_id)
    const shared = commonStart(ids[0] ?? '', ids[1] ?? '')
    if (shared.length >= 4) {
      const either = await runbound(['runs', 'show', shared], { data })
      expect(either.code).toBe(1)
      expect(either.stderr).toContain(`"${shared}" may be one of 2 runs:\n${ids[0]}\n${ids[1]}`)
    }
  },
  PATIENCE,
)

test(
  'where several could answer, stderr says who did; pack, check and an unchanged save cause no reload',
  async () => {
    const alone = await runbound(['chat', '--once'], { data, input: 'hi' })
    expect(alone).toMatchObject({ code: 0, stderr: '' })
    const folder = writePlugin(join(newFolder(), 'quiet'), { name: 'quiet', run: "await ctx.reply('one')" })
    const dev = going(['dev', folder], { data })
    await dev.next(({ event }) => event === 'ready')
    const asked = await runbound(['chat', '--once'], { data, input: 'hi' })
    expect(asked.stdout).toBe('one\n')
    expect(asked.stderr).toMatch(/^Bot "dev", answered by "[^"]*talk[^"]*"\.\n$/)

    const since = dev.events.length
    expect((await runbound(['plugin', 'check', folder])).code).toBe(0)
    expect((await runbound(['plugin', 'pack', folder])).code).toBe(0)
    expect((await runbound(['plugin', 'pack', folder, '-o', join(folder, 'package')])).code).toBe(0)
    writeFileSync(join(folder, 'index.ts'), pluginText({ name: 'quiet', run: "await ctx.reply('one')" }))
    await new Promise((next) => setTimeout(next, 1_000))
    writeFileSync(join(folder, 'index.ts'), pluginText({ name: 'quiet', run: "await ctx.reply('two')" }))
    await dev.next(({ event, ok }) => event === 'reload' && ok === true, since)
    expect(dev.events.slice(since).filter(({ event }) => event === 'reload')).toHaveLength(1)
    expect(await say('hi', data)).toBe('two')
    dev.signal('SIGINT')
    expect(await dev.ended).toBe(0)
  },
  PATIENCE,
)

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}
