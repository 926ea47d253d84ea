/** Files in chunks: strict checks, limits, both stores. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@runbound/protocol'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { rawEnd } from '../fixtures/raw-end.ts'
import { type LinkLimits, memoryFiles, type PeerOptions } from '../index.ts'
import { folderFiles } from '../transports/stdio.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'

// The first write to disk is slow, so that only the store's own order keeps the later ones behind it.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  let first = true
  const appendFile: typeof real.appendFile = async (...args) => {
    const slow = first
    first = false
    if (slow) await new Promise((resolve) => setTimeout(resolve, 30))
    await real.appendFile(...args)
  }
  return { ...real, appendFile }
})

const chunk = (more: JsonObject): JsonObject => ({
  file_key: 'a.txt',
  chunk_base64: 'aGVsbG8=',
  chunk_index: 0,
  chunk_amount: 1,
  ...more,
})

function receiver(limits: Partial<LinkLimits> = {}, options: Partial<PeerOptions> = {}) {
  const end = rawEnd({ limits, ...options })
  let seq = 0
  const give = async (more: JsonObject): Promise<JsonObject> => {
    const seq_id = seq++
    end.give({ seq_id, action: '__file_chunk', data: chunk(more) })
    const deadline = performance.now() + 5000
    for (;;) {
      const answer = end.sent.find((sent) => sent.seq_id === seq_id)
      if (answer !== undefined) return answer
      if (performance.now() > deadline) return expect.fail('no answer')
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  return { peer: end.peer, give, end }
}

const done = { code: 0, data: {} }
const refused = (reason: string, message = ''): object => ({
  code: 1,
  message: expect.stringContaining(message),
  data: { error: { details: { reason } } },
})

test('chunks in order become a file; a finished key is free again once it was taken', async () => {
  const { peer, give } = receiver()
  expect(await give({ chunk_amount: 2, file_length: 10, chunk_size: 5 })).toMatchObject(done)
  expect(await peer.takeFile('a.txt')).toBeUndefined()
  expect(await give({ chunk_amount: 2, chunk_index: 1 })).toMatchObject(done)
  expect(await give({})).toMatchObject(refused('conflict'))
  expect(new TextDecoder().decode(await peer.takeFile('a.txt'))).toBe('hellohello')
  expect(await give({})).toMatchObject(done)
})

test.each([
  ['the second chunk first', { chunk_index: 1, chunk_amount: 2 }, 'invalid_params'],
  ['an index beyond the amount', { chunk_index: 1 }, 'invalid_params'],
  ['a negative index', { chunk_index: -1 }, 'invalid_params'],
  ['no amount', { chunk_amount: 0 }, 'invalid_params'],
  ['an amount as text', { chunk_amount: '1' }, 'invalid_params'],
  ['a path', { file_key: '../a' }, 'invalid_params'],
  ['two dots', { file_key: 'a..b' }, 'invalid_params'],
  ['a long key', { file_key: 'a'.repeat(256) }, 'invalid_params'],
  ['no key', { file_key: 5 }, 'invalid_params'],
  ['no base64', { chunk_base64: 'not base64!' }, 'invalid_params'],
  ['base64 with spaces', { chunk_base64: 'aGVs bG8=' }, 'invalid_params'],
  ['base64 of the other alphabet', { chunk_base64: 'aG_-' }, 'invalid_params'],
  ['padding in the middle', { chunk_base64: 'aG==aGVs' }, 'invalid_params'],
  ['no text', { chunk_base64: null }, 'invalid_params'],
  ['a chunk that is too large', { chunk_base64: 'A'.repeat(21_852) }, 'too_large'],
  ['one byte too much', { chunk_base64: encodeBase64(new Uint8Array(16_385)) }, 'too_large'],
] as [string, JsonObject, string][])('%s is refused, and the right chunk is still taken', async (_, more, reason) => {
  const { give } = receiver()
  expect(await give(more)).toMatchObject(refused(reason))
  expect(await give({})).toMatchObject(done)
})

test('a changed amount is refused and the file goes on', async () => {
  const { peer, give } = receiver()
  await give({ chunk_amount: 2 })
  expect(await give({ chunk_amount: 3, chunk_index: 1 })).toMatchObject(refused('invalid_params'))
  await give({ chunk_amount: 2, chunk_index: 1 })
  expect((await peer.takeFile('a.txt'))?.length).toBe(10)
})

describe('floods', () => {
  test('file 129 is refused, unfinished ones counted, and taking makes room', async () => {
    const { peer, give } = receiver()
    for (let n = 0; n < 128; n++) await give({ file_key: `f${n}`, chunk_amount: n % 2 === 0 ? 1 : 2 })
    expect(await give({ file_key: 'more' })).toMatchObject(refused('limit_reached', 'files (128)'))
    await peer.takeFile('f0')
    expect(await give({ file_key: 'more' })).toMatchObject(done)
  })

  test('bytes of one file and of all files are bounded, and taking makes room', async () => {
    const { peer, give } = receiver({ fileBytes: 12, filesBytes: 14 })
    await give({ file_key: 'a', chunk_amount: 3 })
    await give({ file_key: 'a', chunk_amount: 3, chunk_index: 1 })
    const third = await give({ file_key: 'a', chunk_amount: 3, chunk_index: 2 })
    expect(third).toMatchObject(refused('too_large', 'fileBytes (12)'))
    expect(await give({ file_key: 'b' })).toMatchObject(refused('limit_reached', 'filesBytes (14)'))
    const { peer: other, give: giveOther } = receiver({ filesBytes: 5 })
    await giveOther({ file_key: 'a' })
    expect(await giveOther({ file_key: 'b' })).toMatchObject(refused('limit_reached'))
    await other.takeFile('a')
    expect(await giveOther({ file_key: 'b' })).toMatchObject(done)
    expect(peer.pending).toBe(0)
  })

  test('keys of the prototype are keys like others', async () => {
    const { peer, give } = receiver()
    expect(await peer.takeFile('__proto__')).toBeUndefined()
    expect(await give({ file_key: 'constructor' })).toMatchObject(done)
    expect((await peer.takeFile('constructor'))?.length).toBe(5)
  })
})

test('an extension that a key cannot carry is refused before anything is sent', async () => {
  const { peer, end } = receiver()
  for (const extension of ['', '.pdf', 'a/b', 'a'.repeat(33), 'é']) {
    await expect(peer.sendFile(new Uint8Array(1), { extension })).rejects.toMatchObject({ code: 'invalid' })
  }
  expect(end.sent).toEqual([])
})

test('a folder holds the bytes, in order even when chunks come at once, and is empty afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'runbound-files-'))
  try {
    const { peer, give } = receiver({}, { files: folderFiles(folder) })
    const bytes = new Uint8Array(3_000_000).map((_, at) => (at * 31 + (at >> 11)) & 0xff)
    const amount = Math.ceil(bytes.length / 16_384)
    const parts = Array.from({ length: amount }, (_, index) =>
      give({
        file_key: 'x.bin',
        chunk_amount: amount,
        chunk_index: index,
        chunk_base64: encodeBase64(bytes.subarray(index * 16_384, (index + 1) * 16_384)),
      }),
    )
    for (const answer of await Promise.all(parts)) expect(answer).toMatchObject(done)
    expect(await readdir(folder)).toEqual(['received-0'])
    expect(Buffer.from((await peer.takeFile('x.bin')) ?? []).equals(bytes)).toBe(true)
    await give({ file_key: 'left' })
    await peer.close()
    const deadline = performance.now() + 5000
    while ((await readdir(folder)).length > 0 && performance.now() < deadline)
      await new Promise((r) => setTimeout(r, 5))
    expect(await readdir(folder)).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a store that fails is an error answer; the half file is gone and its key free', async () => {
  let broken = true
  const memory = memoryFiles()
  const files = {
    ...memory,
    append: async (key: string, bytes: Uint8Array) => {
      if (broken && bytes.length === 3) throw new Error('disk full at /secret/path')
      await memory.append(key, bytes)
    },
  }
  const { peer, give, end } = receiver({ filesBytes: 20 }, { files })
  expect(await give({ chunk_amount: 2 })).toMatchObject(done)
  const answer = await give({ chunk_amount: 2, chunk_index: 1, chunk_base64: 'AAAA' })
  expect(answer).toMatchObject(refused('internal', 'could not be stored'))
  expect(JSON.stringify(answer)).not.toContain('secret')
  expect(end.faults).toMatchObject([{ kind: 'file_store', detail: expect.stringContaining('disk full') }])
  expect(await peer.takeFile('a.txt')).toBeUndefined()
  broken = false
  for (const chunk_index of [0, 1]) expect(await give({ chunk_amount: 2, chunk_index })).toMatchObject(done)
  expect((await peer.takeFile('a.txt'))?.length).toBe(10)
})

test('base64 agrees with Node for all bytes and refuses what is not strict', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      const text = encodeBase64(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect(decodeBase64(text)).toEqual(bytes)
    }),
    { numRuns: 50 },
  )
  for (const text of ['a', 'ab', 'abc', '=', '====', 'a===', 'ab=c', 'é===', 'ab\n='])
    expect(decodeBase64(text)).toBeNull()
})
