import { RunnerContextSchema } from '@runbound/protocol/schemas'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { calls, done, envelope, processor, type Script, type SmallHost, smallHost } from './fixtures.ts'

let host: SmallHost
beforeEach(async () => {
  host = await smallHost()
})
afterEach(() => host.close())

describe('context, trace and grant', () => {
  test('the context is what the schema says it is, for every kind of event', async () => {
    const lonely = envelope({
      conversation: null,
      actor: null,
      subject: null,
      reply_target: null,
      bot_uuid: null,
      raw_ref: null,
    })
    const debug = envelope({ source: 'webui', debug: { streaming: true } })
    for (const [event, key] of [
      [envelope(), 'w-1/b-1/group_g-1'],
      [lonely, null],
      [debug, 'w-1/!b-1/group_g-1'],
    ] as const) {
      await host.run(done, { envelope: event, conversation_key: key })
      const ctx = host.contexts.at(-1)
      expect(RunnerContextSchema.parse(ctx)).toEqual(ctx)
    }
  })

  test('[runner.context.trigger] [runner.context.event] [runner.context.conversation] [runner.context.actor] [runner.context.subject] [runner.context.input] [runner.context.adapter] [runner.context.config] [runner.context.metadata] [runner.context.runtime] [runner.context.context] fields come from the event and the processor', async () => {
    const options = { attempt: 2, processor: processor({ config: { greeting: 'Hi' } }) }
    await host.run(done, options)
    const [ctx] = host.contexts
    expect(ctx).toMatchObject({
      trigger: { type: 'message.received', source: 'platform', timestamp: 1_700_000_000 },
      event: {
        event_id: 'e-1',
        event_type: 'message.received',
        source: 'platform',
        raw_ref: { ref_id: 'm-1' },
        data: { message_id: 'm-1', chat_id: 'g-1' },
      },
      conversation: {
        conversation_id: 'group_g-1',
        thread_id: null,
        bot_id: 'b-1',
        workspace_id: 'w-1',
        sender_id: 'u-1',
      },
      actor: { actor_type: 'user', actor_id: 'u-1', actor_name: 'Ann' },
      subject: { subject_type: 'group', subject_id: 'g-1' },
      input: { text: 'hello' },
      adapter: { extra: { update_id: 7 } },
      config: { greeting: 'Hi' },
      metadata: {},
      runtime: { langbot_version: 'v0.1.0', trace_id: ctx?.run_id, metadata: { attempt: 2, component_kind: 'Runner' } },
      context: { conversation_id: 'group_g-1', latest_cursor: 'c-41', transcript_seq: 41, has_history_before: true },
    })
    await host.run(done, {
      envelope: envelope({ conversation: null, actor: null, subject: null }),
      conversation_key: null,
    })
    expect(host.contexts[1]).toMatchObject({ conversation: null, actor: null, subject: null })
    expect(host.contexts[1]?.context.available_apis.history_page).toBe(false)
  })

  test('[runner.context.delivery] says truly what the adapter can', async () => {
    const capable = { streaming: true, edit: true, max: 4_000 }
    for (const [more, expected] of [
      [{}, capable],
      [{ capabilities: () => undefined }, { streaming: false, edit: false, max: null }],
    ] as const) {
      const other = await smallHost({ needs: more })
      await other.run(done)
      expect(other.contexts[0]?.delivery).toMatchObject({
        supports_streaming: expected.streaming,
        supports_edit: expected.edit,
        supports_reaction: false,
        max_message_size: expected.max,
        surface: 'platform',
        reply_target: { target_type: 'group', target_id: 'g-1', message_id: 'm-1' },
      })
      await other.close()
    }
  })

  test('[runner.context.state] the snapshot is that of the start', async () => {
    const snapshot = (ctx: { state: object }) => structuredClone(ctx.state)
    const seen: object[] = []
    const script: Script = calls(async (ctx, plugin) => {
      await plugin.call('state_set', { scope: 'conversation', key: 'n', value: seen.length })
      seen.push(snapshot(ctx))
    })
    await host.run(script)
    await host.run(script)
    expect(seen).toMatchObject([{ conversation: {} }, { conversation: { n: 0 } }])
    expect(seen[0]).toEqual({ conversation: {}, actor: {}, subject: {}, runner: {} })
  })

  test('each host call stands in the trace; refusals also in the trail', async () => {
    const outcome = await host.run(
      calls(async (_ctx, plugin) => {
        await plugin.call('state_get', { scope: 'runner', key: 'k' })
        await plugin.call('run_finalize').catch(() => {})
      }),
    )
    expect(await host.runs.trace(outcome.run_id)).toMatchObject([
      { method: 'state_get', target: 'runner/k', outcome: 'ok' },
      { method: 'run_finalize', outcome: 'denied', reason: 'permission_denied' },
    ])
    const trail = await host.store.all<{ code: string; message: string }>({
      sql: 'select code, message from trail',
      params: [],
    })
    expect(trail).toMatchObject([{ code: 'call_denied' }])
    const explained = await host.runs.explain(outcome.run_id)
    expect(explained?.lines).toContainEqual({
      thing: 'flag:run_finalize',
      allowed: false,
      by: 'operator',
      why: 'ordinary runs may not write run records',
    })
    expect(explained?.lines).toContainEqual({ thing: 'flag:run_get', allowed: true })
  })

  test('the trace is capped and says so', async () => {
    const outcome = await host.run(
      calls(async (_ctx, plugin) => {
        for (let n = 0; n < 1_005; n++) await plugin.call('state_get', { scope: 'runner', key: 'k' })
      }),
    )
    const trace = await host.runs.trace(outcome.run_id)
    expect(trace).toHaveLength(1_001)
    expect(trace.at(-1)).toMatchObject({ method: '(trace)', reason: '5 more calls are not kept' })
  })
})
