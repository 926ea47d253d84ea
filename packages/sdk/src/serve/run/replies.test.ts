/** Replies and the record that they leave (wire.md §6.5, §6.6). */
import { afterEach, expect, test } from 'vitest'
import { type Answer, type FakeHost, fakeHost, granted } from '../../fake-host.ts'
import {
  type CanReply,
  defineRunner,
  type JsonObject,
  type ReplyStream,
  type RunnerResult,
  SdkError,
} from '../../index.ts'

let host: FakeHost | undefined
afterEach(async () => {
  await host?.close()
  host = undefined
})

async function replying(
  run: (ctx: CanReply) => Promise<unknown>,
  answers: Readonly<Record<string, Answer>>,
): Promise<{ value: unknown; results: RunnerResult[]; sent: unknown[] }> {
  let value: unknown
  const runner = defineRunner({
    name: 'r',
    usages: ['agent'],
    capabilities: { tool_calling: true },
    permissions: { tools: ['call'] },
    async run(ctx) {
      value = await run(ctx).catch((error: unknown) => error)
    },
  })
  host = await fakeHost(runner, { answers })
  const results = await host.run()
  return { value, results, sent: host.asked.map(({ data }) => [data.operation, data.text]) }
}

const open: Answer = ({ stream_id, operation, text }) => ({
  result: {
    stream_id,
    status: operation === 'update' ? 'open' : 'completed',
    delivery: 'streaming',
    mock: false,
    text,
  },
})
const reply_stream = { reply_stream: open }
const shape = ({ type, data }: RunnerResult) => [type, data.tool_name, data.parameters ?? data.error ?? data.result]

