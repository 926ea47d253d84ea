import { randomBytes } from 'node:crypto'
import { type Json, type JsonObject, LIMITS, WireError } from '@runbound/protocol'
import { openStore, type Store } from '@runbound/store'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { caller, DENIED, handClock, invocation, memoryLogger, request, runGrant } from '../gateway/fixtures.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { Caller, Gateway, RunFacts } from '../gateway/types.ts'
import { createStorage } from './storage.ts'
import type { StateObject, Storage } from './types.ts'

let store: Store
let gateway: Gateway
let storage: Storage

beforeEach(async () => {
  store = await openStore({ folder: ':memory:' })
  const clock = handClock()
  storage = createStorage({ store, clock })
  gateway = createGateway({ store, clock, logger: memoryLogger(), checkAnswers: true })
  gateway.register(storage.handlers)
})
afterEach(() => store.close())

function open(run_id: string, installation: string, facts: Partial<RunFacts> = {}, grant = runGrant(null)) {
  gateway.open(invocation(run_id, installation, { store, grant, facts }))
}

async function call(action: string, data: JsonObject, by: Caller = caller('mine')): Promise<JsonObject> {
  const answer = await gateway.handle(by, request(action, data))
  if (Symbol.asyncIterator in answer) throw new Error('a stream was not expected')
  return answer
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (WireError.is(error)) return error.reason
    throw error
  }
  return 'no error'
}

const state = (action: 'get' | 'set' | 'delete' | 'list', data: JsonObject, run_id = 'run-1') =>
  call(`state_${action}`, { run_id, scope: 'runner', ...data })

