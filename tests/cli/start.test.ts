/** `runbound start`, `chat`, `login`, `status`: first start, what can be wrong with folder and port, and how it stops. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { eventually, going, json, MAIN, newFolder, PATIENCE, runbound, say, startHost, stopHost } from './harness.ts'
import { writePlugin } from './plugins-of-tests.ts'

test(
  'a first start answers in the web chat; its page asks for a sign-in that works once',
  async () => {
    const data = newFolder()
    const host = await startHost(data)
    expect(host.events[0]).toMatchObject({ event: 'ready', first_start: true, data })

    const { bots } = await host.client.status()
    const page = `${host.url}/bots/${bots[0]?.bot_uuid}/`
    expect((await fetch(page)).status).toBe(401)
    expect((await fetch(`${host.url}/`)).status).toBe(401)
    const redeem = () =>
      fetch(host.loginUrl ?? '', { method: 'POST', redirect: 'manual', headers: { origin: host.url } })
    const signedIn = await redeem()
    expect(signedIn.status).toBe(303)
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await fetch(page, { headers: { cookie } })).status).toBe(200)
    expect((await redeem()).status).toBe(410)

    const answer = await say('hi there', data)
    expect(answer).toContain('You said: "hi there"')
    expect(await say('in the group', data, ['--group', 'Lounge', '--as', 'Ben'])).toContain('Ben')
    const piped = await runbound(['chat'], { data, input: 'one\ntwo\n' })
    expect(piped.stdout).toMatch(/"one"[\s\S]*"two"/)

    expect(await json(['status'], { data })).toMatchObject({ url: host.url, bots: [{ name: 'Web chat' }] })
    const login = await runbound(['login'], { data })
    expect(login.stdout).toMatch(new RegExp(`^${host.url}/login/\\S+\n$`))

    const password = 'a password from a pipe'
    const signIn = (given: string) =>
      fetch(`${host.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: host.url },
        body: JSON.stringify({ password: given }),
      })
    expect((await signIn(password)).status).toBe(401)
    const unasked = await runbound(['password'], { data, input: `${password}\n` })
    expect(unasked).toMatchObject({ code: 2, stdout: '' })
    expect(unasked.stderr).toContain('--stdin')
    expect(await runbound(['password', '--stdin'], { data, input: 'short\n' })).toMatchObject({ code: 1, stdout: '' })
    expect((await runbound(['password', '--stdin'], { data, input: 'two\nlines\n' })).code).toBe(2)
    const set = await runbound(['password', '--stdin'], { data, input: `${password}\n` })
    expect(set).toMatchObject({ code: 0 })
    expect(set.stdout + set.stderr).not.toContain(password)
    expect((await signIn(password)).status).toBe(200)
    // Who was signed in before is not any more.
    expect((await fetch(page, { headers: { cookie } })).status).toBe(401)

    expect(await stopHost(host)).toBe(0)
    expect(host.stderr()).toMatch(/SIGTERM: stopping\.\nStopped\./)
    const gone = await runbound(['status'], { data })
    expect(gone).toMatchObject({ code: 1, stdout: '' })
    expect(gone.stderr).toContain('runbound start')

    const again = await startHost(data)
    expect(again.events[0]).toMatchObject({ first_start: false, login_url: null })
    expect((await again.client.status()).bots).toHaveLength(1)
    again.signal('SIGKILL')
    await again.ended
    const killed = await runbound(['status'], { data })
    expect(killed.stderr).toContain(`No host answers at ${again.url}`)
  },
  PATIENCE,
)

test(
  'no answer in time ends with 1 and says so',
  async () => {
    const data = newFolder()
    const host = await startHost(data)
    const folder = writePlugin(join(newFolder(), 'slow'), {
      run: "await new Promise((end) => setTimeout(end, 600_000)); await ctx.reply('late')",
    })
    const dev = going(['dev', folder], { data })
    await dev.next(({ event }) => event === 'ready')
    const late = await runbound(['chat', '--once', '--timeout', '2'], { data, input: 'hi' })
    expect(late).toMatchObject({ code: 1, stdout: '' })
    expect(late.stderr).toContain('No answer within 2 s')

    // A silent run is no answer either, and the reason is told at once.
    writePlugin(folder, { run: 'void ctx' })
    await dev.next(({ event, ok }) => event === 'reload' && ok === true)
    const silent = await runbound(['chat', '--once'], { data, input: 'hi' })
    expect(silent).toMatchObject({ code: 1, stdout: '' })
    expect(silent.stderr).toContain('There was no answer')
    expect((await runbound(['chat', '--once'], { data, input: '\n' })).code).toBe(2)

    // Nor is the host's own sentence, although it is shown.
    writePlugin(folder, { run: "void ctx; throw new Error('broken')" })
    await dev.next(({ event, message }) => event === 'reload' && String(message) !== '', dev.events.length)
    const failed = await runbound(['chat', '--once'], { data, input: 'hi' })
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain('The run failed')
    expect(failed.stderr).toMatch(/The run failed\. Why: runbound runs show \S+/)
    dev.signal('SIGINT')
    expect(await dev.ended).toBe(0)
    await stopHost(host)
  },
  PATIENCE,
)

test(
  'SIGTERM lets a run finish, a second one interrupts it',
  async () => {
    const data = newFolder()
    const folder = writePlugin(join(newFolder(), 'long'), {
      run: "await new Promise((end) => setTimeout(end, Number(ctx.input.toText()))); await ctx.reply('done')",
    })
    for (const { wait, signals, answered } of [
      { wait: '3000', signals: 1, answered: true },
      { wait: '600000', signals: 2, answered: false },
    ]) {
      const host = await startHost(data, ['--drain', '60'])
      const dev = going(['dev', folder], { data })
      await dev.next(({ event }) => event === 'ready')
      const asked = runbound(['chat', '--once', '--timeout', '60'], { data, input: wait })
      await eventually(async () => expect((await host.client.status()).runs_active).toBe(1))
      const { items } = await host.client.listRuns({ query: { limit: 1 } })
      host.signal('SIGTERM')
      await eventually(async () => expect(host.stderr()).toContain('draining, 1 run'))
      if (signals === 2) {
        await new Promise((next) => setTimeout(next, 700)) // sooner, it counts as the same Ctrl-C
        host.signal('SIGTERM')
      }
      expect(await host.ended).toBe(0)
      await Promise.all([asked, dev.ended])
      const database = new DatabaseSync(join(data, 'runbound.db'))
      const run = database.prepare('select status from runs where run_id = ?').get(items[0]?.run_id ?? '')
      database.close()
      expect(run?.status).toBe(answered ? 'completed' : 'cancelled')
    }
  },
  PATIENCE,
)

test(
  'what is wrong with port, folder or database is one sentence, and exit code 1',
  async () => {
    const data = newFolder()
    const host = await startHost(data)
    const inUse = await runbound(['start', '--port', '0'], { data })
    expect(inUse).toMatchObject({ code: 1, stdout: '' })
    expect(inUse.stderr).toMatch(/^\S+ is in use by process \d+ .* choose another folder\.\n$/)

    const taken = createServer()
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening))
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    const other = newFolder()
    const portInUse = await runbound(['start'], { data: other, env: { RUNBOUND_PORT: port } })
    taken.close()
    expect(portInUse.code).toBe(1)
    expect(portInUse.stderr).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use\\..*\n$`))

    const nowhere = await runbound(['chat', '--once'], { data: other, input: 'hi' })
    expect(nowhere.stderr).toContain(`runbound start --data ${other};`)
    expect(nowhere.stderr).not.toContain('5490')
    expect((await runbound(['start', '--port', '0', '--data', '/proc/nope'])).stderr).toContain('/proc/nope')

    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const noFolder = await runbound(['start', '--port', '0', '--data', file])
    expect(noFolder.code).toBe(1)
    expect(noFolder.stderr).toContain(file)

    expect(await stopHost(host)).toBe(0)
    const database = new DatabaseSync(join(data, 'runbound.db'))
    database.exec(
      "insert into migrations select id + 1, 'of tomorrow', " +
        columnsAfter(database, 'migrations', ['id', 'name'])
          .map((name) => (name === 'breaking' ? '1' : name))
          .join(', ') +
        ' from migrations order by id desc limit 1',
    )
    database.close()
    const tooNew = await runbound(['start', '--port', '0'], { data })
    expect(tooNew.code).toBe(1)
    expect(tooNew.stderr).toMatch(/newer/i)
    expect(tooNew.stderr.trim().split('\n')).toHaveLength(1)

    expect((await runbound(['start', '--port', 'x'], { data: other })).code).toBe(2)
    expect((await runbound(['strat'])).code).toBe(2)
    expect((await runbound(['--help'])).code).toBe(0)
  },
  PATIENCE,
)

test(
  'the key of a data folder is not sent to another address',
  async () => {
    const data = newFolder()
    const host = await startHost(data)
    const heard: string[] = []
    const { createServer: http } = await import('node:http')
    const stranger = http((request, response) => {
      heard.push(request.headers.authorization ?? '')
      response.end('{}')
    })
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
    const address = stranger.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    const refused = await runbound(['status', '--url', url], { data })
    stranger.close()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('RUNBOUND_API_KEY')
    expect(heard).toEqual([])
    const key = readFileSync(join(data, 'cli.key'), 'utf8').trim()
    const elsewhere = newFolder()
    mkdirSync(elsewhere, { recursive: true })
    const byKey = await runbound(['status', '--url', host.url], { data: elsewhere, env: { RUNBOUND_API_KEY: key } })
    expect(byKey.code).toBe(0)
    await stopHost(host)
  },
  PATIENCE,
)

/** `script` (util-linux) gives a command a terminal of its own. */
const hasScript = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

