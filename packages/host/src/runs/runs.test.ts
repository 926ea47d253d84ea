import { LinkError, RemoteError } from '@runbound/link'
import { type JsonObject, WireError } from '@runbound/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  calls,
  descriptor,
  done,
  envelope,
  insertNote,
  notes,
  processor,
  result,
  runRequest,
  type Script,
  type SmallHost,
  silent,
  smallHost,
} from './fixtures.ts'

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

describe('the life of a run', () => {
  test('[runner.context.run-id] [runner.run-records.yielded-once] from the row to the last entry', async () => {
    const opened: object[] = []
    const closed: object[] = []
    const outcome = await host.run(
      async function* (ctx) {
        yield result(ctx, 'processor.log', { text: 'thinking', level: 'info' })
        yield result(ctx, 'message.completed', { message: { role: 'assistant', content: 'hi' } })
        yield result(ctx, 'my.own', { a: 1n })
        yield result(ctx, 'run.completed', { finish_reason: 'length' }, { usage: { total_tokens: 5, cached: 2 } })
      },
      {
        opening: (run) => {
          opened.push(run)
          return [insertNote(`opened ${run.run_id}`)]
        },
        closing: (end) => {
          closed.push(end)
          return [insertNote(`closed ${end.run_id}`)]
        },
      },
    )
    const { run_id } = outcome
    expect(outcome).toEqual({ run_id, status: 'completed', reason: 'length', code: null, effect: false })
    expect(opened).toEqual([{ run_id, owner: 'host-1', epoch: 1 }])
    expect(closed).toEqual([outcome])
    expect(await notes(host.store)).toEqual([`closed ${run_id}`, `opened ${run_id}`])
    expect(await host.ledger(run_id)).toMatchObject([
      { type: 'run.started', source: 'host', data: { event_id: 'e-1', attempt: 1 } },
      { type: 'processor.log', source: 'runner', data: { text: 'thinking' } },
      { type: 'message.completed', source: 'runner' },
      { type: 'my.own', source: 'runner', data: { a: 1 } },
      { type: 'run.completed', source: 'runner', data: { finish_reason: 'length' } },
    ])
    const record = await host.runs.get(run_id)
    expect(record).toMatchObject({
      run_id,
      event_id: 'e-1',
      agent_id: 'p-1',
      binding_id: 'agent:p-1:b-1',
      runner_id: 'plugin:acme/demo/talker',
      conversation_id: 'group_g-1',
      workspace_id: 'w-1',
      bot_id: 'b-1',
      status: 'completed',
      status_reason: 'length',
      usage: { total_tokens: 5, cached: 2 },
    })
    expect(record?.finished_at).toBeGreaterThanOrEqual(record?.started_at ?? Number.POSITIVE_INFINITY)
    expect(host.runs.active).toBe(0)
    expect(host.endedStreams).toEqual([run_id])
    // Lists of runs show it from its start on: the first change is there before the Runner says anything.
    expect(host.views[0]).toMatchObject({ kind: 'ledger', run_id, data: [{ type: 'run.started', sequence: 1 }] })
    expect(host.views.map(({ kind }) => kind)).toContain('run')
  })

  test('while it lives it is running, and afterwards dead for every call', async () => {
    let later: (() => Promise<JsonObject>) | undefined
    const { ctx, outcome } = await host.begin(
      calls(async (ctx, plugin) => {
        later = () => plugin.call('state_get', { scope: 'runner', key: 'k' })
        expect(await later()).toEqual({ value: null })
        expect((await host.runs.get(ctx.run_id))?.status).toBe('running')
        expect(host.runs.active).toBe(1)
      }),
    )
    expect(await outcome).toMatchObject({ status: 'completed', reason: null })
    expect(await types(ctx.run_id)).toEqual(['run.started', 'run.completed'])
    expect(await reasonOf(later?.() ?? Promise.resolve())).toBe('run_ended')
  })

  test('a start that another room refuses leaves nothing', async () => {
    const refused = { sql: "update settings set value = 'x' where name = 'none'", params: [], expect: 1 }
    const answer = await host.runs.start(runRequest({ opening: () => [insertNote('half'), refused] }))
    expect(answer).toMatchObject({ status: 'not_started', code: 'conflict' })
    expect(await notes(host.store)).toEqual([])
    expect(await host.store.all({ sql: 'select * from runs', params: [] })).toEqual([])
    expect(host.runs.active).toBe(0)
  })

  test('a Runner that is not there, or does not fit, is not started', async () => {
    const plugins = {
      place: async () => ({ release: () => {} }),
      runRunner: () => done(undefined as never, undefined as never),
    }
    const off = { code: 'runner.plugin_disabled', message: 'switched off' } as const
    const missing = await smallHost({ needs: { plugins: { ...plugins, runner: () => off } } })
    expect(await missing.runs.start(runRequest())).toEqual({ status: 'not_started', ...off })
    await missing.close()
    const down = { code: 'runner.plugin_down', message: 'it fell over' } as const
    const fallen = await smallHost({
      needs: { plugins: { ...plugins, runner: () => descriptor(), place: async () => down } },
    })
    expect(await fallen.runs.start(runRequest())).toEqual({ status: 'not_started', ...down })
    expect(await fallen.store.all({ sql: 'select * from runs', params: [] })).toEqual([])
    await fallen.close()
    const unfit = await smallHost({ runner: () => descriptor({ usages: ['event'], supported_event_patterns: ['*'] }) })
    expect(await unfit.runs.start(runRequest())).toMatchObject({ status: 'not_started', code: 'runner.usage_mismatch' })
    await unfit.close()
  })

  test('the place at the plugin is given back at every end', async () => {
    await host.run(done)
    await host.run(calls(async () => Promise.reject(new Error('x'))))
    const { ctx, outcome } = await host.begin(silent)
    expect(host.places).toEqual({ taken: 3, released: 2 })
    await host.runs.cancel(ctx.run_id, { kind: 'host' }, null)
    await outcome
    await host.runs.start(runRequest({ opening: () => [{ sql: 'select nonsense', params: [] }] }))
    expect(host.places).toEqual({ taken: 4, released: 4 })
  })

  test('the end is written also when another room’s part of it is refused', async () => {
    const refused = { sql: "update settings set value = 'x' where name = 'none'", params: [], expect: 1 }
    const outcome = await host.run(done, { closing: () => [refused] })
    expect(outcome).toMatchObject({ status: 'completed' })
    expect((await host.runs.get(outcome.run_id))?.status).toBe('completed')
    expect(host.log.map(({ message }) => message)).toContain('the end of a run could not be written')
  })
})