describe('state', () => {
  test('[runner.state.get] [runner.state.set] [runner.state.delete] a value is read, replaced and gone', async () => {
    open('run-1', 'mine')
    expect(await state('get', { key: 'k' })).toEqual({ value: null })
    expect(await state('set', { key: 'k', value: { a: [1, null, 'x'] } })).toEqual({ success: true })
    expect(await state('get', { key: 'k' })).toEqual({ value: { a: [1, null, 'x'] } })
    expect(await state('set', { key: 'k', value: 2 })).toEqual({ success: true })
    expect(await state('get', { key: 'k' })).toEqual({ value: 2 })
    expect(await state('delete', { key: 'k' })).toEqual({ success: true })
    expect(await state('delete', { key: 'k' })).toEqual({ success: false })
    expect(await state('get', { key: 'k' })).toEqual({ value: null })
  })

  test('[runner.state.json-values] every JSON value comes back unchanged, whole numbers of any size included', async () => {
    open('run-1', 'mine')
    const big = fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 200n })
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      // A float beyond 2^53 without a fraction is a whole number in JSON, and comes back exactly as one.
      fc
        .double({ noNaN: true, noDefaultInfinity: true })
        .filter((n) => Number.isSafeInteger(n) || !Number.isInteger(n)),
      fc.boolean(),
      fc.constant(null),
      big,
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        await state('set', { key: 'k', value: given as Json })
        // -0 is 0 in JSON.
        expect((await state('get', { key: 'k' })).value).toEqual(JSON.parse(JSON.stringify(given, same), same) ?? null)
      }),
      { numRuns: 60 },
    )
    function same(_key: string, item: unknown): unknown {
      return typeof item === 'bigint' ? { $: String(item) } : isMarked(item) ? BigInt(item.$) : item
    }
    function isMarked(item: unknown): item is { $: string } {
      return (
        typeof item === 'object' &&
        item !== null &&
        Object.keys(item).join() === '$' &&
        typeof Reflect.get(item, '$') === 'string'
      )
    }
  })

  test('[runner.state.json-values] a value that JSON can not hold is refused and nothing is stored', async () => {
    open('run-1', 'mine')
    await state('set', { key: 'k', value: 'before' })
    for (const value of [Number.NaN, { deep: [Number.POSITIVE_INFINITY] }]) {
      expect(await reasonOf(state('set', { key: 'k', value }))).toBe('invalid_params')
    }
    expect(await reasonOf(state('set', { key: 'k' }))).toBe('invalid_params')
    expect(await state('set', { key: 'text', value: 'NaN and Infinity' })).toEqual({ success: true })
    expect(await state('get', { key: 'k' })).toEqual({ value: 'before' })
  })

  test('[runner.state.scopes] the four scopes are independent, and shared exactly by the same object', async () => {
    const other: Partial<RunFacts> = {
      conversation_key: 'w-1/b-1/group_g-2',
      actor: { actor_type: 'user', actor_id: 'u-2', actor_name: null, metadata: {} },
      subject: { subject_type: 'group', subject_id: 'g-2', data: {} },
    }
    open('run-1', 'mine')
    open('same', 'mine')
    open('elsewhere', 'mine', other)
    open('other-processor', 'mine', { processor_id: 'p-2' })
    open('other-bot', 'mine', { bot_uuid: 'b-2' })
    open('debug', 'mine', { simulate: {} })
    const scopes = ['conversation', 'actor', 'subject', 'runner']
    for (const scope of scopes) await call('state_set', { run_id: 'run-1', scope, key: 'k', value: scope })
    const read = async (run_id: string) =>
      Promise.all(scopes.map(async (scope) => (await call('state_get', { run_id, scope, key: 'k' })).value))
    expect(await read('run-1')).toEqual(scopes)
    expect(await read('same')).toEqual(scopes)
    expect(await read('elsewhere')).toEqual([null, null, null, 'runner'])
    expect(await read('other-bot')).toEqual([null, null, null, 'runner'])
    expect(await read('other-processor')).toEqual([null, null, null, null])
    expect(await read('debug')).toEqual([null, null, null, null])
    expect(await reasonOf(state('get', { scope: 'moon', key: 'k' }))).toBe('invalid_params')
  })

  test('a scope whose object the event does not have is refused', async () => {
    open('run-1', 'mine', { conversation_key: null, actor: null, subject: null })
    for (const scope of ['conversation', 'actor', 'subject']) {
      expect(await reasonOf(call('state_set', { run_id: 'run-1', scope, key: 'k', value: 1 }))).toBe(
        'permission_denied',
      )
    }
  })

  test('[runner.state.list] [runner.state.list.prefix] keys come in order, at most 100, by the letters of the prefix', async () => {
    open('run-1', 'mine')
    const keys = Array.from({ length: 103 }, (_, n) => `n${String(n).padStart(3, '0')}`)
    for (const key of [...keys, 'external.a', 'external.b', 'externalXc', 'a%b', 'aXb', 'a_b', '日本']) {
      await state('set', { key, value: 1 })
    }
    expect(await state('list', { prefix: 'external.' })).toEqual({
      keys: ['external.a', 'external.b'],
      has_more: false,
    })
    expect(await state('list', { prefix: 'a%' })).toEqual({ keys: ['a%b'], has_more: false })
    expect(await state('list', { prefix: 'a_' })).toEqual({ keys: ['a_b'], has_more: false })
    expect(await state('list', { prefix: '日' })).toEqual({ keys: ['日本'], has_more: false })
    expect(await state('list', { prefix: 'nothing' })).toEqual({ keys: [], has_more: false })
    expect(await state('list', { prefix: 'n', limit: 500 })).toEqual({ keys: keys.slice(0, 100), has_more: true })
    expect(await state('list', { prefix: 'n', limit: 2 })).toEqual({ keys: keys.slice(0, 2), has_more: true })
    expect((await state('list', {})).has_more).toBe(true)
    await call('state_set', { run_id: 'run-1', scope: 'actor', key: 'own', value: 1 })
    expect(await call('state_list', { run_id: 'run-1', scope: 'actor' })).toEqual({ keys: ['own'], has_more: false })
  })

  test('size and number of values are limited, by name', async () => {
    open('run-1', 'mine')
    const fits = 'x'.repeat(LIMITS.state_value.value - 2)
    expect(await state('set', { key: 'k', value: fits })).toEqual({ success: true })
    const refused = state('set', { key: 'k', value: `${fits}x` })
    await expect(refused).rejects.toMatchObject({ details: { reason: 'too_large', limit: 'state_value' } })
    expect(await reasonOf(state('set', { key: 'k'.repeat(256), value: 1 }))).toBe('invalid_params')
    expect(await state('get', { key: 'k' })).toEqual({ value: fits })
  })

  test('a full scope takes no new key and still changes the old ones', async () => {
    open('run-1', 'mine')
    await state('set', { key: 'old', value: 1 })
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LIMITS.state_keys.value - 1})`
    const copy = `insert into state select scope_key, 'f' || i, workspace_uuid, scope, processor_id, object_id, value, bytes, 1, null, 0 from state, n`
    await store.commit([{ sql: `${numbers} ${copy}`, params: [] }])
    expect(await reasonOf(state('set', { key: 'new', value: 1 }))).toBe('limit_reached')
    expect(await state('get', { key: 'new' })).toEqual({ value: null })
    expect(await state('set', { key: 'old', value: 2 })).toEqual({ success: true })
    await state('delete', { key: 'f1' })
    expect(await state('set', { key: 'new', value: 1 })).toEqual({ success: true })
  })

  const OBJECT: StateObject = {
    workspace_uuid: 'w-1',
    processor_id: 'p-1',
    bot_uuid: 'b-1',
    conversation_key: 'w-1/b-1/group_g-1',
    actor: { actor_type: 'user', actor_id: 'u-1' },
    subject: { subject_type: 'group', subject_id: 'g-1' },
    debug: false,
  }

  test('[runner.context.state] the snapshot holds what was stored, of the given scopes, within its size', async () => {
    open('run-1', 'mine')
    await call('state_set', { run_id: 'run-1', scope: 'conversation', key: 'a', value: [1] })
    await call('state_set', { run_id: 'run-1', scope: 'actor', key: 'b', value: 'x' })
    const empty = { conversation: {}, actor: {}, subject: {}, runner: {} }
    expect(await storage.snapshot(OBJECT, ['conversation', 'actor', 'subject', 'runner'])).toEqual({
      ...empty,
      conversation: { a: [1] },
      actor: { b: 'x' },
      complete: true,
    })
    expect(await storage.snapshot(OBJECT, ['actor'])).toEqual({ ...empty, actor: { b: 'x' }, complete: true })
    expect(await storage.snapshot({ ...OBJECT, actor: null }, ['actor'])).toEqual({ ...empty, complete: true })
    for (let n = 0; n < 5; n++) await state('set', { key: `big${n}`, value: 'x'.repeat(250_000) })
    const full = await storage.snapshot(OBJECT, ['actor', 'runner'])
    expect(full.complete).toBe(false)
    expect(Object.keys(full.runner)).toEqual(['big0', 'big1', 'big2', 'big3'])
    expect(full.actor).toEqual({ b: 'x' })
  })

  test('the statement behind a state.updated result writes the same place', async () => {
    open('run-1', 'mine')
    await store.commit([storage.stateUpdate(OBJECT, { scope: 'conversation', key: 'k', value: 7 })])
    expect(await call('state_get', { run_id: 'run-1', scope: 'conversation', key: 'k' })).toEqual({ value: 7 })
    expect(() => storage.stateUpdate({ ...OBJECT, actor: null }, { scope: 'actor', key: 'k', value: 7 })).toThrow(
      /no actor/,
    )
  })
})

describe.each(['plugin', 'workspace'])('%s storage', (area) => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const set = (key: string, value_base64: string, more: JsonObject = {}, by?: Caller) =>
    call(`set_${area}_storage`, { key, value_base64, ...more }, by)
  const get = (key: string, more: JsonObject = {}, by?: Caller) => call(`get_${area}_storage`, { key, ...more }, by)
  const keys = (more: JsonObject = {}, by?: Caller) => call(`get_${area}_storage_keys`, more, by)
  const drop = (key: string, more: JsonObject = {}, by?: Caller) => call(`delete_${area}_storage`, { key, ...more }, by)

  test('[storage.bytes] any bytes come back unchanged, in a run and outside, on the same data', async () => {
    open('run-1', 'mine')
    for (const size of [0, 1, 2, 3, 4, 255, 100_000]) {
      const value = base64(randomBytes(size))
      expect(await set('k', value)).toEqual({})
      expect(await get('k')).toEqual({ value_base64: value })
      expect(await get('k', { run_id: 'run-1' })).toEqual({ value_base64: value })
    }
    await set('in-run', 'AAAA', { run_id: 'run-1' })
    expect(await get('in-run')).toEqual({ value_base64: 'AAAA' })
  })

  test(`[storage.${area}.set-get] [storage.${area}.keys] [storage.${area}.delete] keys are listed, values belong to their owner`, async () => {
    expect(await keys()).toEqual({ keys: [] })
    await set('b', 'AAAA')
    await set('a', 'AAAA')
    expect(await keys()).toEqual({ keys: ['a', 'b'] })
    expect(await drop('a')).toEqual({})
    expect(await drop('a')).toEqual({})
    expect(await keys()).toEqual({ keys: ['b'] })
    expect(await reasonOf(get('a'))).toBe('not_found')

    const sibling = caller('sibling')
    const stranger = { ...caller('stranger'), workspace_uuid: 'w-2' }
    expect(await keys({}, sibling)).toEqual({ keys: area === 'workspace' ? ['b'] : [] })
    expect(await keys({}, stranger)).toEqual({ keys: [] })
    expect(await reasonOf(get('b', {}, stranger))).toBe('not_found')
  })

  test(`[storage.${area}.needs-grant] a run without the grant reads and writes nothing`, async () => {
    open('run-1', 'mine', {}, runGrant(DENIED))
    expect(await reasonOf(set('k', 'AAAA', { run_id: 'run-1' }))).toBe('permission_denied')
    expect(await keys()).toEqual({ keys: [] })
    await set('k', 'AAAA')
    expect(await reasonOf(get('k', { run_id: 'run-1' }))).toBe('permission_denied')
    expect(await reasonOf(drop('k', { run_id: 'run-1' }))).toBe('permission_denied')
    expect(await keys()).toEqual({ keys: ['k'] })
  })

  test.each(['A', 'AAA', 'AA=A', 'A A=', 'AAAA\n', '!!!!', 'AAAA='])(
    '%j is no base64 and leaves the old value',
    async (text) => {
      await set('k', 'AAAA')
      expect(await reasonOf(set('k', text))).toBe('invalid_params')
      expect(await get('k')).toEqual({ value_base64: 'AAAA' })
    },
  )

  test('size, number and sum of the values are limited, by name', async () => {
    const most = LIMITS.storage_value.value
    const value = base64(Buffer.alloc(most))
    await set('0', value)
    await expect(set('1', base64(Buffer.alloc(most + 1)))).rejects.toMatchObject({
      details: { reason: 'too_large', limit: 'storage_value' },
    })
    // 25 whole values fit into the total, the 26th does not.
    const fit = Math.floor(LIMITS.storage_total.value / most)
    const rows = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${fit - 1})`
    await store.commit([
      {
        sql: `${rows} insert into binary_storage (owner_key, key, workspace_uuid, value, bytes, updated_at) select owner_key, i, workspace_uuid, x'', bytes, 0 from binary_storage, n`,
        params: [],
      },
    ])
    expect(await reasonOf(set('more', value))).toBe('limit_reached')
    expect(await set('0', value)).toEqual({})
    expect(await set('small', 'AAAA')).toEqual({})
    expect((await keys()).keys).toHaveLength(fit + 1)
  })
})
