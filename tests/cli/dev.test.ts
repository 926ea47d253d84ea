/** `runbound dev`: a new plugin answers, saves are loaded, broken ones leave the old version serving, nothing is left behind. */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LiveChange } from '@runbound/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  eventually,
  type Going,
  going,
  isAlive,
  newFolder,
  PATIENCE,
  type RunningHost,
  runbound,
  say,
  startHost,
  stopHost,
} from './harness.ts'
import { pluginText, writePlugin } from './plugins-of-tests.ts'

const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url))

test(
  'a new plugin outside the repository: types, tests, dev without a host, an answer, a change, Ctrl-C',
  async () => {
    const [data, place] = [newFolder(), newFolder()]
    expect((await runbound(['plugin', 'new', 'hello', '--author', 'acme'], { cwd: place })).code).toBe(0)
    const folder = join(place, 'hello')
    expect((await runbound(['plugin', 'new', 'hello'], { cwd: place })).stderr).toContain('not empty')
    expect((await runbound(['plugin', 'new', '1x'], { cwd: place })).code).toBe(2)

    const dev = going(['dev', 'hello', '--port', '0'], { data, cwd: place })
    expect(await dev.next(({ event }) => event === 'ready')).toMatchObject({
      plugin_id: 'acme/hello',
      faults: [],
      needs_yes: ['tools other than event_reply'],
    })
    expect(await say('hi', data)).toBe('Hello! You said: hi')
    const index = join(folder, 'index.ts')
    writeFileSync(index, readFileSync(index, 'utf8').replace('You said', 'You have said'))
    await eventually(async () => expect(await say('hi', data)).toBe('Hello! You have said: hi'))
    expect(JSON.parse(readFileSync(join(folder, 'runbound.manifest.json'), 'utf8'))).toMatchObject({
      manifest: { metadata: { author: 'acme', name: 'hello' }, execution: { node: { path: 'index.ts' } } },
    })
    dev.signal('SIGINT')
    expect(await dev.ended).toBe(0)
    expect((await runbound(['status'], { data })).code).toBe(1)

    writeFileSync(index, readFileSync(index, 'utf8').replace('You have said', 'You said'))
    expect(await runbound(['plugin', 'test', 'hello'], { cwd: place })).toMatchObject({ code: 0 })
  },
  PATIENCE,
)

test(
  'in a new plugin tsc needs no registry, and a misspelt permission does not compile',
  async () => {
    const place = newFolder()
    await runbound(['plugin', 'new', 'hello'], { cwd: place })
    const folder = join(place, 'hello')
    // The author's test brings the sources of the whole host; they have their own check.
    rmSync(join(folder, 'index.test.ts'))
    const checked = await runbound(['plugin', 'check', '--json'], { cwd: folder })
    expect(
      checked.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).state),
    ).toEqual(['ok', 'ok', 'ok'])
    const index = join(folder, 'index.ts')
    writeFileSync(index, readFileSync(index, 'utf8').replace("['call']", "['cal']"))
    const misspelt = spawnSync(process.execPath, [TSC, '--noEmit', '-p', folder], { encoding: 'utf8' })
    expect(misspelt.stdout).toMatch(/index\.ts.*'"cal"' is not assignable/)
    const found = await runbound(['plugin', 'check'], { cwd: folder })
    expect(found.code).toBe(1)
    expect(found.stdout).toContain('"cal"')
  },
  PATIENCE * 2,
)

let host: RunningHost
beforeAll(async () => {
  host = await startHost(newFolder())
}, PATIENCE)
afterAll(() => stopHost(host).then(() => undefined), PATIENCE)

/** A session attached to the shared host. */
async function session(folder: string): Promise<{ dev: Going; uuid: string }> {
  const dev = going(['dev', folder], { data: host.data })
  const ready = await dev.next(({ event }) => event === 'ready')
  return { dev, uuid: String(ready.installation_uuid) }
}
async function end(dev: Going): Promise<void> {
  dev.signal('SIGINT')
  expect(await dev.ended).toBe(0)
}
const reload = (dev: Going, ok: boolean, since: number) =>
  dev.next((event) => event.event === 'reload' && event.ok === ok, since)
async function statusOf(uuid: string) {
  const { items } = await host.client.listPlugins()
  return items.find((one) => one.installation_uuid === uuid)
}