test('a reply leaves the start and the result of event_reply, with one id', async () => {
  const { results } = await replying((ctx) => ctx.reply('hi'), { call_tool: () => ({ result: { message_id: 'm-2' } }) })
  expect(results.map(shape)).toEqual([
    ['tool.call.started', 'event_reply', { text: 'hi' }],
    ['tool.call.completed', 'event_reply', { message_id: 'm-2' }],
    ['run.completed', undefined, undefined],
  ])
  const [started, done] = results
  expect(started?.data.tool_call_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(done?.data.tool_call_id).toBe(started?.data.tool_call_id)
})

test('[errors.timed-out-send] a refused reply is recorded with its error, reaches the author, and is sent once', async () => {
  const error = {
    code: 'deadline_exceeded',
    message: 'nobody knows',
    retryable: true,
    details: { reason: 'delivery_unknown' },
  }
  const { value, results } = await replying((ctx) => ctx.reply([{ type: 'AtAll' }]), {
    call_platform_api: () => {
      throw Object.assign(new Error('nobody knows'), { [Symbol.for('runbound.wire-error')]: true, toData: () => error })
    },
  })
  expect(value).toMatchObject({ name: 'AgentAPIException', error })
  expect(results.map(shape)[1]).toEqual(['tool.call.completed', 'event_reply', 'nobody knows'])
  expect(host?.asked).toHaveLength(1)
})

test('[runner.reply-stream] [runner.reply-stream.full-text] [runner.reply-stream.update-result] [runner.reply-stream.records-action] updates carry the whole text, the return finishes', async () => {
  const seen: unknown[] = []
  let kept: ReplyStream | undefined
  const { value, results, sent } = await replying(
    (ctx) =>
      ctx.replyStream(async (reply) => {
        kept = reply
        seen.push((await reply.update('A'))?.status, reply.result)
        await reply.update('A B')
        return 'mine'
      }),
    reply_stream,
  )
  expect(value).toBe('mine')
  expect(seen).toEqual(['open', null])
  expect(sent).toEqual([
    ['update', 'A'],
    ['update', 'A B'],
    ['finish', 'A B'],
  ])
  expect(new Set(host?.asked.map(({ data }) => data.stream_id)).size).toBe(1)
  expect(kept?.result).toMatchObject({ status: 'completed', text: 'A B' })
  expect(results.map(shape).slice(0, 2)).toEqual([
    ['tool.call.started', 'event_reply', { stream: true }],
    ['tool.call.completed', 'event_reply', kept?.result],
  ])
})

test('a stream without updates finishes with an empty text', async () => {
  const { sent } = await replying((ctx) => ctx.replyStream(async () => {}), reply_stream)
  expect(sent).toEqual([['finish', '']])
})

test('[runner.reply-stream.failure-discards-buffer] a throw aborts, is thrown on, and is recorded', async () => {
  const { value, results, sent } = await replying(
    (ctx) =>
      ctx.replyStream(async (reply) => {
        await reply.update('half')
        throw new Error('lost the thread')
      }),
    reply_stream,
  )
  expect(value).toMatchObject({ message: 'lost the thread' })
  expect(sent).toEqual([
    ['update', 'half'],
    ['abort', 'half'],
  ])
  expect(results.map(shape)[1]).toEqual(['tool.call.completed', 'event_reply', 'lost the thread'])
})

test('[runner.reply-stream.finish-on-exit] an update after the end is refused and sends nothing', async () => {
  const { value, sent } = await replying(async (ctx) => {
    const reply = await ctx.replyStream((open) => open)
    return reply.update('late')
  }, reply_stream)
  expect(SdkError.isInstance(value) && value.code).toBe('stream_closed')
  expect(sent).toEqual([['finish', '']])
})

test('updates go out one after another, also without await', async () => {
  let open_ = 0
  let most = 0
  const { sent } = await replying(
    (ctx) =>
      ctx.replyStream((reply) => {
        for (const text of ['1', '2', '3']) void reply.update(text)
      }),
    {
      reply_stream: async ({ stream_id }) => {
        most = Math.max(most, ++open_)
        await new Promise((resolve) => setTimeout(resolve, 5))
        open_--
        return { result: { stream_id, status: 'open', delivery: 'buffered', mock: false } }
      },
    },
  )
  expect(sent).toEqual([
    ['update', '1'],
    ['update', '2'],
    ['update', '3'],
    ['finish', '3'],
  ])
  expect(most).toBe(1)
})

test('a failed update without await fails the reply', async () => {
  const { value } = await replying(
    (ctx) =>
      ctx.replyStream((reply) => {
        reply.update('x').catch(() => {})
      }),
    {
      reply_stream: () => {
        throw new Error('refused')
      },
    },
  )
  expect(value).toMatchObject({ name: 'AgentAPIException', error: { code: 'host.action_error' } })
})

test('a large message is sent whole, and recorded by a note', async () => {
  const url = `data:image/png;base64,${'A'.repeat(1_500_000)}`
  const { results } = await replying((ctx) => ctx.reply([{ type: 'Image', base64: url }]), {
    call_platform_api: () => ({ result: {} }),
  })
  const params = host?.asked[0]?.data.params as JsonObject
  expect(params.message).toMatchObject([{ base64: url }])
  expect(results[0]?.data.parameters).toEqual({ not_recorded: 'larger than 1048576 bytes' })
  expect(results.at(-1)?.type).toBe('run.completed')
})

test('platform calls are recorded as platform_<action> with bot and parameters', async () => {
  const runner = defineRunner({
    name: 'r',
    usages: ['agent'],
    capabilities: { tool_calling: true },
    permissions: { tools: ['call'] },
    async run(ctx) {
      await ctx.host.callPlatformApi('b', 'get_user_info', { user_id: 'u' })
    },
  })
  host = await fakeHost(runner, { answers: { call_platform_api: () => ({ result: { id: 'u' } }) } })
  const results = await host.run({ resources: granted() })
  expect(results.map(shape).slice(0, 2)).toEqual([
    ['tool.call.started', 'platform_get_user_info', { bot_uuid: 'b', user_id: 'u' }],
    ['tool.call.completed', 'platform_get_user_info', { id: 'u' }],
  ])
})
