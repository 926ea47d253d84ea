import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { processor, result, type Script, type SmallHost, smallHost } from './fixtures.ts'

let host: SmallHost
beforeEach(async () => {
  host = await smallHost()
})
afterEach(() => host.close())

const types = async (runId: string) => (await host.ledger(runId)).map(({ type }) => type)

describe('results', () => {
  test('a result that does not fit is recorded as refused, without a hole, and the run goes on', async () => {
    const outcome = await host.run(async function* (ctx) {
      yield result(ctx, 'message.delta', { chunk: 'no object' })
      yield result(ctx, 'processor.log', { text: 'x', level: 'loud' })
      yield result(ctx, 'processor.log', { text: 'x'.repeat(65_537) })
      yield result(ctx, 'tool.call.started', { tool_call_id: 'c', tool_name: 't', extra: 1 })
      yield { type: 'processor.log' }
      yield result(ctx, 'run.completed')
    })
    expect(outcome.status).toBe('completed')
    const entries = await host.ledger(outcome.run_id)
    expect(entries.map(({ type }) => type)).toEqual([
      'run.started',
      ...Array(5).fill('result.rejected'),
      'run.completed',
    ])
    expect(entries[1]?.data).toEqual({
      type: 'message.delta',
      reason: 'invalid_result',
      message: expect.stringContaining('"data.chunk"'),
    })
    expect(entries[4]?.data.message).toContain('"data.extra"')
  })

  test('an end that can not be read is an end', async () => {
    const outcome = await host.run(async function* (ctx) {
      yield result(ctx, 'run.failed', { error: 7 })
      yield result(ctx, 'run.completed')
    })
    expect(outcome).toMatchObject({ status: 'failed', code: 'runner.invalid_result' })
  })

  test('a result of another run fails the run', async () => {
    const outcome = await host.run(async function* (ctx) {
      yield { ...result(ctx, 'processor.log', { text: 'x' }), run_id: 'another' }
      yield result(ctx, 'run.completed')
    })
    expect(outcome).toMatchObject({ status: 'failed', code: 'runner.result_of_other_run' })
    expect(await types(outcome.run_id)).toEqual(['run.started', 'result.rejected', 'run.failed'])
  })

  test('[D129] after the end nothing is taken, and what came is recorded', async () => {
    const outcome = await host.run(async function* (ctx) {
      yield result(ctx, 'run.completed', { finish_reason: 'first' })
      yield result(ctx, 'run.failed', { error: 'second' })
      yield result(ctx, 'state.updated', { scope: 'runner', key: 'k', value: 1 })
    })
    expect(outcome).toMatchObject({ status: 'completed', reason: 'first', effect: false })
    const entries = await host.ledger(outcome.run_id)
    expect(entries.map(({ type }) => type)).toEqual([
      'run.started',
      'result.rejected',
      'result.rejected',
      'run.completed',
    ])
    expect(entries[1]?.data).toMatchObject({ type: 'run.failed', reason: 'run_ended' })
    expect(await host.store.all({ sql: 'select * from state', params: [] })).toEqual([])
  })

  test('a stream that goes on for ever after the end is left', async () => {
    let left = false
    const outcome = await host.run(async function* (ctx) {
      try {
        yield result(ctx, 'run.completed')
        for (;;) yield result(ctx, 'processor.log', { text: 'more' })
      } finally {
        left = true
      }
    })
    expect(outcome.status).toBe('completed')
    expect(left).toBe(true)
    expect((await types(outcome.run_id)).length).toBeLessThanOrEqual(18)
  })

  test('state.updated stores the value and marks the effect; refused ones change nothing', async () => {
    const outcome = await host.run(
      async function* (ctx, plugin) {
        yield result(ctx, 'state.updated', { scope: 'runner', key: 'k', value: { n: 1 } })
        expect(await plugin.call('state_get', { scope: 'runner', key: 'k' })).toEqual({ value: { n: 1 } })
        yield result(ctx, 'state.updated', { scope: 'actor', key: 'k', value: 1 })
        yield result(ctx, 'state.updated', { scope: 'runner', key: 'big', value: 'x'.repeat(300_000) })
      },
      { processor: processor({ grants: { state: ['runner'] } }) },
    )
    expect(outcome).toMatchObject({ status: 'completed', effect: true })
    const entries = await host.ledger(outcome.run_id)
    expect(entries.map(({ type, data }) => [type, data.reason])).toEqual([
      ['run.started', undefined],
      ['state.updated', undefined],
      ['result.rejected', 'permission_denied'],
      ['result.rejected', 'too_large'],
      ['run.completed', undefined],
    ])
  })

  test('state.updated into a full scope is refused, not lost in silence', async () => {
    const { run_id } = await host.run(async function* (ctx, plugin) {
      await plugin.call('state_set', { scope: 'runner', key: 'first', value: 1 })
      const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 9999)'
      const copy = `insert into state select scope_key, 'f' || i, workspace_uuid, scope, processor_id, object_id, value, bytes, 1, null, 0 from state, n`
      await host.store.commit([{ sql: `${numbers} ${copy}`, params: [] }])
      yield result(ctx, 'state.updated', { scope: 'runner', key: 'new', value: 1 })
      yield result(ctx, 'state.updated', { scope: 'runner', key: 'first', value: 2 })
      expect(await plugin.call('state_get', { scope: 'runner', key: 'new' })).toEqual({ value: null })
    })
    expect((await host.ledger(run_id)).slice(1, 3)).toMatchObject([
      { type: 'result.rejected', data: { type: 'state.updated', reason: 'limit_reached' } },
      { type: 'state.updated', data: { key: 'first' } },
    ])
  })

  test('what a plugin says about its tool calls is marked as a claim', async () => {
    const { run_id } = await host.run(async function* (ctx) {
      yield result(ctx, 'tool.call.started', { tool_call_id: 'c', tool_name: 't' })
    })
    const page = await host.runs.events({
      run_id,
      before_cursor: null,
      after_cursor: null,
      limit: 10,
      direction: 'forward',
    })
    expect(page.items[1]?.metadata).toEqual({ claim: true })
  })

  test('[runner.agent-text-not-sent] returned text is not sent, and the trail says so; where the processor replies by itself, it is', async () => {
    const speaks: Script = async function* (ctx) {
      yield result(ctx, 'message.completed', { message: { role: 'assistant', content: 'one' } })
      yield result(ctx, 'run.completed', { message: { role: 'assistant', content: [{ type: 'text', text: 'two' }] } })
    }
    await host.run(speaks)
    expect(host.replies).toEqual([])
    const trail = await host.store.all<{ code: string }>({ sql: 'select code from trail', params: [] })
    expect(trail).toEqual([{ code: 'produced_not_sent' }])

    const outcome = await host.run(speaks, { processor: processor({ options: { automatic_reply: true } }) })
    expect(host.replies.map(({ chain }) => chain)).toEqual([
      [{ type: 'Plain', text: 'one' }],
      [{ type: 'Plain', text: 'two' }],
    ])
    expect(outcome.effect).toBe(true)
    expect(host.contexts.map(({ delivery }) => delivery.automatic_reply)).toEqual([false, true])
  })

  test('an interaction is not carried out in this version, and the ledger says why', async () => {
    const { run_id } = await host.run(async function* (ctx) {
      yield result(ctx, 'action.requested', { action: 'interaction.requested', payload: {} })
      yield result(ctx, 'action.requested', { action: 'custom.action', target: { id: 1 } })
    })
    expect((await host.ledger(run_id)).slice(1, 3)).toMatchObject([
      { type: 'result.rejected', data: { reason: 'not_available' } },
      { type: 'action.requested' },
    ])
  })
})
