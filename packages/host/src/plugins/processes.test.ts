/** Plugins as real processes: what they see, how they fail, and that no other plugin notices. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alive, PATIENCE_MS, type PluginHost, pluginHost } from './fixtures.ts'
import { PLUGIN_ENVIRONMENT } from './process/environment.ts'
import { detectWall } from './process/isolation.ts'

const SENTENCE = 'Sorry, that did not work.'
let t: PluginHost
beforeAll(async () => {
  process.env.RUNBOUND_TEST_SECRET = 'open sesame'
  t = await pluginHost()
}, PATIENCE_MS)
afterAll(async () => {
  delete process.env.RUNBOUND_TEST_SECRET
  await t.close()
}, PATIENCE_MS)

const TIMEOUT = { timeout: 60_000 }
/** In a plugin: true under this host, false where only its manifest is asked for. */
const HERE = `process.env.HOME?.includes('runbound-plugins-')`

test('a plugin process sees its package and its own folder, and nothing of the host', TIMEOUT, async () => {
  const installed = await t.install({
    name: 'peeper',
    top: `import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
const why = (work) => { try { return String(work()).slice(0, 200) } catch (error) { return error.code ?? error.message } }`,
    run: `await ctx.reply(JSON.stringify({
      data: why(() => readdirSync(${JSON.stringify(t.data)})),
      passwd: why(() => readFileSync('/etc/passwd')),
      repository: why(() => readFileSync(${JSON.stringify(new URL('../../../../package.json', import.meta.url).pathname)})),
      own: why(() => readFileSync(new URL('./index.ts', import.meta.url))).length,
      overwrite: why(() => writeFileSync(new URL('./index.ts', import.meta.url), 'x')),
      home: why(() => writeFileSync(process.env.HOME + '/note', 'x')),
      signal: why(() => process.kill(${process.pid}, 0)),
      environment: Object.keys(process.env).sort(),
      secret: Object.values(process.env).includes('open sesame'),
    }))`,
  })
  const seen = JSON.parse(await t.ask(await t.chat('peeper'), 'look'))
  const denied = /ERR_ACCESS_DENIED|ENOENT/
  expect(seen.data).toMatch(denied)
  expect(seen.passwd).toMatch(denied)
  expect(seen.repository).toMatch(denied)
  expect(seen.overwrite).toMatch(/ERR_ACCESS_DENIED|EROFS/)
  expect(seen.own).toBeGreaterThan(100)
  expect(seen.home).toBe('undefined')
  expect(seen.secret).toBe(false)
  // The capability is taken out before any code of the author runs.
  expect(seen.environment).not.toContain('LANGBOT_PLUGIN_REGISTRATION_CAPABILITY')
  for (const name of seen.environment) expect([...PLUGIN_ENVIRONMENT, 'PWD']).toContain(name)
  const { isolation } = t.status(installed)
  expect(isolation).toBe(detectWall().says)
  // Its own process namespace: there is no such process for it.
  if (detectWall().kind === 'bubblewrap') expect(seen.signal).toBe('ESRCH')
})

