import { setImmediate as everythingReady } from 'node:timers/promises'
import { AdapterError } from '@runbound/platform-kit'
import { type FormName, form, type JsonObject, method, WireError } from '@runbound/protocol'
import { METHODS } from '@runbound/protocol/schemas'
import { type Statement, StoreError } from '@runbound/store'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { caller, DENIED, handClock, invocation, memoryLogger, request, runGrant } from './fixtures.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import { sampleParams } from './sample-params.ts'
import type { Call, Caller, Gateway, Handler } from './types.ts'

const IDS = { run_id: 'run-1', query_id: 77 }
const QUERY = { query_id: 77, query_uuid: null, installation_uuid: 'mine', workspace_uuid: 'w-1' }

/** Every form of every method that reaches the gateway. */
const FORMS = Object.values(METHODS)
  .filter((record) => record.name !== 'register_plugin')
  .flatMap((record) => Object.keys(record.forms).map((form) => [record.name, form as FormName] as const))

function build(options: Partial<GatewayOptions> = {}) {
  const logger = memoryLogger()
  const clock = handClock()
  const commits: (readonly Statement[])[] = []
  const store = {
    commit: async (unit: readonly Statement[]) => {
      commits.push(unit)
      return []
    },
  }
  const gateway = createGateway({ store, clock, logger, ...options })
  return { gateway, logger, clock, commits }
}

/** A gateway in which every form answers `{}` and remembers that it was reached. */
function complete() {
  const built = build({ elsewhere: ['register_plugin'] })
  const reached: string[] = []
  for (const [method, form] of FORMS) {
    const handler: Handler = () => {
      reached.push(`${method}/${form}`)
      return {}
    }
    built.gateway.register({ [method]: { [form]: handler } })
  }
  return { ...built, reached }
}

async function refusal(gateway: Gateway, by: Caller, action: string, data: JsonObject): Promise<WireError> {
  try {
    await gateway.handle(by, request(action, data))
  } catch (error) {
    if (WireError.is(error)) return error
    throw error
  }
  throw new Error(`${action} was not refused`)
}

describe('every form of every method', () => {
  test.each(FORMS)(
    '[runner.grant.rechecked] %s in form %s: allowed when granted, else refused before its handler',
    async (method, form) => {
      const { gateway, reached } = complete()
      const params = sampleParams(method, form, IDS)
      gateway.open(invocation('run-1', 'mine'))
      gateway.handQuery(QUERY)
      await gateway.handle(caller('mine'), request(method, params))
      expect(reached).toEqual([`${method}/${form}`])

      // The same call with every grant saying no.
      const other = complete()
      other.gateway.open(invocation('run-1', 'mine', { grant: runGrant(DENIED) }))
      const refused = await refusal(other.gateway, caller('mine', DENIED), method, params)
      expect(refused.reason).toBe(form === 'query' ? 'query_unknown' : 'permission_denied')
      expect(other.reached).toEqual([])
    },
  )

  test.each(FORMS.filter(([, form]) => form === 'run'))(
    '[runner.lifetime.after-end-refused] [run-api.not-across-runs] %s needs a living run of its own',
    async (method, form) => {
      const { gateway, reached } = complete()
      gateway.open(invocation('run-1', 'mine'))
      const params = sampleParams(method, form, IDS)
      expect((await refusal(gateway, caller('another'), method, params)).reason).toBe('run_unknown')
      expect((await refusal(gateway, caller('mine'), method, { ...params, run_id: 'never' })).reason).toBe(
        'run_unknown',
      )
      await gateway.close('run-1', 'ended')
      expect((await refusal(gateway, caller('mine'), method, params)).reason).toBe('run_ended')
      expect((await refusal(gateway, caller('another'), method, params)).reason).toBe('run_unknown')
      expect(reached).toEqual([])
    },
  )

  test('the table is sealed only when records and handlers are the same list', () => {
    const { gateway } = complete()
    expect(() => gateway.seal()).not.toThrow()
    expect(() => build({ elsewhere: ['register_plugin'] }).gateway.seal()).toThrow(/state_get \(run\) has no handler/)
    gateway.register({ state_get: { installation: () => ({}) } })
    expect(() => gateway.seal()).toThrow(/state_get \(installation\) has no record/)
    expect(() => gateway.register({ state_get: { run: () => ({}) } })).toThrow(/two handlers/)
  })
})

