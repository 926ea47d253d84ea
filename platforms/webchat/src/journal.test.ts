import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Journal } from './journal.ts'

let folder: string
const open: Journal[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'))
})
afterEach(async () => {
  for (const journal of open.splice(0)) await journal.close()
  await rm(folder, { recursive: true, force: true })
})

function make(compactBytes = 1_000_000, snapshot: () => string[] = () => []): Journal {
  const journal = new Journal({ folder, compactBytes, snapshot })
  open.push(journal)
  return journal
}

async function read(): Promise<string[]> {
  const journal = make()
  const lines = await journal.open()
  await journal.close()
  return lines
}

async function onlyFile(): Promise<string> {
  const [name] = await readdir(folder)
  return join(folder, name ?? '')
}

test('what was confirmed is read again, in order, over several starts', async () => {
  for (const turn of [0, 1, 2]) {
    const journal = make()
    expect((await journal.open()).length).toBe(turn * 50)
    await Promise.all(Array.from({ length: 50 }, (_, at) => journal.append(`line ${turn}.${at} 天气\u2028`)))
    await journal.close()
  }
  expect((await read()).at(77)).toBe('line 1.27 天气\u2028')
})

test('a torn last line is cut off and nothing before it is lost', async () => {
  const journal = make()
  await journal.open()
  await journal.append('one')
  await journal.append('two')
  await journal.close()
  const path = await onlyFile()
  const whole = await readFile(path)
  const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1
  for (let cut = lastLine; cut < whole.length; cut++) {
    await writeFile(path, whole.subarray(0, cut))
    expect(await read(), `cut at ${cut}`).toEqual(['one'])
  }
  await writeFile(path, whole)
  await appendFile(path, Buffer.alloc(4096))
  expect(await read()).toEqual(['one', 'two'])
  // The zeros are gone: what is written now is not damaged by them.
  const next = make()
  await next.open()
  await next.append('three')
  await next.close()
  expect(await read()).toEqual(['one', 'two', 'three'])
})

test('a flipped bit in the middle is refused with the file and the way out, never skipped', async () => {
  const journal = make()
  await journal.open()
  await journal.append('one')
  await journal.append('two')
  await journal.close()
  const path = await onlyFile()
  const bytes = await readFile(path)
  const at = bytes.indexOf('one')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
  await expect(make().open()).rejects.toMatchObject({ code: 'damaged', message: expect.stringContaining(path) })
})

test('a log of a newer version is refused', async () => {
  const journal = make()
  await journal.open()
  await journal.close()
  const path = await onlyFile()
  const { crc32 } = await import('node:zlib')
  const header = 'runbound-webchat 2'
  await writeFile(path, `${crc32(header).toString(16).padStart(8, '0')} ${header}\n`)
  await expect(make().open()).rejects.toMatchObject({ code: 'newer' })
})

test('the log is rewritten when it is large; no confirmed line is lost on the way', async () => {
  const state = new Map<string, string>()
  const journal = make(2_000, () => [...state].map(([key, value]) => `${key}=${value}`))
  await journal.open()
  const writes: Promise<void>[] = []
  for (let at = 0; at < 2_000; at++) {
    state.set(`k${at % 10}`, String(at))
    writes.push(journal.append(`k${at % 10}=${at}`))
    if (at % 50 === 0) await writes.at(-1)
  }
  await Promise.all(writes)
  await journal.close()
  const names = await readdir(folder)
  expect(names.length).toBe(1)
  expect(names[0]).not.toBe('journal-00000001.log')
  const seen = new Map((await read()).map((line) => line.split('=') as [string, string]))
  expect(seen).toEqual(state)
})

test('a rewrite that was cut off leaves the old log in force', async () => {
  const journal = make()
  await journal.open()
  await journal.append('one')
  await journal.close()
  await writeFile(join(folder, 'journal-00000002.log.new'), 'half')
  expect(await read()).toEqual(['one'])
})

test('a closed log refuses', async () => {
  const journal = make()
  await journal.open()
  await journal.close()
  await journal.close()
  await expect(journal.append('late')).rejects.toMatchObject({ code: 'closed' })
})
