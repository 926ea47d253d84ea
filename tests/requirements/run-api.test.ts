import type { FakeTools } from '@runbound/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { onEveryTransport } from './transports.ts'

let called: unknown[] = []
const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const tools: FakeTools = {
  weather: {
    description: 'The weather of a city',
    parameters: CITY,
    call(parameters) {
      called.push(parameters)
      return { celsius: 21 }
    },
  },
}

onEveryTransport(
  (bench) => {
    beforeEach(() => {
      called = []
    })

    test('[run-api.bound] two runs side by side: each proxy has its own run id, context and grants', async () => {
      const [one, two] = [
        await bench().chat({ grants: { event_tools: ['event_get_actor', 'event_reply'], tools: [] } }),
        await bench().chat({ grants: { event_tools: ['event_reply'], tools: ['weather'] } }),
      ]
      const gate = crypto.randomUUID()
      const started = [
        await one.start('sideBySide', { gate }, { sender: 'ann' }),
        await two.start('sideBySide', { gate }, { sender: 'bob' }),
      ]
      const running = [await one.running(started[0] ?? ''), await two.running(started[1] ?? '')]
      await (await bench().chat()).play('open', { gate })
      const [first, second] = [await one.outcome(started[0] ?? ''), await two.outcome(started[1] ?? '')]
      expect(first.value).toMatchObject({
        run_id: running[0],
        record: running[0],
        actor: 'ann',
        actorTool: { value: { id: 'ann' } },
      })
      expect(second.value).toMatchObject({
        run_id: running[1],
        record: running[1],
        actor: 'bob',
        tools: ['event_reply', 'weather'],
        actorTool: { error: { code: 'permission_denied' } },
      })
      expect(running[0]).not.toBe(running[1])
      expect(one.bot.messages).toMatchObject([{ text: 'answer to ann', run_id: running[0] }])
      expect(two.bot.messages).toMatchObject([{ text: 'answer to bob', run_id: running[1] }])
    })

    test('[run-api.ctx] api.ctx is the run’s context, with its flags', async () => {
      const chat = await bench().chat({ grants: { history: false } })
      const { value, run } = await chat.play('apiCtx')
      expect(value).toMatchObject({
        run_id: run.run_id,
        same: true,
        flags: { history_page: false, state: true, run_get: true, run_finalize: false },
      })
    })

    describe('lists', () => {
      test('[run-api.get-allowed-tools] at once, without await: the granted tools with name and parameters', async () => {
        const chat = await bench().chat({ grants: { event_tools: ['event_reply'], tools: ['weather'] } })
        const { value } = await chat.play('allowed')
        expect(value).toMatchObject({ lists: [true, true, true] })
        const { tools: listed } = Object(value)
        expect(listed.map(({ tool_name }: { tool_name: string }) => tool_name)).toEqual(['event_reply', 'weather'])
        expect(listed).toMatchObject([{ parameters: { type: 'object', required: ['text'] } }, { parameters: CITY }])
      })

      test('[run-api.lists-may-be-empty] without grants they are empty lists', async () => {
        const chat = await bench().chat({ grants: { event_tools: [], tools: [], models: [], knowledge_bases: [] } })
        expect((await chat.play('allowed')).value).toEqual({
          tools: [],
          models: [],
          bases: [],
          lists: [true, true, true],
        })
        const bare = await bench().chat({ runner: 'bare' })
        const [log] = (await bare.play('anything')).run.logs
        expect(JSON.parse(log?.text ?? '{}').allowed).toEqual({ tools: [], models: [], bases: [], available: [] })
      })
    })

    describe('tools', () => {
      test('[run-api.get-tool-detail] description and schema of a granted tool; others are refused', async () => {
        const chat = await bench().chat({ grants: { tools: ['weather'] } })
        const detail = await chat.play('detail', { name: 'weather' })
        expect(detail.value).toMatchObject({ description: 'The weather of a city', parameters: CITY })
        const denied = await (await bench().chat({ grants: { tools: [] } })).play('detail', { name: 'weather' })
        expect(denied.error).toMatchObject({ kind: 'PermissionDeniedError', code: 'permission_denied' })
      })

      test('[run-api.call-tool] the result as an object, without session or query_id, {} for no parameters', async () => {
        const chat = await bench().chat()
        const actor = await chat.play('apiCall', { name: 'event_get_actor', parameters: {} }, { sender: 'u-6' })
        expect(actor.value).toMatchObject({ id: 'u-6', nickname: 'User u-6' })
        const weather = await chat.play('apiCall', { name: 'weather', parameters: { city: 'Oslo' } })
        expect(weather.value).toEqual({ celsius: 21 })
      })

      test('[run-api.call-tool.parameters-checked] another name or other parameters are refused before anything is done', async () => {
        const chat = await bench().chat()
        for (const parameters of [{}, { city: 5 }, { city: 'Oslo', more: true }, { town: 'Oslo' }]) {
          const { error } = await chat.play('apiCall', { name: 'weather', parameters })
          expect(error, JSON.stringify(parameters)).toMatchObject({
            kind: 'AgentAPIException',
            reason: 'invalid_params',
          })
        }
        const wrongName = await chat.play('apiCall', { name: 'wether', parameters: { city: 'Oslo' } })
        expect(wrongName.error).toMatchObject({ code: 'permission_denied' })
        const wrongReply = await chat.play('apiCall', { name: 'event_reply', parameters: { txt: 'hi' } })
        expect(wrongReply.error).toMatchObject({ reason: 'invalid_params' })
        const target = await chat.play('apiCall', {
          name: 'event_reply',
          parameters: { text: 'hi', target_id: 'somebody-else' },
        })
        expect(target.error).toMatchObject({ reason: 'invalid_params' })
        expect(called).toEqual([])
        expect(chat.bot.messages).toEqual([])
        // The same call with the right name and parameters is done.
        await chat.play('apiCall', { name: 'weather', parameters: { city: 'Oslo' } })
        expect(called).toEqual([{ city: 'Oslo' }])
      })
    })

    test('[run-api.same-as-context] a method of both gives the same result and the same refusal through either', async () => {
      for (const grants of [{}, { history: false, events: false, state: [], run_records: false, prompt: false }]) {
        const chat = await bench().chat({ grants: { ...grants, ...(grants.state ? { event_tools: [] } : {}) } })
        const { value, error } = await chat.play('bothDoors')
        expect(error).toBeNull()
        const doors: [string, unknown[]][] = Object.entries(Object(value))
        expect(doors.length).toBeGreaterThan(9)
        for (const [name, [own, api]] of doors) expect(own, name).toEqual(api)
        const refused = doors.filter(([, [own]]) => 'error' in Object(own)).map(([name]) => name)
        expect(refused).toEqual('history' in grants ? doors.map(([name]) => name) : ['runFinalize'])
      }
    })
  },
  { tools },
)