describe('the order of the checks', () => {
  test('an unknown method, a host method and an object property are no methods', async () => {
    const { gateway } = complete()
    for (const action of ['nope', 'run_runner', 'toString', '__proto__']) {
      expect((await refusal(gateway, caller('mine'), action, {})).reason).toBe('unknown_method')
    }
  })

  test('a form that the method does not have is named as such', async () => {
    const { gateway } = complete()
    const outside = await refusal(gateway, caller('mine'), 'state_get', { scope: 'runner', key: 'k' })
    expect(outside.reason).toBe('unknown_form')
    expect(outside.message).toBe('state_get can be called only inside a run (with run_id).')
    const inside = await refusal(gateway, caller('mine'), 'get_bots', { run_id: 'run-1' })
    expect(inside.reason).toBe('unknown_form')
  })

  test('parameters that do not fit name the field, also where the run is not there', async () => {
    const { gateway } = complete()
    const refused = await refusal(gateway, caller('mine'), 'state_get', { run_id: 'never', scope: 'moon', key: 'k' })
    expect(refused.reason).toBe('invalid_params')
    expect(refused.details.field).toBe('scope')
    expect(refused.message).toContain('"scope"')
  })

  test('query_id 0 is what authors send when they have none', async () => {
    const { gateway, reached } = complete()
    expect(
      (await refusal(gateway, caller('mine'), 'call_tool', { tool_name: 't', session: {}, query_id: 0 })).reason,
    ).toBe('query_unknown')
    await gateway.handle(caller('mine'), request('get_bots', { query_id: 0 }))
    expect(reached).toEqual(['get_bots/installation'])
  })

  test('[tenancy.not-authorization] identity in a payload is not looked at', async () => {
    const { gateway, reached } = complete()
    gateway.open(invocation('run-1', 'theirs'))
    const lies = {
      installation_uuid: 'theirs',
      workspace_uuid: 'w-9',
      placement_generation: 9,
      instance_uuid: 'i-9',
      caller_plugin_identity: 'acme/theirs',
    }
    const refused = await refusal(gateway, caller('mine'), 'state_get', {
      run_id: 'run-1',
      scope: 'runner',
      key: 'k',
      ...lies,
    })
    expect(refused.reason).toBe('run_unknown')
    expect(reached).toEqual([])
  })

  test('[tenancy.not-authorization] no handler gets identity from a payload, whatever a record lets through', async () => {
    const open = form('installation', {
      params: z.looseObject({}),
      result: z.object({}),
      effect: 'none',
      waits: 1,
      authorize: () => null,
    })
    const record = method({ name: 'open', from: 'plugin', summary: '', source: 'own', forms: { installation: open } })
    const { gateway } = build({ methods: { open: record } })
    const seen: unknown[] = []
    const remember: Handler = (_call, params) => {
      seen.push(params)
      return {}
    }
    gateway.register({ open: { installation: remember } })
    const identity = {
      context: {},
      action_context: {},
      instance_uuid: 'i',
      workspace_uuid: 'w',
      placement_generation: 1,
    }
    const more = {
      execution_generation: 1,
      installation_uuid: 'x',
      runtime_revision: 1,
      artifact_digest: 'd',
      caller_plugin_identity: 'a/b',
    }
    await gateway.handle(caller('mine'), request('open', { kept: 1, ...identity, ...more }))
    expect(seen).toEqual([{ kept: 1 }])
  })

  test('after the deadline nothing is called', async () => {
    const { gateway, reached, clock } = complete()
    gateway.open(invocation('run-1', 'mine', { deadlineAt: clock.now() + 1_000 }))
    const params = sampleParams('state_get', 'run', IDS)
    await gateway.handle(caller('mine'), request('state_get', params))
    clock.move(1_000)
    expect((await refusal(gateway, caller('mine'), 'state_get', params)).reason).toBe('deadline')
    expect(reached).toEqual(['state_get/run'])
  })

  test('a query belongs to the installation that was handed it last, until it is taken back', async () => {
    const { gateway } = complete()
    const params = sampleParams('get_query_vars', 'query', IDS)
    const takeBackMine = gateway.handQuery(QUERY)
    const takeBackOther = gateway.handQuery({ ...QUERY, installation_uuid: 'other' })
    expect((await refusal(gateway, caller('mine'), 'get_query_vars', params)).reason).toBe('query_unknown')
    await gateway.handle(caller('other'), request('get_query_vars', params))
    takeBackOther()
    await gateway.handle(caller('mine'), request('get_query_vars', params))
    takeBackMine()
    expect((await refusal(gateway, caller('mine'), 'get_query_vars', params)).reason).toBe('query_unknown')
  })
})

