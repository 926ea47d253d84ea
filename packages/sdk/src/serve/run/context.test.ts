/** The data of a context: defaults, input text, platform event, bot (entities.md §4.4). */

import { RunnerContextSchema } from '@runbound/protocol/schemas'
import { afterEach, expect, test } from 'vitest'
import { contextOf, type FakeHost, fakeHost } from '../../fake-host.ts'
import { defineRunner, type FullRunnerContext, type JsonObject } from '../../index.ts'

let host: FakeHost | undefined
afterEach(async () => {
  await host?.close()
  host = undefined
})

async function seen<T>(look: (ctx: FullRunnerContext) => Promise<T> | T, context: JsonObject = {}): Promise<T> {
  let value: { given: T } | undefined
  const runner = defineRunner({
    name: 'r',
    usages: ['agent'],
    async run(ctx) {
      value = { given: await look(ctx as FullRunnerContext) }
    },
  })
  host = await fakeHost(runner)
  const [end] = await host.run(context)
  if (value === undefined) throw new Error(String(end?.data.error))
  return value.given
}

const SMALLEST = {
  run_id: 'run-1',
  trigger: { type: 'message.received' },
  event: { event_id: 'e-1', event_type: 'message.received', source: 'platform' },
  input: {},
  delivery: { surface: 'platform' },
  resources: {},
  runtime: {},
}

test('the smallest context gets every documented default', async () => {
  const data = await seen(
    (ctx) => {
      const {
        api: _api,
        host: _host,
        signal: _signal,
        ...rest
      } = Object.fromEntries(
        Object.keys(SMALLEST)
          .concat([
            'conversation',
            'actor',
            'subject',
            'context',
            'state',
            'variables',
            'config',
            'adapter',
            'metadata',
          ])
          .map((key) => [key, Reflect.get(ctx, key)]),
      )
      return JSON.parse(JSON.stringify(rest))
    },
    { ...Object.fromEntries(Object.keys(contextOf()).map((key) => [key, undefined])), ...SMALLEST },
  )
  expect(data).toEqual(JSON.parse(JSON.stringify(RunnerContextSchema.parse(SMALLEST))))
})

test('[runner.context.input.to-text] the text, also an empty one, else the text parts joined with a space', async () => {
  const part = (text: string | null, type = 'text') => ({ type, text })
  const inputs: [JsonObject, string][] = [
    [{ text: 'hello', contents: [part('other')] }, 'hello'],
    [{ text: '', contents: [part('other')] }, ''],
    [{ text: null, contents: [part('a'), part('x', 'image_url'), part(null), part('b')] }, 'a b'],
    [{}, ''],
  ]
  for (const [input, text] of inputs) {
    expect(await seen((ctx) => ctx.input.toText(), { input })).toBe(text)
    await host?.close()
  }
})

test('[runner.context.platform-event] the event of its type; for anything else a clear error', async () => {
  const data = { type: 'group.member_joined', group: { id: 'g' }, member: { id: 'u', nickname: 'Ann' } }
  const event = { ...SMALLEST.event, event_type: 'group.member_joined', data }
  expect(await seen((ctx) => ctx.platform_event, { event })).toEqual(data)
  await host?.close()
  const answered = { ...SMALLEST.event, event_type: 'interaction.submitted', data: { values: {} } }
  const error = await seen(
    (ctx) => {
      try {
        return ctx.platform_event
      } catch (caught) {
        return caught
      }
    },
    { event: answered },
  )
  expect(error).toMatchObject({ code: 'no_platform_event' })
})

test('[runner.get-bot-uuid] the bot of the conversation, else of the event', async () => {
  expect(await seen((ctx) => ctx.getBotUuid(), { conversation: { bot_id: 'bot-9' } })).toBe('bot-9')
  await host?.close()
  expect(await seen((ctx) => ctx.getBotUuid(), { conversation: null })).toBe('bot-1')
})

test('[runner.context.run-id] [runner.context.config] data is as the host sent it', async () => {
  const given = await seen((ctx) => [ctx.run_id, ctx.config, ctx.event.event_type], { config: { timeout: 5 } })
  expect(given).toEqual(['run-1', { timeout: 5 }, 'message.received'])
})