test(
  '[D23] good, broken, good: the last good version serves, one readable error between',
  async () => {
    const folder = writePlugin(join(newFolder(), 'three'), { name: 'three', run: "await ctx.reply('version 1')" })
    const { dev } = await session(folder)
    expect(await say('hi', host.data)).toBe('version 1')

    let since = dev.events.length
    writeFileSync(join(folder, 'index.ts'), `${pluginText({ name: 'three' })}\nconst broken = {`)
    const failed = await reload(dev, false, since)
    expect(failed.message).toMatch(
      /Cannot load the plugin.*SyntaxError.*index\.ts.*the version before goes on serving/s,
    )
    expect(await say('hi', host.data)).toBe('version 1')
    expect(dev.events.slice(since).filter(({ event }) => event === 'reload')).toHaveLength(1)

    since = dev.events.length
    writePlugin(folder, { name: 'three', run: "await ctx.reply('version 2')" })
    await reload(dev, true, since)
    expect(await say('hi', host.data)).toBe('version 2')
    expect(failed.message).not.toContain('start again')

    // What a run throws: the error first, then the author's own lines of its stack and nobody else's.
    since = dev.events.length
    writePlugin(folder, { name: 'three', run: "void ctx; throw new Error('mine')" })
    await reload(dev, true, since)
    await runbound(['chat', '--once'], { data: host.data, input: 'hi' })
    await dev.next(({ text }) => String(text).includes('index.ts:'), since)
    const told = dev.events.slice(since).flatMap(({ event, text }) => (event === 'log' ? [String(text)] : []))
    expect(told[0]).toMatch(/Runner "talk".*Error: mine/)
    expect(told.slice(1).every((line) => line.includes('three/index.ts'))).toBe(true)
    await end(dev)
    const over = await runbound(['chat', '--once', '--bot', 'dev'], { data: host.data, input: 'hi' })
    expect(over).toMatchObject({ code: 1, stdout: '' })
    expect(over.stderr).toMatch(/There was no answer: .*switched off/)
  },
  PATIENCE,
)

test(
  'a plugin that does not load at first is tried again at each save',
  async () => {
    const folder = writePlugin(join(newFolder(), 'later'), { name: 'later', before: 'throw new Error("not yet")' })
    const dev = going(['dev', folder], { data: host.data })
    expect((await reload(dev, false, 0)).message).toContain('not yet')
    writePlugin(folder, { name: 'later' })
    await dev.next(({ event }) => event === 'ready')
    expect(await say('hi', host.data)).toBe('ok')
    await end(dev)
  },
  PATIENCE,
)

test(
  '[D19] three reloads leave one process, and its work runs once',
  async () => {
    const ticking = {
      name: 'ticking',
      before: `const id = crypto.randomUUID()`,
      // Never cleared: what a careless author writes.
      plugin: "setup() { setInterval(() => console.log('tick ' + id), 200) },",
    }
    const folder = writePlugin(join(newFolder(), 'ticking'), ticking)
    const { dev, uuid } = await session(folder)
    const pids = [(await statusOf(uuid))?.pid ?? 0]
    for (let round = 0; round < 3; round++) {
      const since = dev.events.length
      writePlugin(folder, { ...ticking, run: `await ctx.reply('round ${round}')` })
      await reload(dev, true, since)
      const pid = (await statusOf(uuid))?.pid ?? 0
      expect(pids.filter(isAlive)).toEqual([]) // the old one is gone before the new one counts as running
      pids.push(pid)
    }
    expect(new Set(pids).size).toBe(4)
    const since = dev.events.length
    await new Promise((next) => setTimeout(next, 2_000))
    const ticks = dev.events.slice(since).flatMap(({ text }) => /tick (\S+)/.exec(String(text))?.[1] ?? [])
    expect(ticks.length).toBeGreaterThan(2)
    expect(new Set(ticks).size).toBe(1)
    await end(dev)
    await eventually(async () => expect(pids.filter(isAlive)).toEqual([]))
  },
  PATIENCE,
)

test(
  '[D20] a dispose that never ends holds the reload up until its deadline, then the process is ended',
  async () => {
    const stuck = { name: 'stuck', plugin: 'dispose: () => new Promise(() => {}),' }
    const folder = writePlugin(join(newFolder(), 'stuck'), { ...stuck, run: "await ctx.reply('old')" })
    const { dev, uuid } = await session(folder)
    const pid = (await statusOf(uuid))?.pid ?? 0
    const since = dev.events.length
    writePlugin(folder, { ...stuck, run: "await ctx.reply('new')" })
    await reload(dev, true, since)
    expect(isAlive(pid)).toBe(false)
    expect(await say('hi', host.data)).toBe('new')
    const logs = await runbound(['plugin', 'logs', 'stuck'], { data: host.data })
    expect(logs.stdout).toMatch(/dispose did not end within \d+ s/)
    await end(dev)
  },
  PATIENCE,
)

