import { setTimeout as sleep } from 'node:timers/promises'
import { WireError } from '@runbound/protocol'
import { StoreError } from '@runbound/store'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../clock.ts'
import { createLogger } from '../telemetry/log.ts'
import { ActiveRun } from './active-run.ts'
import { done, insertNote, notes, result, type SmallHost, silent, smallHost } from './fixtures.ts'

let host: SmallHost
beforeEach(async () => {
  host = await smallHost()
})
afterEach(() => host.close())

const types = async (runId: string) => (await host.ledger(runId)).map(({ type }) => type)

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (WireError.is(error)) return error.reason
    throw error
  }
  return 'no error'
}

describe('the ledger', () => {
  test('numbers without holes while everybody writes at once', async () => {
    const { ctx, outcome } = await host.begin(async function* (ctx, plugin) {
      const others = Array.from({ length: 10 }, (_, n) =>
        host.store.commit([...host.runs.ledger(ctx.run_id, { type: `other.${n}`, data: {}, source: 'delivery' })]),
      )
      const states = Array.from({ length: 10 }, (_, n) =>
        plugin.call('state_set', { scope: 'runner', key: `k${n}`, value: n }),
      )
      for (let n = 0; n < 40; n++) {
        yield result(ctx, 'message.delta', { chunk: { role: 'assistant', content: String(n) } })
        if (n % 10 === 0) yield result(ctx, 'state.updated', { scope: 'runner', key: 'r', value: n })
        if (n % 7 === 0) await sleep(0)
      }
      await Promise.all([...others, ...states])
    })
    const heard: number[] = []
    const stop = host.runs.onLedger((runId, events) => {
      if (runId === ctx.run_id) heard.push(...events.map(({ sequence }) => sequence))
    })
    await outcome
    stop()
    const entries = await host.ledger(ctx.run_id)
    expect(entries).toHaveLength(1 + 10 + 40 + 4 + 1)
    const deltas = entries.filter(({ type }) => type === 'message.delta').map(({ data }) => data.chunk)
    expect(deltas.map((chunk) => Reflect.get(Object(chunk), 'content'))).toEqual(
      Array.from({ length: 40 }, (_, n) => String(n)),
    )
    expect(heard).toEqual(heard.toSorted((a, b) => a - b))
    expect(heard).toHaveLength(40 + 4 + 1)
  })

  test('what another room adds in a unit of the run comes after the entries that wait', async () => {
    const { ctx, outcome } = await host.begin(silent)
    const logger = createLogger({ level: 'silent' })
    const { store } = host
    const run = new ActiveRun({ store, clock: systemClock, logger, run_id: ctx.run_id, epoch: 1, onEvents: () => {} })
    run.append({ type: 'waits', data: {}, source: 'runner' })
    run.append({ type: 'waits too', data: {}, source: 'runner' })
    const note = insertNote('note')
    const sent = host.runs.ledger(ctx.run_id, { type: 'delivery.sent', data: {}, source: 'delivery' })
    const results = await run.commit([note, ...sent], { effect: true })
    expect(results).toHaveLength(3)
    expect(await types(ctx.run_id)).toEqual(['run.started', 'waits', 'waits too', 'delivery.sent'])
    // A refused unit names the caller's own statement, and what waited is written later.
    run.append({ type: 'still waits', data: {}, source: 'runner' })
    const refused = { ...insertNote('refused'), expect: 2 }
    await expect(run.commit([insertNote('another'), refused], { effect: true })).rejects.toMatchObject({ statement: 1 })
    expect(run.waiting).toBe(1)
    await host.runs.cancel(ctx.run_id, { kind: 'host' }, null)
    await outcome
  })

  test('what another room adds in a unit of the run comes after the entries that wait', async () => {
    const { run_id } = await host.run(async function* (ctx) {
      yield result(ctx, 'processor.log', { text: 'a' })
      yield result(ctx, 'processor.log', { text: 'b' })
      const owner = host.gateway.living(ctx.run_id)?.owner
      const added = host.runs.ledger(ctx.run_id, { type: 'delivery.simulated', data: {}, source: 'delivery' })
      const results = await owner?.commit([insertNote('own'), ...added], { effect: true })
      // The results are those of the given statements, whatever was written along with them.
      expect(results?.map(({ changes }) => changes)).toEqual([1, 1, 1])
      yield result(ctx, 'processor.log', { text: 'c' })
      const refused = { sql: "update settings set value = 'x' where name = 'none'", params: [], expect: 1 }
      const failing = owner?.commit([insertNote('undone'), refused], { effect: true })
      await expect(failing).rejects.toMatchObject({ code: 'refused', statement: 1 })
    })
    expect(await types(run_id)).toEqual([
      'run.started',
      'processor.log',
      'processor.log',
      'delivery.simulated',
      'processor.log',
      'run.completed',
    ])
    expect(await notes(host.store)).toEqual(['own'])
  })

  test('other rooms add nothing after the end', async () => {
    const { run_id } = await host.run(done)
    await host.store.commit([...host.runs.ledger(run_id, { type: 'late', data: {}, source: 'delivery' })])
    expect(await types(run_id)).toEqual(['run.started', 'run.completed'])
  })

  test('deltas of one tick share a commit', async () => {
    let commits = 0
    const counting = await smallHost()
    const original = counting.store.commit.bind(counting.store)
    Object.defineProperty(counting.store, 'commit', {
      value: (unit: Parameters<typeof original>[0]) => {
        commits += 1
        return original(unit)
      },
    })
    await counting.run(async function* (ctx) {
      for (let n = 0; n < 200; n++) yield result(ctx, 'message.delta', { chunk: { role: 'assistant', content: 'x' } })
    })
    expect(commits).toBeLessThan(10)
    await counting.close()
  })
})