describe('a plugin that', () => {
  test(
    'dies in a run: its user reads the sentence, the record says why, others go on, and it comes back',
    TIMEOUT,
    async () => {
      const mortal = await t.install({
        name: 'mortal',
        run: `if (ctx.input.toText() === 'die') process.exit(3)
    await ctx.reply('alive in ' + process.pid)`,
      })
      await t.install({
        name: 'steady',
        run: `await new Promise((resolve) => setTimeout(resolve, 1500)); await ctx.reply('steady')`,
      })
      const bot = await t.chat('mortal', { sentence: SENTENCE })
      const other = await t.chat('steady')
      await t.until(mortal, ({ state }) => state === 'ready')
      const pid = t.status(mortal).pid ?? 0
      const steady = t.ask(other, 'go')
      const accepted = await bot.say('die')
      await bot.waitFor(({ text }) => text === SENTENCE, PATIENCE_MS)
      expect(await steady).toBe('steady')

      const event = 'event_id' in accepted ? accepted.event_id : ''
      const { workspace_uuid } = t.host.identity
      const list = await t.host.runs.list({ workspace_uuid, statuses: ['failed'], before_cursor: null, limit: 5 })
      const run = list.items.find(({ event_id }) => event_id === event)
      expect(run).toMatchObject({ status: 'failed' })
      const page = await t.host.runs.events({
        run_id: run?.run_id ?? '',
        before_cursor: null,
        after_cursor: null,
        limit: 10,
        direction: 'forward',
      })
      expect(page.items.at(-1)).toMatchObject({ type: 'run.failed', data: { code: expect.stringMatching(/plugin/) } })
      expect((await t.host.trail.of(event)).map(({ code }) => code)).toContain('run_failed')

      const back = await t.until(mortal, ({ state, restarts }) => state === 'ready' && restarts >= 2)
      expect(back.pid).not.toBe(pid)
      expect(alive(pid)).toBe(false)
      expect(await t.ask(bot, 'still there?')).toMatch(/^alive in /)
    },
  )

  test('never registers holds nobody up, and is gone at once when it is stopped', TIMEOUT, async () => {
    const path = await t.pack({
      name: 'sleeper',
      top: `if (${HERE}) { setInterval(() => {}, 1000); await new Promise(() => {}) }`,
    })
    const { plugins } = t.host
    const installed = await plugins.install({ path })
    const { installation_uuid } = installed
    const approved = plugins.approve(installation_uuid, installed)
    await t.until(installed, ({ state }) => state === 'starting')
    expect(await t.ask(await t.chat('steady'), 'go')).toBe('steady')
    const began = performance.now()
    await plugins.setEnabled(installation_uuid, false)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(t.status(installed)).toMatchObject({ state: 'disabled', pid: null })
    await approved
  })

  test('exits at once says so, with its own last words, and is tried again', TIMEOUT, async () => {
    const quitting = await t.install({
      name: 'quitter',
      top: `if (${HERE}) { console.error('no licence found'); process.exit(0) }`,
    })
    const status = await t.until(quitting, ({ state }) => state === 'backing_off')
    expect(status.message).toMatch(/no licence found.*the next start is in/)
    await t.until(quitting, ({ restarts }) => restarts >= 2)
  })

  test('prints on stdout: the answer arrives all the same, and the noise is in its log', TIMEOUT, async () => {
    const noisy = await t.install({
      name: 'noisy',
      top: `import { writeSync } from 'node:fs'`,
      run: `process.stdout.write('chatter one\\n'); console.log('chatter two'); writeSync(1, 'chatter three\\n')
    await ctx.reply('heard'); writeSync(1, 'without an end')`,
    })
    const bot = await t.chat('noisy')
    expect(await t.ask(bot, 'go')).toBe('heard')
    expect(await t.ask(bot, 'again')).toBe('heard')
    for (const word of ['one', 'two', 'three']) expect(t.logged(noisy)).toContain(`chatter ${word}`)
    expect(t.status(noisy)).toMatchObject({ state: 'ready', restarts: 1 })
  })

  test('leaves a rejection unhandled goes on, and its log names the run', TIMEOUT, async () => {
    const careless = await t.install({
      name: 'careless',
      run: `void Promise.reject(new Error('forgotten promise')); await ctx.reply('still here')`,
    })
    const bot = await t.chat('careless')
    expect(await t.ask(bot, 'go')).toBe('still here')
    await expect
      .poll(() => t.logged(careless), { timeout: 5_000 })
      .toMatch(/error .*not handled.*run .*forgotten promise/)
    expect(t.status(careless)).toMatchObject({ state: 'ready', restarts: 1 })
  })

  test(
    '[D20] has a dispose that never ends is stopped at the deadline, the log says so, and it is gone',
    TIMEOUT,
    async () => {
      const stubborn = await t.install({
        name: 'stubborn',
        more: `dispose: () => new Promise(() => { setInterval(() => {}, 1000) }),`,
      })
      const { pid } = await t.until(stubborn, ({ state }) => state === 'ready')
      const began = performance.now()
      await t.host.plugins.setEnabled(stubborn.installation_uuid, false)
      const took = performance.now() - began
      expect(took).toBeGreaterThan(4_000)
      expect(took).toBeLessThan(15_000)
      expect(t.logged(stubborn)).toMatch(/dispose did not end within 5 s/)
      expect(alive(pid ?? 0)).toBe(false)
      expect(t.status(stubborn)).toMatchObject({ state: 'disabled', pid: null })
    },
  )

  test(
    '[D21] finds its port taken says so in its status; its Runner works, the host does not notice',
    TIMEOUT,
    async () => {
      const { createServer } = await import('node:net')
      const taken = createServer()
      const port = await new Promise<number>((resolve) => {
        taken.listen(0, '127.0.0.1', () => resolve(Number((taken.address() as { port: number }).port)))
      })
      const listener = await t.install({
        name: 'listener',
        top: `import { createServer } from 'node:net'`,
        run: `await ctx.reply('fine')`,
        more: `async setup() {
    await new Promise((resolve, reject) => createServer().once('error', reject).listen(${port}, '127.0.0.1', resolve))
  },`,
      })
      const status = await t.until(listener, ({ message }) => message !== null)
      expect(status).toMatchObject({ state: 'ready' })
      expect(status.message).toMatch(/its setup failed: .*EADDRINUSE.*its Runners go on/)
      expect(await t.ask(await t.chat('listener'), 'go')).toBe('fine')
      await new Promise((resolve) => taken.close(resolve))
      await t.host.plugins.restart(listener.installation_uuid)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(t.status(listener)).toMatchObject({ state: 'ready', message: null })
    },
  )
})
