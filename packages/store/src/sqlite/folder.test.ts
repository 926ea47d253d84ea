import { spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '../index.ts'

const CHILD = fileURLToPath(new URL('./crash.child.ts', import.meta.url))

let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'runbound-folder-'))
})
afterEach(() => rm(base, { recursive: true }))

describe('the data folder', () => {
  test('is made with all that lies above it', async () => {
    await (await openStore({ folder: join(base, 'a', 'b', 'c') })).close()
  })

  test.runIf(process.platform === 'linux')('where nothing can be made, it says so at once', async () => {
    for (const folder of ['/proc/nope', '/proc/nope/deeper']) {
      await expect(openStore({ folder })).rejects.toMatchObject({
        code: 'folder',
        message: expect.stringContaining(`${folder} can't be the data folder`),
      })
    }
  })

  test('belongs to one process; a second one learns which, and gets it when that one is killed', async () => {
    const first = spawn(process.execPath, [CHILD, 'hold', base], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((resolve) => first.once('exit', resolve))
    try {
      await new Promise((resolve) => first.stdout.once('data', resolve))
      await expect(openStore({ folder: base })).rejects.toMatchObject({
        code: 'locked',
        message: expect.stringMatching(
          new RegExp(`in use by process ${first.pid} on .*stop that one, or choose another`),
        ),
      })
    } finally {
      first.kill('SIGKILL')
      await ended
    }
    await (await openStore({ folder: base })).close()
  })

  test('belongs to one store within a process too, until it is closed', async () => {
    const store = await openStore({ folder: base })
    await expect(openStore({ folder: base })).rejects.toMatchObject({ code: 'locked' })
    await expect(openStore({ folder: base })).rejects.toMatchObject({ code: 'locked' })
    await store.close()
    await store.close()
    await (await openStore({ folder: base })).close()
  })

  test('is made with its parents', async () => {
    await (await openStore({ folder: join(base, 'a', 'b') })).close()
  })

  test.each([
    ['is a file', 'file'],
    ['lies below a file', 'file/below'],
  ])('that %s is refused with what to do', async (_, name) => {
    writeFileSync(join(base, 'file'), '')
    await expect(openStore({ folder: join(base, name) })).rejects.toMatchObject({
      code: 'folder',
      message: expect.stringMatching(/choose another name/),
    })
  })

  test('that may not be written is refused with what to do', async () => {
    chmodSync(base, 0o755)
    // The superuser may write anywhere, so the child gives that up if it has it.
    const child = spawn(process.execPath, [CHILD, 'open-as-nobody', join(base, 'mine')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (process.getuid?.() !== 0) chmodSync(base, 0o555)
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    await new Promise((resolve) => child.once('exit', resolve))
    chmodSync(base, 0o755)
    expect(JSON.parse(output)).toMatchObject({ code: 'folder', message: expect.stringMatching(/may not write there/) })
  })
})
