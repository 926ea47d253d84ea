/** A host that can't start says what is wrong and what to do, and leaves nothing behind that stands in the way of the next. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createLogger, type Host, type HostOptions, startHost } from '@runbound/host'
import { afterEach, beforeEach, expect, test } from 'vitest'

let base: string
let folder: string
let running: Host | null
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'runbound-start-'))
  folder = join(base, 'data')
  running = null
})
afterEach(async () => {
  await running?.stop({ drainMs: 0 })
  await rm(base, { recursive: true })
})

async function start(more: Partial<HostOptions> = {}): Promise<Host> {
  running = await startHost({
    folder,
    platforms: {},
    runtime: null,
    logger: createLogger({ level: 'silent' }),
    ...more,
  })
  return running
}

test('a folder in use names the process that has it; afterwards it can be used', async () => {
  const first = await start()
  await expect(start()).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringMatching(new RegExp(`in use by process ${process.pid} .*stop that one, or choose another`)),
  })
  await first.stop({ drainMs: 0 })
  await start()
})

test('a folder that is a file, or that this user may not write, says so', async () => {
  await writeFile(join(base, 'file'), '')
  await expect(start({ folder: join(base, 'file') })).rejects.toMatchObject({
    code: 'folder',
    message: expect.stringMatching(/can't be the data folder: .*choose another/),
  })
  const child = fileURLToPath(new URL('./start-as-nobody.ts', import.meta.url))
  const said = await output(child, join(base, 'not-mine'))
  expect(said).toMatch(/folder: .*not-mine can't be the data folder: this user may not write there: change its owner/)
})

test('a database of a newer version is refused and not touched', async () => {
  await (await start()).stop({ drainMs: 0 })
  const database = new DatabaseSync(join(folder, 'runbound.db'))
  database.exec(
    "insert into migrations (id, name, applied_at, breaking, digest) select max(id) + 1, 'later', 0, 1, 'x' from migrations",
  )
  database.close()
  await expect(start()).rejects.toMatchObject({
    code: 'schema',
    message: expect.stringMatching(/newer version/),
  })
  const after = new DatabaseSync(join(folder, 'runbound.db'))
  expect(after.prepare("select count(*) as n from migrations where name = 'later'").get()).toEqual({ n: 1 })
  after.close()
})

test('a port in use names it and the way out; the folder is free again at once', async () => {
  const taken = createServer()
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, '127.0.0.1', () => {
      const address = taken.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  await expect(start({ http: { port } })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringMatching(new RegExp(`Port ${port} on 127.0.0.1 is in use.*--port 0`)),
  })
  await new Promise((resolve) => taken.close(resolve))
  const host = await start({ http: { port } })
  expect((await fetch(`${host.http?.url}/healthz`)).status).toBe(200)
})

function output(file: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    child.once('error', reject)
    child.once('exit', () => resolve(text))
  })
}