describe('failures', () => {
  const failing = (error: unknown): Script =>
    calls(async () => {
      throw error
    })

  test.each([
    [new LinkError('closed', 'pipe'), 'failed', 'plugin_gone'],
    [new RemoteError('run_runner', 'TypeError: no', {}), 'failed', 'runner_failed'],
    [new LinkError('too_large', 'a frame'), 'failed', 'runner.result_too_large'],
    [new TypeError('ours'), 'failed', 'internal'],
  ])('%s ends the run as %s with code %s, and the chat user reads the sentence', async (error, status, code) => {
    const outcome = await host.run(failing(error), { processor: processor({ options: { sentence: 'Sorry.' } }) })
    expect(outcome).toMatchObject({ status, code })
    expect(await types(outcome.run_id)).toEqual(['run.started', 'run.failed'])
    expect(host.sentences).toMatchObject([
      { text: 'Sorry.', once: `sentence:${outcome.run_id}`, scope: { run_id: outcome.run_id } },
    ])
    // In the unit of the end.
    expect(await notes(host.store)).toEqual([`sentence:${outcome.run_id}`])
    if (code === 'internal') expect(JSON.stringify(await host.ledger(outcome.run_id))).not.toContain('ours')
  })

  test('the failure that a Runner reports is its own', async () => {
    const outcome = await host.run(async function* (ctx) {
      yield result(ctx, 'run.failed', { error: 'no model', code: 'my.no_model', retryable: true })
    })
    expect(outcome).toMatchObject({ status: 'failed', reason: 'no model', code: 'my.no_model' })
    expect(await host.runs.get(outcome.run_id)).toMatchObject({ status: 'failed', status_reason: 'no model' })
    expect(host.sentences).toHaveLength(1)
  })

  test.each([
    ['an empty sentence', processor({ options: { sentence: '' } }), envelope()],
    ['a plugin processor', processor({ kind: 'plugin_processor' }), envelope()],
    ['an event that nobody waits for', processor(), envelope({ event_type: 'group.member_joined' })],
    ['no target', processor(), envelope({ reply_target: null })],
  ])('%s: nothing is said', async (_why, own, event) => {
    await host.run(failing(new Error('x')), { processor: own, envelope: event })
    expect(host.sentences).toEqual([])
  })
})

describe('effects', () => {
  test('are marked in the unit of the first write, and not by reads, logs and results', async () => {
    const marked = async (runId: string) =>
      (await host.store.first<{ effect: number }>({ sql: 'select effect from runs where run_id = ?', params: [runId] }))
        ?.effect
    const outcome = await host.run(async function* (ctx, plugin) {
      await plugin.call('state_get', { scope: 'runner', key: 'k' })
      yield result(ctx, 'processor.log', { text: 'x' })
      // Written by now, and no effect for that.
      await vi.waitFor(async () => expect(await types(ctx.run_id)).toContain('processor.log'), { interval: 2 })
      expect(await marked(ctx.run_id)).toBe(0)
      await plugin.call('state_set', { scope: 'runner', key: 'k', value: 1 })
      expect(await marked(ctx.run_id)).toBe(1)
    })
    expect(outcome).toMatchObject({ status: 'completed', effect: true })
  })

  test('a write without run_id marks the runs of the installation', async () => {
    const outcome = await host.run(
      calls(async (_ctx, plugin) => {
        await plugin.raw('set_plugin_storage', { key: 'k', value_base64: 'AAAA' })
      }),
    )
    expect(outcome).toMatchObject({ status: 'completed', effect: true })
  })
})
