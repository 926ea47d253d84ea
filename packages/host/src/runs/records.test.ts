import { AVAILABLE_APIS, type AvailableApi, type JsonObject, WireError } from '@runbound/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventRecord } from '../events/types.ts'
import {
  calls,
  done,
  envelope,
  processor,
  result,
  type ScriptHost,
  type SmallHost,
  silent,
  smallHost,
} from './fixtures.ts'
import type { OperatorGrants } from './types.ts'

const record = (event_id: string, conversation_key: string | null): EventRecord => ({
  event_id,
  event_type: 'message.received',
  event_time: 1,
  source: 'platform',
  bot_id: 'b-1',
  workspace_id: 'w-1',
  conversation_id: 'group_g-1',
  thread_id: null,
  actor_type: null,
  actor_id: null,
  actor_name: null,
  subject_type: null,
  subject_id: null,
  input_summary: 'hello',
  input_ref: null,
  raw_ref: null,
  seq: 1,
  cursor: null,
  created_at: 1,
  metadata: {},
  conversation_key,
})

const KEY = 'w-1/b-1/group_g-1'
const asked: JsonObject[] = []
const remember =
  <T>(name: string, answer: T) =>
  async (request: object) => {
    asked.push({ name, ...request })
    return answer
  }
const page = { items: [], next_cursor: null, prev_cursor: null, has_more: false, total_count: null }

let host: SmallHost
beforeEach(async () => {
  asked.length = 0
  host = await smallHost({
    records: [record('e-1', KEY), record('e-2', KEY), record('e-9', 'w-1/b-1/group_g-9')],
    needs: {
      history: {
        cursor: async () => ({ latest_cursor: 'c-41', transcript_seq: 41, has_history_before: true }),
        position: async (eventId) => (eventId === 'e-1' ? 42 : null),
        page: remember('page', page),
        search: remember('search', { items: [], total_count: null, query: 'q' }),
      },
      events: {
        record: async (id) =>
          [record('e-1', KEY), record('e-2', KEY), record('e-9', 'w-1/b-1/group_g-9')].find(
            ({ event_id }) => event_id === id,
          ),
        page: remember('events', page),
      },
    },
  })
})
afterEach(() => host.close())

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (WireError.is(error)) return error.reason
    throw error
  }
  return 'ok'
}

/** Runs `work` inside a run and hands its answer out. */
async function inRun<T>(
  work: (plugin: ScriptHost, runId: string) => Promise<T>,
  more: Parameters<SmallHost['run']>[1] = {},
): Promise<T> {
  let answer: { readonly value: T } | { readonly error: unknown } | undefined
  await host.run(
    calls(async (ctx, plugin) => {
      answer = await work(plugin, ctx.run_id).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
    }),
    more,
  )
  if (answer === undefined) throw new Error('the run did not get there')
  if ('error' in answer) throw answer.error
  return answer.value
}

const ADMIN = { processor: processor({ grants: { run_admin: true } }) }

