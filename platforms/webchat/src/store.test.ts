import { mkdtemp, readdir, readlink, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LIMITS } from './limits.ts'
import type { LogRecord } from './model.ts'
import { Store } from './store.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const person = (name: string): LogRecord => ({ t: 'person', person: { id: 'u-9', name, friend: true, remark: null } })

/** Files of the folder that this process has open. */
async function openFiles(): Promise<string[]> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return links.filter((path) => path.startsWith(folder))
}

test('a closed store takes nothing more and lets go of the log, whatever comes late', async () => {
  const committed: LogRecord[] = []
  const store = new Store(folder, LIMITS, { committed: (records) => committed.push(...records), reset: () => {} })
  await store.open(Date.now())
  committed.length = 0
  const last = store.commit([person('in time')])
  const closing = store.close()
  const late = store.commit([person('too late')])
  store.note(person('far too late'))
  await expect(late).rejects.toMatchObject({ code: 'closed' })
  await closing
  await last
  await store.close()
  expect(committed).toEqual([person('in time')])
  expect(store.world.people.get('u-9')?.name).toBe('in time')
  expect(await openFiles()).toEqual([])

  const next = new Store(folder, LIMITS, { committed: () => {}, reset: () => {} })
  await next.open(Date.now())
  expect(next.world.people.get('u-9')?.name).toBe('in time')
  expect(await openFiles()).toHaveLength(1)
  await next.close()
})

test('records of one commit are there together or not at all', async () => {
  const store = new Store(folder, LIMITS, { committed: () => {}, reset: () => {} })
  await store.open(0)
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      store.commit([person(`n${at}`), { t: 'delivery', key: `k${at}`, message_id: 'm-1', at }]),
    ),
  )
  await store.close()
  const reopen = async () => {
    const next = new Store(folder, LIMITS, { committed: () => {}, reset: () => {} })
    await next.open(0)
    await next.close()
    return next.world
  }
  const whole = await reopen()
  expect([whole.people.get('u-9')?.name, whole.delivery('k49')]).toEqual(['n49', { message_id: 'm-1', at: 49 }])
  const [name = ''] = await readdir(folder)
  const { size } = await stat(join(folder, name))
  await truncate(join(folder, name), size - 5)
  const torn = await reopen()
  expect([torn.people.get('u-9')?.name, torn.delivery('k49'), torn.delivery('k48')?.at]).toEqual(['n48', undefined, 48])
})