describe('the end of an invocation', () => {
  /** A gateway whose `state_get` waits for the test. */
  function waiting() {
    const built = build()
    const calls: Call<'run'>[] = []
    const open = Promise.withResolvers<JsonObject>()
    built.gateway.register({
      state_get: {
        run: (call: Call<'run'>) => {
          calls.push(call)
          return open.promise
        },
      },
    })
    const living = invocation('run-1', 'mine')
    built.gateway.open(living)
    const answer = Promise.resolve(
      built.gateway.handle(caller('mine'), request('state_get', sampleParams('state_get', 'run', IDS))),
    )
    return { ...built, calls, open, living, answer }
  }

  test('close aborts what is in work and waits for it', async () => {
    const { gateway, calls, open, answer } = waiting()
    const signal = calls[0]?.signal
    expect(signal?.aborted).toBe(false)
    let closed = false
    const closing = gateway.close('run-1', 'cancelled', 5_000).then(() => {
      closed = true
    })
    expect(signal?.aborted).toBe(true)
    await everythingReady()
    expect(closed).toBe(false)
    open.resolve({ value: 1 })
    await closing
    expect(await answer).toEqual({ value: 1 })
  })

  test('the call that closes its own run is answered by its handler; the others are waited for', async () => {
    const { gateway, open, answer } = waiting()
    const closes: Handler = async (call: Call<'run'>) => {
      await gateway.close('run-1', 'ended', 5_000, call)
      return { keys: ['closed'] }
    }
    gateway.register({ state_list: { run: closes } })
    let closed = false
    const closing = Promise.resolve(
      gateway.handle(caller('mine'), request('state_list', sampleParams('state_list', 'run', IDS))),
    ).finally(() => {
      closed = true
    })
    await everythingReady()
    expect(closed).toBe(false)
    open.resolve({ value: 1 })
    expect(await closing).toEqual({ keys: ['closed'] })
    expect(await answer).toEqual({ value: 1 })
  })

  test('a handler that does not let go is answered in its place', async () => {
    const { gateway, answer, living, open } = waiting()
    const refused = expect(answer).rejects.toMatchObject({ details: { reason: 'run_ended', why: 'deadline' } })
    await gateway.close('run-1', 'deadline', 10)
    await refused
    open.resolve({ value: 'late' })
    await everythingReady()
    expect(living.traces.map(({ outcome }) => outcome)).toEqual(['cancelled'])
  })

  test('the signal of a call combines the request, the run and the close, and is made when asked for', async () => {
    for (const end of ['request', 'run', 'close'] as const) {
      const { gateway } = build()
      const asking = new AbortController()
      const living = invocation('run-1', 'mine')
      gateway.open(living)
      const seen: AbortSignal[] = []
      gateway.register({
        state_get: {
          run: (call: Call<'run'>) => {
            seen.push(call.signal)
            return new Promise<JsonObject>(() => {})
          },
        },
      })
      const answer = gateway.handle(
        caller('mine'),
        request('state_get', sampleParams('state_get', 'run', IDS), asking.signal),
      )
      void Promise.resolve(answer).catch(() => {})
      expect(seen[0]?.aborted).toBe(false)
      if (end === 'request') asking.abort()
      else if (end === 'run') living.controller.abort()
      else await gateway.close('run-1', 'ended', 0)
      expect(seen[0]?.aborted, end).toBe(true)
    }
  })

  test('the memory of ended runs is bounded', async () => {
    const { gateway } = complete()
    for (let n = 0; n <= 10_000; n++) {
      gateway.open(invocation(`r-${n}`, 'mine'))
      await gateway.close(`r-${n}`, 'ended')
    }
    const params = sampleParams('state_get', 'run', IDS)
    expect((await refusal(gateway, caller('mine'), 'state_get', { ...params, run_id: 'r-0' })).reason).toBe(
      'run_unknown',
    )
    expect((await refusal(gateway, caller('mine'), 'state_get', { ...params, run_id: 'r-1' })).reason).toBe('run_ended')
  })
})