describe('a run that was taken over', () => {
  test('writes nothing any more: not its state, not its ledger, not its end', async () => {
    let refused: string | undefined
    const { ctx, outcome } = await host.begin(
      async function* (ctx, plugin) {
        yield result(ctx, 'processor.log', { text: 'before' })
        await vi.waitFor(async () => expect(await types(ctx.run_id)).toContain('processor.log'), { interval: 2 })
        await host.store.commit([{ sql: 'update runs set epoch = 2', params: [] }])
        refused = await reasonOf(plugin.call('state_set', { scope: 'runner', key: 'k', value: 1 }))
        yield result(ctx, 'processor.log', { text: 'after' })
      },
      { closing: () => [insertNote('closed')] },
    )
    expect(await outcome).toMatchObject({ status: 'failed', code: 'lost' })
    expect(refused).toBe('run_ended')
    expect(await types(ctx.run_id)).toEqual(['run.started', 'processor.log'])
    expect(await notes(host.store)).toEqual([])
    expect((await host.runs.get(ctx.run_id))?.status).toBe('running')
    expect(await host.store.all({ sql: 'select * from state', params: [] })).toEqual([])
  })

  test('what a dead host left is found and ended once', async () => {
    const { ctx, outcome } = await host.begin(silent, { row_id: 'row-left' })
    const next = await smallHost({ options: { owner: 'host-2', store: host.store } })
    expect(await host.runs.leftovers()).toEqual([])
    const left = await next.runs.leftovers()
    expect(left).toEqual([
      { run_id: ctx.run_id, row_id: 'row-left', effect: false, attempt: 1, processor_id: 'p-1', event_id: 'e-1' },
    ])
    for (const run of left) await host.store.commit([...next.runs.endLeft(run)])
    expect(await next.runs.leftovers()).toEqual([])
    expect(await host.runs.get(ctx.run_id)).toMatchObject({
      status: 'failed',
      metadata: { reason_code: 'host_restarted' },
    })
    expect(await types(ctx.run_id)).toEqual(['run.started', 'run.failed'])
    for (const run of left) {
      await expect(host.store.commit([...next.runs.endLeft(run)])).rejects.toSatisfy((error) => StoreError.is(error))
    }
    await host.runs.cancel(ctx.run_id, { kind: 'host' }, null)
    expect(await outcome).toMatchObject({ code: 'lost' })
    await next.close()
  })
})