test(
  '[D21] a plugin that owns a port has it again after a reload; a busy port fails that plugin and nothing else',
  async () => {
    const port = await freePort()
    const serving = {
      name: 'serving',
      before: "import { createServer } from 'node:net'",
      plugin: `setup() { createServer((socket) => socket.end(WHO)).listen(${port}, '127.0.0.1') },`,
    }
    const version = (who: string) => ({ ...serving, before: `${serving.before}\nconst WHO = '${who}'` })
    const folder = writePlugin(join(newFolder(), 'serving'), version('one'))
    const { dev, uuid } = await session(folder)
    const hostPid = host.child.pid
    await eventually(async () => expect(await hear(port)).toBe('one'))
    const since = dev.events.length
    writePlugin(folder, version('two'))
    await reload(dev, true, since)
    await eventually(async () => expect(await hear(port)).toBe('two'))
    expect((await statusOf(uuid))?.state).toBe('ready')
    await end(dev)

    const taken = createServer((socket) => socket.end('taken')).listen(port, '127.0.0.1')
    const again = await session(folder)
    await again.dev.next(({ event, state }) => event === 'state' && (state === 'backing_off' || state === 'failed'))
    expect((await runbound(['plugin', 'logs', 'serving'], { data: host.data })).stdout).toContain('EADDRINUSE')
    expect(await hear(port)).toBe('taken')
    expect(isAlive(hostPid ?? 0)).toBe(true)
    expect(await say('hi', host.data, ['--bot', 'Web chat'])).toContain('You said')
    taken.close()
    await end(again.dev)
  },
  PATIENCE,
)

test(
  '[D24] [D25] after a reload everything is registered as after a fresh start, and listeners hear of a new schema',
  async () => {
    const before = { name: 'shape', runner: "config: { tone: field.string({ default: 'soft' }) }," }
    const after = {
      name: 'shape',
      version: '1.1.0',
      runner: "config: { tone: field.string({ default: 'soft' }), volume: field.integer({ default: 3 }) },",
      run: 'await ctx.reply(ctx.config.tone + ctx.config.volume)',
    }
    const folder = writePlugin(join(newFolder(), 'shape'), before)
    const { dev, uuid } = await session(folder)

    const stop = new AbortController()
    const heard: LiveChange[] = []
    const opened = Promise.withResolvers<void>()
    const listening = (async () => {
      for await (const change of host.client.live(stop.signal, opened.resolve)) heard.push(change)
    })()
    await opened.promise
    const since = dev.events.length
    writePlugin(folder, after)
    await reload(dev, true, since)
    const params = { installation_uuid: uuid }
    const shape = async () => {
      const { manifest, version } = await host.client.getPlugin({ params })
      const runners = (await host.client.status()).runners.filter((one) => one.installation_uuid === uuid)
      return { manifest, version, runners }
    }
    const reloaded = await shape()
    expect(JSON.stringify(reloaded.manifest)).toContain('"volume"')
    expect(heard.some(({ kind, data }) => kind === 'plugin' && JSON.stringify(data).includes('1.1.0 is loaded'))).toBe(
      true,
    )
    stop.abort()
    await listening
    // The agent that was made before follows the new schema.
    expect(await say('hi', host.data)).toBe('soft3')
    await end(dev)

    const fresh = await session(folder)
    expect(await shape()).toEqual(reloaded)
    await end(fresh.dev)
  },
  PATIENCE,
)

test(
  'Runners get what they declare: a second agent by its name, an event Runner its events',
  async () => {
    const folder = join(newFolder(), 'many')
    writePlugin(folder, { name: 'many' })
    writeFileSync(
      join(folder, 'index.ts'),
      `import { definePlugin, defineRunner, field } from '@runbound/sdk'
const asks = { capabilities: { tool_calling: true }, permissions: { tools: ['call'] } } as const
export default definePlugin({ author: 'test', name: 'many', version: '1.0.0', components: [
  defineRunner({ name: 'first', usages: ['agent'], ...asks, run: async (ctx) => void (await ctx.reply('first')) }),
  defineRunner({ name: 'second', usages: ['agent'], ...asks, run: async (ctx) => void (await ctx.reply('second')) }),
  defineRunner({ name: 'needy', usages: ['agent'], ...asks, config: { key: field.string({ required: true }) }, run: () => {} }),
  defineRunner({ name: 'welcome', usages: ['event'], ...asks, on: { 'message.received': async (ctx) => void (await ctx.reply('seen')) } }),
] })
`,
    )
    const dev = going(['dev', folder], { data: host.data })
    const ready = await dev.next(({ event }) => event === 'ready')
    expect(ready.runners).toEqual([
      { name: 'first', usage: 'agent', gets: 'every message' },
      { name: 'second', usage: 'agent', gets: 'messages that begin with /second' },
      { name: 'welcome', usage: 'event', gets: 'message.received' },
    ])
    expect(ready.faults).toEqual([expect.stringMatching(/^needy gets nothing yet: .*key.*required/)])
    expect((await say('hi', host.data)).split('\n').sort()).toEqual(['first', 'seen'])
    expect((await say('/second please', host.data)).split('\n').sort()).toEqual(['second', 'seen'])
    await end(dev)
  },
  PATIENCE,
)

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function hear(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (data) => {
      said += data.toString()
    })
    socket.once('end', () => resolve(said))
    socket.once('error', reject)
  })
}
