import { beforeEach, describe, expect, test } from 'vitest'
import { FACTS } from '../gateway/fixtures.ts'
import { reasonOf, type ToolHost, toolHost } from './fixtures.ts'

let host: ToolHost
beforeEach(() => {
  host = toolHost()
})

describe('replies', () => {
  test('[runner.reply] [runner.reply.equals-event-reply] a text goes to the event’s target, by either call', async () => {
    const living = host.run()
    const byTool = await host.tool('event_reply', { text: 'hi' })
    const byChain = await host.platform({
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message: [{ type: 'Plain', text: 'hi' }], quote_origin: false },
    })
    expect(byTool).toEqual({ result: { status: 'sent', delivery_id: 'd-1', message_id: 'sent-1', parts: 1 } })
    expect(byChain).toEqual(byTool)
    expect(
      host.replies.map(({ scope, chain, quote_origin }) => ({ target: scope.target, chain, quote_origin })),
    ).toEqual(
      Array(2).fill({
        target: { target_type: 'group', target_id: 'g-1' },
        chain: [{ type: 'Plain', text: 'hi' }],
        quote_origin: false,
      }),
    )
    expect(host.replies[0]?.scope).toMatchObject({
      run_id: 'run-1',
      event_id: 'e-1',
      processor_id: 'p-1',
      conversation_key: FACTS.conversation_key,
      debug: false,
    })
    expect(host.replies[0]?.waitMs).toBe(179_000)
    expect(living.marks.count).toBe(2)
  })

  test('[runner.reply.quote-origin] quotes only where the event has a message', async () => {
    host.run()
    const message = [{ type: 'Plain', text: 'hi' }]
    await host.platform({
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message, quote_origin: true },
    })
    expect(host.replies[0]?.quote_origin).toBe(true)
    await host.gateway.close('run-1', 'ended')
    host.run({}, { message_id: null, event_type: 'group.member_joined' }, [], 'run-2')
    const quoted = host.call('call_platform_api', {
      run_id: 'run-2',
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message, quote_origin: true },
    })
    expect(await reasonOf(quoted)).toBe('invalid_params')
    expect(host.replies).toHaveLength(1)
  })

  test('[runner.reply.needs-target] without a target nothing is sent, whichever way', async () => {
    host.run({}, { reply_target: null })
    expect(await reasonOf(host.tool('event_reply', { text: 'hi' }))).toBe('no_reply_target')
    expect(
      await reasonOf(
        host.platform({
          action: 'send_message',
          context_tool: 'event_reply',
          params: { message: [{ type: 'Plain', text: 'x' }] },
        }),
      ),
    ).toBe('no_reply_target')
    expect(
      await reasonOf(host.call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'update', text: 'x' })),
    ).toBe('no_reply_target')
    expect([host.replies, host.streams]).toEqual([[], []])
  })

  test('[errors.timed-out-send] what the platform refused or may have taken is an error, and was sent once', async () => {
    host.run()
    host.answers.delivered = { status: 'failed', reason: 'refused', error: 'blocked' }
    expect(await reasonOf(host.tool('event_reply', { text: 'hi' }))).toBe('delivery_failed')
    host.answers.delivered = { status: 'unknown', reason: 'unknown_outcome' }
    expect(await reasonOf(host.tool('event_reply', { text: 'hi' }))).toBe('delivery_unknown')
    expect(host.replies).toHaveLength(2)
    host.answers.delivered = { status: 'queued', message_id: null }
    expect(await host.tool('event_reply', { text: 'hi' })).toMatchObject({ result: { status: 'queued' } })
  })

  test('a chain that does not fit names the component; files need a box', async () => {
    host.run()
    const bad = host.platform({
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message: [{ type: 'Plain' }] },
    })
    await expect(bad).rejects.toMatchObject({ details: { reason: 'invalid_params', field: 'params.message.0.text' } })
    const files = host.platform({
      action: 'send_message',
      context_tool: 'event_reply',
      params: { message: [] },
      file_ids: ['f'],
    })
    expect(await reasonOf(files)).toBe('not_available')
    expect(host.replies).toEqual([])
  })

  test('streams go to the event’s target with the whole text', async () => {
    host.run()
    expect(
      await host.call('reply_stream', { run_id: 'run-1', stream_id: 's-1', operation: 'update', text: 'Hel' }),
    ).toEqual({
      result: { stream_id: 's-1', status: 'open', delivery: 'streaming', mock: false },
    })
    expect(host.streams).toMatchObject([
      { stream_id: 's-1', operation: 'update', text: 'Hel', scope: { target: { target_id: 'g-1' } } },
    ])
    expect(
      await reasonOf(
        host.call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'update', text: 'x'.repeat(200_001) }),
      ),
    ).toBe('invalid_params')
  })

  test('[runner.reply.needs-event-reply] [runner.reply-stream.requires] without event_reply nothing is sent', async () => {
    host.run({ event_tools: [] })
    const message = [{ type: 'Plain', text: 'x' }]
    expect(await reasonOf(host.tool('event_reply', { text: 'hi' }))).toBe('permission_denied')
    expect(
      await reasonOf(host.platform({ action: 'send_message', context_tool: 'event_reply', params: { message } })),
    ).toBe('permission_denied')
    expect(
      await reasonOf(
        host.platform({ action: 'send_message', params: { message, target_type: 'group', target_id: 'g-1' } }),
      ),
    ).toBe('permission_denied')
    expect(
      await reasonOf(host.call('reply_stream', { run_id: 'run-1', stream_id: 's', operation: 'update', text: 'x' })),
    ).toBe('permission_denied')
    expect([host.replies, host.streams]).toEqual([[], []])
  })
})
