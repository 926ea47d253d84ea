import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore, type Store, statement } from '../index.ts'
import { Reader } from './reader.ts'

const put = statement<{ name: string; value: string }>((db, p) =>
  db.insertInto('settings').values({ name: p('name'), value: p('value') }),
)
/** Counts in SQL: long enough that a host which waits for it shows. */
const COUNT = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select max(i) as top from n'

let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'runbound-reader-'))
})
afterEach(() => rm(base, { recursive: true }))

describe('slow reads', () => {
  let store: Store
  beforeEach(async () => {
    store = await openStore({ folder: join(base, 'data') })
  })
  afterEach(() => store.close())

  test('hold up neither commits nor point reads, even past many checkpoints', { timeout: 60_000 }, async () => {
    let running = true
    const slow = store.slow<{ top: number }>({ sql: COUNT, params: [4_000_000] }).finally(() => {
      running = false
    })
    let kept = 0
    for (; running; kept++) {
      await store.commit([put({ name: String(kept), value: 'x'.repeat(2_000) })])
      await store.first({ sql: 'select 1 as one', params: [] })
    }
    expect(await slow).toEqual([{ top: 4_000_000 }])
    expect(kept).toBeGreaterThan(100)
    const rows = await store.slow<{ n: number }>({ sql: 'select count(*) as n from settings', params: [] })
    expect(rows).toEqual([{ n: kept }])
  })

  test('can not write', async () => {
    const writing = store.slow({ sql: 'delete from settings', params: [] })
    await expect(writing).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('readonly') })
  })

  test('report their own errors and go on', async () => {
    await expect(store.slow({ sql: 'select * from nowhere', params: [] })).rejects.toMatchObject({ code: 'invalid' })
    expect(await store.slow({ sql: 'select ? as x', params: [new Uint8Array([1, 2])] })).toEqual([
      { x: new Uint8Array([1, 2]) },
    ])
  })

  test('refuse to fill the memory', async () => {
    const all = COUNT.replace('max(i) as top', 'i')
    await expect(store.slow({ sql: all, params: [100_001] })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('in pages'),
    })
    expect(await store.slow({ sql: all, params: [100_000] })).toHaveLength(100_000)
  })

  test('that wait when the store is closed are told so', async () => {
    const waiting = store.slow({ sql: COUNT, params: [1_000_000] })
    const outcome = expect(waiting).rejects.toMatchObject({ code: 'closed' })
    await store.close()
    await outcome
    expect(existsSync(join(base, 'data', 'runbound.db-wal'))).toBe(false)
  })
})

describe('the thread', () => {
  test('is started anew after its death; the reads that it had are told so', async () => {
    const script = join(base, 'fragile.mjs')
    // Dies at its first request ever, of which the file reminds it.
    writeFileSync(
      script,
      `import { existsSync, writeFileSync } from 'node:fs'
       import { parentPort, workerData } from 'node:worker_threads'
       parentPort.on('message', ({ id }) => {
         if (!existsSync(workerData)) { writeFileSync(workerData, ''); process.exit(3) }
         parentPort.postMessage({ id, rows: [{ ok: 1 }] })
       })`,
    )
    const reader = new Reader(join(base, 'reminder'), pathToFileURL(script))
    const query = { sql: 'select 1', params: [] }
    const both = await Promise.allSettled([reader.all(query), reader.all(query)])
    expect(both.map((read) => read.status === 'rejected' && read.reason.code)).toEqual(['failed', 'failed'])
    expect(await reader.all(query)).toEqual([{ ok: 1 }])
    await reader.close()
    await expect(reader.all(query)).rejects.toMatchObject({ code: 'closed' })
  })

  test('that can not start fails its reads', async () => {
    const reader = new Reader(join(base, 'absent.db'))
    await expect(reader.all({ sql: 'select 1', params: [] })).rejects.toMatchObject({ code: 'failed' })
    await reader.close()
  })

  test('does not keep an idle process alive', async () => {
    const script = fileURLToPath(new URL('./crash.child.ts', import.meta.url))
    const child = spawn(process.execPath, [script, 'read-and-leave', join(base, 'data')], { timeout: 15_000 })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  })
})

describe('checkpoints', () => {
  test('keep the log short under steady load', { timeout: 60_000 }, async () => {
    const store = await openStore({ folder: join(base, 'data') })
    let largest = 0
    for (let n = 0; n < 700; n++) {
      const value = 'x'.repeat(3_000)
      await Promise.all(Array.from({ length: 64 }, (_, at) => store.commit([put({ name: `${n}-${at}`, value })])))
      largest = Math.max(largest, (await stat(join(base, 'data', 'runbound.db-wal'))).size)
    }
    await store.close()
    // 44,800 rows of 3 kB: without any checkpoint the log has 239 MB. With them 34 to 56 MB, twice that on a busy machine.
    expect(largest).toBeLessThan(180_000_000)
  })
})