describe('failures, traces, effects', () => {
  function failing(error: unknown) {
    const built = build()
    const living = invocation('run-1', 'mine')
    built.gateway.open(living)
    built.gateway.register({ state_get: { run: async () => Promise.reject(error) } })
    return { ...built, living, params: sampleParams('state_get', 'run', IDS) }
  }

  test.each([
    [new WireError('not_found', 'gone'), 'not_found'],
    [new StoreError('full', 'disk'), 'storage_full'],
    [new StoreError('failed', '/data/runbound.db is broken'), 'internal'],
    [new AdapterError('refused', 'blocked by the user'), 'platform_failed'],
    [new AdapterError('not_supported', 'no such thing'), 'not_supported'],
    [new AdapterError('unknown_outcome', 'timed out'), 'delivery_unknown'],
    [new TypeError('secret /etc/passwd'), 'internal'],
  ])('%s becomes %s', async (error, reason) => {
    const { gateway, params, logger, living } = failing(error)
    const refused = await refusal(gateway, caller('mine'), 'state_get', params)
    expect(refused.reason).toBe(reason)
    expect(living.traces).toMatchObject([{ method: 'state_get', target: 'runner/k', reason }])
    if (reason === 'internal') {
      expect(refused.message).toBe('The host failed while it answered state_get. Its log has the cause.')
      expect(JSON.stringify(refused.toData())).not.toMatch(/secret|data/)
      expect(logger.records).toMatchObject([{ level: 'error', details: { err: error, run_id: 'run-1' } }])
    }
  })

  test('each call of a run stands in its trace, also the refused ones', async () => {
    const { gateway } = complete()
    const living = invocation('run-1', 'mine')
    gateway.open(living)
    await gateway.handle(caller('mine'), request('state_get', sampleParams('state_get', 'run', IDS)))
    await refusal(gateway, caller('mine'), 'state_get', { run_id: 'run-1', scope: 'moon', key: 'k' })
    await refusal(gateway, caller('another'), 'state_get', sampleParams('state_get', 'run', IDS))
    expect(living.traces.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['ok', null],
      ['denied', 'invalid_params'],
    ])
    expect(living.traces[0]?.micros).toBeGreaterThanOrEqual(0)
  })

  test('a stream passes its frames, translates its failure and ends with its run', async () => {
    const { gateway } = build()
    const living = invocation('run-1', 'mine')
    gateway.open(living)
    gateway.register({
      invoke_llm_stream: {
        run: async function* () {
          yield { chunk: { role: 'assistant', content: 'a' } }
          await gateway.close('run-1', 'cancelled', 0)
          yield { chunk: { role: 'assistant', content: 'b' } }
        },
      },
    })
    const frames: JsonObject[] = []
    const answer = gateway.handle(
      caller('mine'),
      request('invoke_llm_stream', sampleParams('invoke_llm_stream', 'run', IDS)),
    )
    const reading = (async () => {
      if (Symbol.asyncIterator in answer) for await (const frame of answer) frames.push(frame)
    })()
    await expect(reading).rejects.toMatchObject({ details: { reason: 'run_ended' } })
    expect(frames).toHaveLength(1)
    expect(living.traces).toMatchObject([{ method: 'invoke_llm_stream', outcome: 'cancelled' }])
  })

  test('a write without a run marks the active runs of its installation, a read does not', async () => {
    const { gateway, commits } = build()
    const mine = invocation('run-1', 'mine')
    const other = invocation('run-2', 'other')
    gateway.open(mine)
    gateway.open(other)
    const statement: Statement = { sql: 'select 1', params: [] }
    const write: Handler = async (call: Call<'installation'>) => {
      await call.commit([statement])
      return {}
    }
    gateway.register({ set_plugin_storage: { installation: write }, get_plugin_storage: { installation: write } })
    await gateway.handle(caller('mine'), request('get_plugin_storage', { key: 'k' }))
    expect([mine.marks.count, other.marks.count]).toEqual([0, 0])
    await gateway.handle(caller('mine'), request('set_plugin_storage', { key: 'k', value_base64: '' }))
    expect([mine.marks.count, other.marks.count]).toEqual([1, 0])
    expect(commits).toHaveLength(2)
  })

  test('answers are checked against their record where that is asked for', async () => {
    const { gateway, logger } = build({ checkAnswers: true })
    gateway.open(invocation('run-1', 'mine'))
    gateway.register({ state_list: { run: async () => ({ keys: 'no list' }) } })
    const refused = await refusal(gateway, caller('mine'), 'state_list', sampleParams('state_list', 'run', IDS))
    expect(refused.reason).toBe('internal')
    expect(String(Reflect.get(logger.records[0]?.details ?? {}, 'err'))).toContain('does not fit')
  })
})
