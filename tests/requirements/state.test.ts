import type { JsonObject } from '@runbound/protocol'
import { describe, expect, test } from 'vitest'
import type { Chat } from './bench.ts'
import { onEveryTransport } from './transports.ts'

const SCOPES = ['conversation', 'actor', 'subject', 'runner'] as const

onEveryTransport((bench) => {
  test('[runner.state.set] [runner.state.get] what is stored is read; null for what never was', async () => {
    const chat = await bench().chat()
    expect((await chat.play('stateGet', { scope: 'runner', key: 'k' })).value).toEqual({ value: null })
    expect((await chat.play('stateSet', { scope: 'runner', key: 'k', value: 1 })).value).toEqual({ success: true })
    expect((await chat.play('stateGet', { scope: 'runner', key: 'k' })).value).toEqual({ value: 1 })
    await chat.play('stateSet', { scope: 'runner', key: 'k', value: 'two' })
    expect((await chat.play('stateGet', { scope: 'runner', key: 'k' })).value).toEqual({ value: 'two' })
    expect((await chat.play('stateGet', { scope: 'runner', key: 'other' })).value).toEqual({ value: null })
  })

  test('[runner.state.delete] answers with success, and the key is gone', async () => {
    const chat = await bench().chat()
    await chat.play('stateSet', { scope: 'runner', key: 'k', value: 1 })
    await chat.play('stateSet', { scope: 'runner', key: 'stays', value: 2 })
    expect((await chat.play('stateDelete', { scope: 'runner', key: 'k' })).value).toEqual({ success: true })
    expect((await chat.play('stateGet', { scope: 'runner', key: 'k' })).value).toEqual({ value: null })
    expect((await chat.play('stateList', { scope: 'runner' })).value).toMatchObject({ keys: ['stays'] })
    expect((await chat.play('stateDelete', { scope: 'runner', key: 'k' })).value).toEqual({ success: false })
  })

  describe('values', () => {
    test.each([
      [null],
      [0],
      [-1.5e-9],
      [true],
      [''],
      ['天气 👋\u0000'],
      [[]],
      [[1, [null, { a: [] }]]],
      [{ deep: { er: [{}] } }],
    ])('[runner.state.json-values] %j comes back unchanged', async (value) => {
      const chat = await bench().chat()
      expect((await chat.play('stateRoundTrip', { value })).value).toEqual(value)
    })

    test('[runner.state.json-values] what JSON can’t hold fails with an error, and nothing is stored', async () => {
      const { value } = await (await bench().chat()).play('stateNotJson')
      const { tries, kept } = Object(value)
      expect(tries).toHaveLength(6)
      for (const one of tries) expect(one).toMatchObject({ error: { kind: 'SdkError', code: 'not_json' } })
      expect(kept).toEqual({ value: null })
    })
  })

  describe('lists', () => {
    test('[runner.state.list] the keys of the scope, 100 at most, and whether there are more', async () => {
      const chat = await bench().chat()
      expect((await chat.play('stateList', { scope: 'runner' })).value).toEqual({ keys: [], has_more: false })
      const { keys, has_more } = Object((await chat.play('stateMany', { count: 103 })).value)
      expect(keys).toHaveLength(100)
      expect(new Set(keys).size).toBe(100)
      expect(has_more).toBe(true)
      const three = Object((await chat.play('stateList', { scope: 'runner', options: { limit: 3 } })).value)
      expect(three.keys).toHaveLength(3)
      expect(three.has_more).toBe(true)
      expect((await chat.play('stateList', { scope: 'conversation' })).value).toEqual({ keys: [], has_more: false })
    })

    test('[runner.state.list.prefix] exactly the keys that begin with it; all without', async () => {
      const chat = await bench().chat()
      for (const key of ['external.a', 'external.b', 'externals', 'internal', 'External.c', 'external%'])
        await chat.play('stateSet', { scope: 'runner', key, value: 1 })
      const list = async (options: JsonObject) =>
        Object((await chat.play('stateList', { scope: 'runner', options })).value).keys.sort()
      expect(await list({ prefix: 'external.' })).toEqual(['external.a', 'external.b'])
      expect(await list({ prefix: 'external%' })).toEqual(['external%'])
      expect(await list({ prefix: null })).toHaveLength(6)
      expect(await list({})).toHaveLength(6)
    })
  })

  describe('scopes', () => {
    test('[runner.state.scopes] four independent values, shared exactly by the same object', async () => {
      const chat = await bench().chat()
      const another = await bench().chat()
      await chat.play('stateSetAll', { key: 'k', name: 'ann in g-1' }, { group: 'g-1', sender: 'ann' })
      const read = async (where: Parameters<Chat['play']>[2], from = chat) =>
        Object((await from.play('stateAll', { key: 'k' }, where)).value)
      const has = async (where: Parameters<Chat['play']>[2], from = chat) => {
        const values = await read(where, from)
        return SCOPES.filter((scope) => values[scope].value === `${scope} of ann in g-1`)
      }
      expect(await has({ group: 'g-1', sender: 'ann' })).toEqual([...SCOPES])
      expect(await has({ group: 'g-1', sender: 'bob' })).toEqual(['conversation', 'subject', 'runner'])
      expect(await has({ group: 'g-1', sender: 'ann', thread_id: 't-1' })).toEqual(['actor', 'subject', 'runner'])
      expect(await has({ group: 'g-2', sender: 'ann' })).toEqual(['actor', 'runner'])
      expect(await has({ group: 'g-2', sender: 'bob' })).toEqual(['runner'])
      // What is not shared was never stored there.
      expect(await read({ group: 'g-2', sender: 'bob' })).toMatchObject({
        actor: { value: null },
        subject: { value: null },
      })
      expect(await has({ group: 'g-1', sender: 'ann' }, another)).toEqual([])
    })

    test('[runner.state.scopes] any other scope is refused, and nothing is stored', async () => {
      const chat = await bench().chat()
      for (const scope of ['room', 'Runner', '']) {
        const { error } = await chat.play('stateSet', { scope, key: 'k', value: 1 })
        expect(error, scope).toMatchObject({ kind: 'SdkError', code: 'invalid_argument' })
      }
      expect((await chat.play('stateList', { scope: 'runner' })).value).toMatchObject({ keys: [] })
    })

    test('a scope that the operator switched off is refused, the others work', async () => {
      const chat = await bench().chat({ grants: { state: ['runner'] } })
      const denied = await chat.play('stateSet', { scope: 'conversation', key: 'k', value: 1 })
      expect(denied.error).toMatchObject({ kind: 'AgentAPIException', reason: 'permission_denied' })
      expect((await chat.play('stateSet', { scope: 'runner', key: 'k', value: 1 })).value).toEqual({ success: true })
    })
  })

  test('[runner.state.persisted] a value is there in a later run, and after a restart of the host', async () => {
    const chat = await bench().chat()
    await chat.play('stateSetAll', { key: 'k', name: 'before' }, { group: 'g-1', sender: 'ann' })
    const read = async () => Object((await chat.play('stateAll', { key: 'k' }, { group: 'g-1', sender: 'ann' })).value)
    const before = await read()
    expect(SCOPES.map((scope) => before[scope].value)).toEqual(SCOPES.map((scope) => `${scope} of before`))
    await bench().restart()
    expect(await read()).toEqual(before)
  })
})