test.skipIf(!hasScript)(
  'at a terminal one talks: answers are streamed, speaker and chat can change',
  async () => {
    const data = newFolder()
    const host = await startHost(data)
    const talk = spawn('script', ['-qec', `${process.execPath} ${MAIN} chat`, '/dev/null'], {
      env: { PATH: process.env.PATH, RUNBOUND_DATA: data, NO_COLOR: '1', TERM: 'dumb' },
    })
    let seen = ''
    talk.stdout.setEncoding('utf8').on('data', (text: string) => {
      seen += text
    })
    const ended = new Promise<number | null>((resolve) => talk.once('close', resolve))
    const type = async (line: string, then: RegExp) => {
      talk.stdin.write(`${line}\r`)
      await eventually(async () => expect(seen).toMatch(then))
    }
    await eventually(async () => expect(seen).toContain('Ann >'))
    await type('hello', /Web chat: Hello, Ann! You said: "hello"[\s\S]*next answer\.[\s\S]*Ann >/)
    await type('/as Ben', /Ben >/)
    await type('/group nowhere', /There is no group "nowhere"/)
    await type('/group Lounge', /Ben in Lounge >/)
    await type('to all', /Hello, Ben! You said: "to all"/)
    await type('/what', /\/quit/)
    talk.stdin.write('/quit\r')
    expect(await ended).toBe(0)
    expect(seen).not.toContain('Error')
    await stopHost(host)
  },
  PATIENCE,
)

function columnsAfter(database: DatabaseSync, table: string, first: readonly string[]): string[] {
  const names = database
    .prepare(`pragma table_info(${table})`)
    .all()
    .map((column) => String(column.name))
  expect(names.slice(0, first.length)).toEqual(first)
  return names.slice(first.length)
}
