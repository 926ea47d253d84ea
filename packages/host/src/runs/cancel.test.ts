import { type JsonObject, WireError } from '@runbound/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Call } from '../gateway/types.ts'
import { calls, deaf, done, processor, result, type SmallHost, silent, smallHost } from './fixtures.ts'

let host: SmallHost
beforeEach(async () => {
  host = await smallHost({ needs: { models: () => [{ model_id: 'm', model_type: 'chat', provider: null }] } })
})
afterEach(() => host.close())

const types = async (runId: string) => (await host.ledger(runId)).map(({ type }) => type)

/** Waits until a time in seconds is over. */
const past = (at: number | null) =>
  vi.waitFor(() => expect(Date.now() / 1_000).toBeGreaterThan(at ?? Number.POSITIVE_INFINITY), { interval: 5 })

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (WireError.is(error)) return error.reason
    throw error
  }
  return 'no error'
}

describe('cancel and deadline', () => {
  test('[runner.run-cancel] a silent Runner is stopped at once, and the record has the reason', async () => {
    for (const [script, reason] of [
      [silent, 'changed my mind'],
      [deaf, null],
    ] as const) {
      const { ctx, outcome } = await host.begin(script)
      const at = performance.now()
      expect(await host.runs.cancel(ctx.run_id, { kind: 'user', id: 'u-1' }, reason)).toBe(true)
      expect(await outcome).toMatchObject({ status: 'cancelled', reason, code: 'cancelled' })
      expect(performance.now() - at).toBeLessThan(500)
      const record = await host.runs.get(ctx.run_id)
      expect(record).toMatchObject({ status: 'cancelled', status_reason: reason })
      expect(record?.cancel_requested_at).not.toBeNull()
      expect(await types(ctx.run_id)).toEqual(['run.started', 'run.cancel_requested', 'run.cancelled'])
      expect(await host.runs.cancel(ctx.run_id, { kind: 'user' }, 'again')).toBe(false)
    }
    expect(host.sentences).toEqual([])
  })

  test('the plugin hears the cancel, and its calls in work are aborted', async () => {
    const heard: unknown[] = []
    const { ctx, outcome } = await host.begin(
      calls(async (_ctx, plugin) => {
        plugin.signal.addEventListener('abort', () => heard.push(plugin.signal.reason))
        await silent(_ctx, plugin)[Symbol.asyncIterator]().next()
      }),
    )
    await host.runs.cancel(ctx.run_id, { kind: 'operator' }, null)
    await outcome
    expect(heard).toMatchObject([{ details: { reason: 'cancelled' } }])
  })

  test('a cancel that comes after the end changes nothing', async () => {
    let cancelled: boolean | undefined
    const outcome = await host.run(async function* (ctx) {
      yield result(ctx, 'run.completed')
      cancelled = await host.runs.cancel(ctx.run_id, { kind: 'user' }, 'late')
    })
    expect(cancelled).toBe(false)
    expect(outcome).toMatchObject({ status: 'completed' })
  })

  test('a run may cancel itself', async () => {
    let answer: JsonObject | undefined
    const outcome = await host.run(async function* (ctx, plugin) {
      answer = await plugin.call('run_cancel', { reason: 'enough' })
      yield result(ctx, 'processor.log', { text: 'never' })
    })
    expect(outcome).toMatchObject({ status: 'cancelled', reason: 'enough' })
    expect(answer).toMatchObject({ run_id: outcome.run_id })
    expect(answer?.cancel_requested_at).not.toBeNull()
  })

  test('the deadline ends host calls, then a Runner that does not end by itself', async () => {
    let late: Promise<string> | undefined
    const { ctx, outcome } = await host.begin(
      calls(async (_ctx, plugin) => {
        await past(_ctx.runtime.deadline_at)
        late = reasonOf(plugin.call('state_get', { scope: 'runner', key: 'k' }))
        await new Promise(() => {})
      }),
      { processor: processor({ options: { deadline_seconds: 0.1 } }) },
    )
    expect(ctx.runtime.deadline_at).toBeCloseTo(Date.now() / 1_000 + 0.1, 0)
    expect(await outcome).toMatchObject({ status: 'timeout', code: 'deadline' })
    expect(await late).toBe('deadline')
    expect((await host.ledger(ctx.run_id)).at(-1)?.data).toMatchObject({ code: 'runner.timeout', retryable: true })
    expect(host.sentences).toHaveLength(1)
  })

  test('a host call that is in work at the deadline is aborted with that reason', async () => {
    const seen: unknown[] = []
    host.gateway.register({
      invoke_llm: {
        run: (call: Call<'run'>) =>
          new Promise((_resolve, reject) => {
            call.signal.addEventListener('abort', () => {
              seen.push(call.signal.reason)
              reject(call.signal.reason)
            })
          }),
      },
    })
    let answer: string | undefined
    const outcome = await host.run(
      calls(async (_ctx, plugin) => {
        const messages = [{ role: 'user', content: 'x' }]
        answer = await reasonOf(plugin.call('invoke_llm', { llm_model_uuid: 'm', messages }))
      }),
      { processor: processor({ options: { deadline_seconds: 0.05 }, grants: { models: ['m'] } }) },
    )
    expect(answer).toBe('deadline')
    expect(seen).toMatchObject([{ details: { reason: 'deadline' } }])
    // It came back in time to end by itself.
    expect(outcome.status).toBe('completed')
  })

  test('a plugin that reports its own timeout is believed', async () => {
    const outcome = await host.run(
      async function* (ctx) {
        await past(ctx.runtime.deadline_at)
        yield result(ctx, 'run.failed', { error: 'Runner timed out', code: 'runner.timeout', retryable: true })
      },
      { processor: processor({ options: { deadline_seconds: 0.1 } }) },
    )
    expect(outcome).toMatchObject({ status: 'timeout', reason: 'Runner timed out' })
    expect((await types(outcome.run_id)).filter((type) => type === 'run.failed')).toHaveLength(1)
  })

  test.each([
    [{}, {}, 300],
    [{}, { timeout: 60 }, 60],
    [{}, { timeout: null }, null],
    [{}, { timeout: 0 }, null],
    [{ deadline_seconds: 5 }, { timeout: 60 }, 5],
    [{ deadline_seconds: 0 }, { timeout: 60 }, null],
  ])('options %j and settings %j give a deadline of %s s', async (options, config, expected) => {
    await host.run(done, { processor: processor({ options, config }) })
    const { deadline_at } = host.contexts[0]?.runtime ?? {}
    if (expected === null) expect(deadline_at).toBeNull()
    else expect(deadline_at).toBeCloseTo(Date.now() / 1_000 + expected, 0)
  })
})