describe('reading runs', () => {
  test('[runner.run-get] [runner.run-records.none-is-current] the own run by default, at this moment', async () => {
    const [own, named, runId] = await inRun(async (plugin, run) => [
      await plugin.call('run_get'),
      await plugin.call('run_get', { target_run_id: run }),
      run,
    ])
    expect(own).toMatchObject({ run_id: runId, status: 'running', finished_at: null })
    expect(named).toEqual(own)
  })

  test('[runner.run-records.authorized-scope] another processor’s, conversation’s or workspace’s run is as good as none', async () => {
    const same = await host.run(done)
    const others = await Promise.all([
      host.run(done, { processor: processor({ processor_id: 'p-2' }) }),
      host.run(done, { conversation_key: 'w-1/b-1/group_g-2' }),
      host.run(done, { conversation_key: 'w-1/b-1/group_g-1@u-1' }),
      host.run(done, { processor: processor({ workspace_uuid: 'w-2' }) }),
      host.run(done, { conversation_key: null }),
    ])
    const reasons = await inRun(async (plugin) => {
      const outcomes: string[] = []
      for (const { run_id } of [same, ...others, { run_id: 'never' }]) {
        for (const action of ['run_get', 'run_events_page', 'run_cancel'] as const) {
          outcomes.push(await reasonOf(plugin.call(action, { target_run_id: run_id })))
        }
      }
      return outcomes
    })
    expect(reasons.slice(0, 3)).toEqual(['ok', 'ok', 'conflict'])
    expect(reasons.slice(3)).toEqual(Array(18).fill('not_found'))
    const list = await inRun((plugin) => plugin.call('run_list'))
    const shown = (list.items as JsonObject[]).map(({ run_id }) => run_id)
    expect(shown).toContain(same.run_id)
    for (const { run_id } of others) expect(shown).not.toContain(run_id)
  })

  test('a run without a conversation sees itself only', async () => {
    const other = await host.run(done, { conversation_key: null })
    const alone = { envelope: envelope({ conversation: null }), conversation_key: null }
    expect(await inRun((plugin) => reasonOf(plugin.call('run_get', { target_run_id: other.run_id })), alone)).toBe(
      'not_found',
    )
    expect(await inRun((plugin) => reasonOf(plugin.call('run_get')), alone)).toBe('ok')
    expect(await inRun((plugin) => reasonOf(plugin.call('run_list')), alone)).toBe('permission_denied')
  })

  test('[runner.run-list] newest first, by status, continued with before_cursor, never more than asked for', async () => {
    const failing = async function* (ctx: { run_id: string }) {
      yield result(ctx as never, 'run.failed', { error: 'x' })
    }
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.push((await host.run(n % 2 === 0 ? done : failing)).run_id)
    const list = (data: JsonObject) =>
      inRun((plugin) => plugin.call('run_list', { statuses: ['completed', 'failed'], ...data }))
    const seen: unknown[] = []
    let before_cursor: unknown = null
    for (let n = 0; n < 10; n++) {
      const { items, next_cursor, has_more }: JsonObject = await inRun((plugin) =>
        plugin.call('run_list', {
          statuses: ['completed', 'failed'],
          limit: 3,
          before_cursor: before_cursor as string | null,
        }),
      )
      seen.push(...(items as JsonObject[]).map(({ run_id }) => run_id))
      if (has_more !== true) break
      before_cursor = next_cursor
    }
    // The runs that ask are newer than those that were listed first, so each is met once.
    expect(seen.filter((id) => ids.includes(String(id)))).toEqual(ids.toReversed())
    expect((await list({ statuses: ['failed'] })).items).toHaveLength(3)
    expect(await inRun((plugin) => reasonOf(plugin.call('run_list', { conversation_id: 'group_g-2' })))).toBe(
      'target_denied',
    )
    expect(await inRun((plugin) => reasonOf(plugin.call('run_list', { conversation_id: 'group_g-1' })))).toBe('ok')
    expect(await inRun((plugin) => reasonOf(plugin.call('run_list', { before_cursor: 'made-up' })))).toBe(
      'invalid_cursor',
    )
    const foreign = await host.runs.list({ workspace_uuid: 'w-1', statuses: null, before_cursor: null, limit: 1 })
    expect(await inRun((plugin) => reasonOf(plugin.call('run_list', { before_cursor: foreign.next_cursor })))).toBe(
      'invalid_cursor',
    )
    expect(foreign.total_count).toBeGreaterThanOrEqual(7)
  })

  test('[runner.run-events-page] in order by default, in pages, and backward', async () => {
    const { run_id } = await host.run(async function* (ctx) {
      for (let n = 0; n < 8; n++) yield result(ctx, 'processor.log', { text: String(n) })
    })
    const read = (data: JsonObject) =>
      inRun((plugin) => plugin.call('run_events_page', { target_run_id: run_id, ...data }))
    const sequences = ({ items }: JsonObject) => (items as JsonObject[]).map(({ sequence }) => sequence)
    const all = await read({})
    expect(sequences(all)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect([all.has_more, all.next_cursor]).toEqual([false, null])
    const first = await read({ limit: 4 })
    expect([sequences(first), first.has_more]).toEqual([[1, 2, 3, 4], true])
    const second = await read({ limit: 4, after_cursor: first.next_cursor })
    expect(sequences(second)).toEqual([5, 6, 7, 8])
    const back = await read({ limit: 3, direction: 'backward' })
    expect([sequences(back), back.has_more]).toEqual([[10, 9, 8], true])
    expect(sequences(await read({ limit: 3, direction: 'backward', before_cursor: back.next_cursor }))).toEqual([
      7, 6, 5,
    ])
    expect(await reasonOf(read({ after_cursor: 'x' }))).toBe('invalid_cursor')
    const other = await host.run(done)
    expect(
      await inRun((plugin) =>
        reasonOf(plugin.call('run_events_page', { target_run_id: other.run_id, after_cursor: first.next_cursor })),
      ),
    ).toBe('invalid_cursor')
  })

  test('the own ledger is up to date, also in the tick in which it was written', async () => {
    let types: unknown[] = []
    await host.run(async function* (ctx, plugin) {
      yield result(ctx, 'processor.log', { text: 'a' })
      const { items } = await plugin.call('run_events_page')
      types = (items as JsonObject[]).map(({ type }) => type)
    })
    expect(types).toEqual(['run.started', 'processor.log'])
  })
})

describe('changing runs', () => {
  test('[runner.run-cancel] another run of the conversation is cancelled, once', async () => {
    const { ctx, outcome } = await host.begin(silent)
    const [first, second] = await inRun(async (plugin) => [
      await plugin.call('run_cancel', { target_run_id: ctx.run_id, reason: 'newer question' }),
      await reasonOf(plugin.call('run_cancel', { target_run_id: ctx.run_id })),
    ])
    expect(first).toMatchObject({ run_id: ctx.run_id })
    expect(await outcome).toMatchObject({ status: 'cancelled', reason: 'newer question' })
    expect(second).toBe('ok')
    expect(await host.runs.get(ctx.run_id)).toMatchObject({ status: 'cancelled', status_reason: 'newer question' })
  })

  test('[runner.run-append-result] an added result gets the next number; only some kinds can be added', async () => {
    const log = (run_id: string) => ({ run_id, type: 'processor.log', data: { text: 'added' } })
    const { event, ledger, reasons } = await inRun(async (plugin, run) => {
      const event = await plugin.call('run_append_result', { result: log(run) })
      const append = (given: JsonObject) => reasonOf(plugin.call('run_append_result', { result: given }))
      const reasons = [
        await append({
          ...log(run),
          type: 'message.completed',
          data: { message: { role: 'assistant', content: 'x' } },
        }),
        await append({ ...log(run), type: 'run.completed', data: {} }),
        await append({ ...log(run), data: { text: 7 } }),
        await append(log('another')),
      ]
      return { event, reasons, ledger: await host.ledger(run) }
    }, ADMIN)
    expect(event).toMatchObject({ sequence: 2, type: 'processor.log', data: { text: 'added' }, source: 'runner' })
    expect(ledger.map(({ type }) => type)).toEqual(['run.started', 'processor.log'])
    expect(reasons).toEqual(['invalid_params', 'invalid_params', 'invalid_result', 'invalid_params'])
    expect(await inRun((plugin, run) => reasonOf(plugin.call('run_append_result', { result: log(run) })))).toBe(
      'permission_denied',
    )
  })

  test('[runner.run-finalize] the run ends with this status and reason, and only once', async () => {
    const answers: unknown[] = []
    const outcome = await host.run(async function* (ctx, plugin) {
      answers.push(await plugin.call('run_finalize', { status: 'failed', reason: 'gave up' }))
      answers.push(await reasonOf(plugin.call('run_finalize', { status: 'completed' })))
      yield result(ctx, 'run.completed')
    }, ADMIN)
    expect(answers).toMatchObject([{ status: 'failed', status_reason: 'gave up' }, 'run_ended'])
    expect(outcome).toMatchObject({ status: 'failed', reason: 'gave up' })
    expect((await host.ledger(outcome.run_id)).map(({ type }) => type)).toEqual(['run.started', 'run.failed'])
    const reasons = await inRun(
      async (plugin) => [await reasonOf(plugin.call('run_finalize', { status: 'running' }))],
      ADMIN,
    )
    expect(reasons).toEqual(['invalid_params'])
  })

  test('plugins that the operator lets administer reach every run of their workspace, without run_id', async () => {
    const { ctx, outcome } = await host.begin(silent, {
      processor: processor({ processor_id: 'p-7' }),
      conversation_key: null,
    })
    const foreign = await host.run(done, { processor: processor({ workspace_uuid: 'w-2' }) })
    expect(await host.call('run_get', { target_run_id: ctx.run_id })).toMatchObject({ status: 'running' })
    expect(await reasonOf(host.call('run_get', { target_run_id: foreign.run_id }))).toBe('not_found')
    expect((await host.call('run_list', {})).items).toHaveLength(1)
    const appended = await host.call('run_append_result', {
      target_run_id: ctx.run_id,
      result: { run_id: ctx.run_id, type: 'processor.log', data: { text: 'x' } },
    })
    expect(appended).toMatchObject({ source: 'admin', sequence: 2 })
    const ended = await host.call('run_finalize', {
      target_run_id: ctx.run_id,
      status: 'completed',
      usage: { total_tokens: 9 },
      cost: { usd: 1 },
      metadata: { by: 'daemon' },
    })
    expect(ended).toMatchObject({ status: 'completed', usage: { total_tokens: 9 }, cost: { usd: 1 } })
    expect(await outcome).toMatchObject({ status: 'completed' })
    expect(await reasonOf(host.call('run_stats', {}))).toBe('not_available')
  })
})

describe('what a run reads of its conversation', () => {
  test('[runner.get-prompt] the prompt of the processor', async () => {
    const prompt = [{ role: 'system', content: 'Be short.' }]
    expect(
      await inRun((plugin) => plugin.call('get_prompt'), { processor: processor({ options: { prompt } }) }),
    ).toEqual({ prompt })
    expect(await inRun((plugin) => plugin.call('get_prompt'))).toEqual({ prompt: [] })
  })

  test('[runner.history-page.defaults] [D132] the own conversation up to the own message, newest 50; more than 100 are never asked for', async () => {
    await inRun(async (plugin) => {
      await plugin.call('history_page')
      await plugin.call('history_page', {
        limit: 500,
        direction: 'forward',
        after_cursor: 'c',
        include_attachments: true,
        conversation_id: 'group_g-1',
      })
    })
    expect(asked).toEqual([
      {
        name: 'page',
        conversation_key: KEY,
        up_to: 42,
        before_cursor: null,
        after_cursor: null,
        limit: 50,
        direction: 'backward',
        include_attachments: false,
      },
      {
        name: 'page',
        conversation_key: KEY,
        up_to: 42,
        before_cursor: null,
        after_cursor: 'c',
        limit: 100,
        direction: 'forward',
        include_attachments: true,
      },
    ])
  })

  test('an event that is no message sees what was there when it started', async () => {
    await inRun((plugin) => plugin.call('history_page'), { envelope: envelope({ event_id: 'e-7' }) })
    expect(asked).toMatchObject([{ up_to: 41 }])
  })

  test('[runner.history-search] words and filters are passed on; filters that do not fit are refused', async () => {
    const reasons = await inRun(async (plugin) => {
      await plugin.call('history_search', {
        query: 'tea',
        filters: { roles: ['user'], item_types: ['message'] },
        top_k: 999,
      })
      await plugin.call('history_search', { query: 'tea' })
      return [
        await reasonOf(plugin.call('history_search', { query: 'tea', filters: { roles: 'user' } })),
        await reasonOf(plugin.call('history_search', { query: 'tea', filters: { conversation_id: 'group_g-9' } })),
      ]
    })
    expect(asked).toEqual([
      {
        name: 'search',
        conversation_key: KEY,
        up_to: 42,
        query: 'tea',
        roles: ['user'],
        item_types: ['message'],
        top_k: 100,
      },
      { name: 'search', conversation_key: KEY, up_to: 42, query: 'tea', roles: null, item_types: null, top_k: 10 },
    ])
    expect(reasons).toEqual(['invalid_params', 'target_denied'])
  })

  test('[runner.event-get] the own event and those of the conversation; others are as good as none', async () => {
    const [own, neighbour, ...reasons] = await inRun(async (plugin) => [
      await plugin.call('event_get', { event_id: 'e-1' }),
      await plugin.call('event_get', { event_id: 'e-2' }),
      await reasonOf(plugin.call('event_get', { event_id: 'e-9' })),
      await reasonOf(plugin.call('event_get', { event_id: 'never' })),
    ])
    expect(own).toMatchObject({ event_id: 'e-1', event_type: 'message.received' })
    expect(own).not.toHaveProperty('conversation_key')
    expect(neighbour).toMatchObject({ event_id: 'e-2' })
    expect(reasons).toEqual(['not_found', 'not_found'])
    const alone = { envelope: envelope({ conversation: null }), conversation_key: null }
    expect(await inRun((plugin) => reasonOf(plugin.call('event_get', { event_id: 'e-1' })), alone)).toBe('ok')
    expect(await inRun((plugin) => reasonOf(plugin.call('event_get', { event_id: 'e-2' })), alone)).toBe('not_found')
  })

  test('[runner.event-page] [runner.event-page.event-types] [runner.history.other-conversation] events of the own conversation, and of no other', async () => {
    const reasons = await inRun(async (plugin) => {
      await plugin.call('event_page', { event_types: ['message.edited'], before_cursor: 'c', limit: 5 })
      return [
        await reasonOf(plugin.call('event_page', { conversation_id: 'group_g-9' })),
        await reasonOf(plugin.call('history_page', { conversation_id: 'group_g-9' })),
      ]
    })
    expect(asked).toEqual([
      { name: 'events', conversation_key: KEY, event_types: ['message.edited'], before_cursor: 'c', limit: 5 },
    ])
    expect(reasons).toEqual(['target_denied', 'target_denied'])
  })

  test('nothing waits to be pulled in this version', async () => {
    expect(await inRun((plugin) => plugin.call('steering_pull', { mode: 'one' }))).toEqual({ items: [] })
  })
})

/** One call for each flag, valid in every run that is granted it. */
const CALLS: Record<AvailableApi, (runId: string) => readonly [string, JsonObject]> = {
  box: () => ['get_box_status', {}],
  reply_stream: () => ['reply_stream', { stream_id: 's', operation: 'update', text: 'x' }],
  prompt_get: () => ['get_prompt', {}],
  history_page: () => ['history_page', {}],
  history_search: () => ['history_search', { query: 'q' }],
  event_get: () => ['event_get', { event_id: 'e-1' }],
  event_page: () => ['event_page', {}],
  state: () => ['state_list', { scope: 'runner' }],
  storage: () => ['get_plugin_storage_keys', {}],
  steering_pull: () => ['steering_pull', {}],
  run_get: () => ['run_get', {}],
  run_list: () => ['run_list', {}],
  run_events_page: () => ['run_events_page', {}],
  run_cancel: () => ['run_cancel', {}],
  run_append_result: (run_id) => [
    'run_append_result',
    { result: { run_id, type: 'processor.log', data: { text: 'x' } } },
  ],
  run_finalize: () => ['run_finalize', {}],
}
/** Flags whose methods are this room's and storage's; the others have no handler in this small host. */
const BUILT = AVAILABLE_APIS.filter((flag) => flag !== 'box' && flag !== 'reply_stream')

test('[runner.grant.available-apis] [runner.grant.flag.prompt-history-events] [runner.grant.flag.run-records] [runner.grant.flag.state] each flag says beforehand what its call does', async () => {
  const operators: fc.Arbitrary<OperatorGrants> = fc.record({
    history: fc.boolean(),
    events: fc.boolean(),
    prompt: fc.boolean(),
    run_records: fc.boolean(),
    run_admin: fc.boolean(),
    steering: fc.boolean(),
    // Where state is on at all, so is the scope that the call asks for; and likewise for storage.
    state: fc.constantFrom([], ['runner']),
    storage: fc.constantFrom({ plugin: true }, { plugin: false }),
  })
  await fc.assert(
    fc.asyncProperty(operators, fc.boolean(), async (grants, withConversation) => {
      for (const flag of BUILT) {
        const place = withConversation ? {} : { envelope: envelope({ conversation: null }), conversation_key: null }
        let flagged: boolean | undefined
        let outcome: string | undefined
        await host.run(
          calls(async (ctx, plugin) => {
            flagged = ctx.context.available_apis[flag]
            const [action, data] = CALLS[flag](ctx.run_id)
            outcome = await reasonOf(plugin.call(action, data))
          }),
          { processor: processor({ grants }), ...place },
        )
        expect([flag, outcome]).toEqual([flag, flagged === true ? 'ok' : 'permission_denied'])
      }
    }),
    { numRuns: 12 },
  )
})
