import { sampleEvent } from '@runbound/platform-kit/scriptable'
import { describe, expect, test, vi } from 'vitest'
import type { Chat } from './bench.ts'
import { onEveryTransport } from './transports.ts'

/** Waits for what the chat shows while the run is still going. */
async function shown(chat: Chat, text: string): Promise<void> {
  await vi.waitFor(() => expect(chat.bot.texts()).toEqual([text]), { timeout: 5_000, interval: 5 })
}

const methods = (chat: Chat) => chat.bot.calls.map(({ method }) => method).filter((method) => method !== 'start')

onEveryTransport((bench) => {
  describe('on a platform that streams', () => {
    test('[runner.reply-stream.native-updates] [runner.reply-stream] the message changes while the stream is open', async () => {
      const chat = await bench().chat({ platform: 'streaming' })
      const gate = crypto.randomUUID()
      const event_id = await chat.start('stream', { texts: ['A', 'A B', 'A B C'], gate })
      await vi.waitFor(() => expect(chat.bot.messages).toMatchObject([{ text: 'A B', state: 'open' }]), {
        timeout: 5_000,
        interval: 5,
      })
      await chat.play('open', { gate }, { sender: 'u-2' })
      const { error } = await chat.outcome(event_id)
      expect(error).toBeNull()
      expect(chat.bot.messages).toMatchObject([{ text: 'A B C', state: 'finished' }])
      expect(chat.bot.violations).toEqual([])
    })

    test('[runner.reply-stream.full-text] [D26] each text replaces the one before, whatever grows or shrinks', async () => {
      const chat = await bench().chat({ platform: 'streaming' })
      await chat.play('stream', { texts: ['A', 'A B'] })
      expect(chat.bot.texts()).toEqual(['A B'])
      await chat.play('stream', { texts: ['a', 'ab', 'abc', 'abc'], pause: 40 })
      await chat.play('stream', { texts: ['a long draft', 'short'] })
      expect(chat.bot.texts()).toEqual(['A B', 'abc', 'short'])
      // Nor was anything else shown on the way there.
      const onTheWay = chat.bot.calls.map(({ args }) => args.text).filter((text) => text !== undefined)
      const given = ['A', 'A B', 'a', 'ab', 'abc', 'a long draft', 'short']
      expect(onTheWay.filter((text) => !given.includes(String(text)))).toEqual([])
      expect(onTheWay.length).toBeGreaterThanOrEqual(6)
    })

    test('[runner.reply-stream.finish-on-exit] it is complete with the last text, and takes no more updates', async () => {
      const chat = await bench().chat({ platform: 'streaming' })
      const { value } = await chat.play('stream', { texts: ['one', 'one two'] })
      expect(value).toMatchObject({
        returned: 'returned',
        late: { error: { kind: 'SdkError', code: 'stream_closed' } },
      })
      expect(chat.bot.messages).toMatchObject([{ text: 'one two', state: 'finished' }])
    })

    test('[runner.reply-stream.failure-after-display] an error after text was shown closes the message; no second one', async () => {
      const chat = await bench().chat({ platform: 'streaming' })
      const gate = crypto.randomUUID()
      const event_id = await chat.start('streamFailing', { text: 'shown already', gate })
      await shown(chat, 'shown already')
      await chat.play('open', { gate }, { sender: 'u-2' })
      const { error, run } = await chat.outcome(event_id)
      expect(error).toMatchObject({ kind: 'other', message: 'the block failed' })
      expect(run.status).toBe('completed')
      expect(chat.bot.messages).toMatchObject([{ text: 'shown already', state: 'aborted' }])
      expect(methods(chat)).toEqual(['openStream', 'stream.abort'])
    })

    test('[runner.reply-stream.failure-after-display] a cancel closes the message, too', async () => {
      const chat = await bench().chat({ platform: 'streaming' })
      const event_id = await chat.start('streamCancelled', { text: 'shown already' })
      await shown(chat, 'shown already')
      await bench().t.host.runs.cancel(await chat.running(event_id), { kind: 'operator' }, 'enough')
      const { run } = await chat.outcome(event_id)
      expect(run.status).toBe('cancelled')
      await vi.waitFor(() => expect(chat.bot.messages).toMatchObject([{ text: 'shown already', state: 'aborted' }]))
      expect(chat.bot.messages).toHaveLength(1)
    })

    test('[runner.reply-stream.buffered-for-other-events] for an event that is no message the text is sent once, at the end', async () => {
      const gate = crypto.randomUUID()
      const scene = `stream ${JSON.stringify({ texts: ['Wel', 'Welcome'], gate })}`
      const chat = await bench().chat({ platform: 'streaming', usage: 'event', config: { scene } })
      const opener = await bench().chat()
      const joined = chat.emit(sampleEvent('group.member_joined', { bot_uuid: chat.bot_uuid }))
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(methods(chat)).toEqual([])
      await opener.play('open', { gate })
      expect((await joined).error).toBeNull()
      expect(chat.bot.messages).toMatchObject([{ text: 'Welcome', state: 'whole', target: { target_id: 'g-1' } }])
      expect(methods(chat)).toEqual(['send'])
    })
  })

  describe('on a platform that does not', () => {
    test('[runner.reply-stream.buffered-when-unsupported] nothing before the end, then one message with the full text', async () => {
      const chat = await bench().chat()
      const gate = crypto.randomUUID()
      const event_id = await chat.start('stream', { texts: ['one', 'one two', 'one two three'], gate })
      await chat.running(event_id)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(methods(chat)).toEqual([])
      await chat.play('open', { gate }, { sender: 'u-2' })
      expect((await chat.outcome(event_id)).error).toBeNull()
      expect(chat.bot.messages).toMatchObject([{ text: 'one two three', state: 'whole' }])
      expect(methods(chat)).toEqual(['send'])
    })

    test('[runner.reply-stream.failure-discards-buffer] an error or a cancel: what is buffered is never sent', async () => {
      const chat = await bench().chat()
      expect((await chat.play('streamFailing', { text: 'never' })).error).toMatchObject({ message: 'the block failed' })
      const event_id = await chat.start('streamCancelled', { text: 'never either' })
      await bench().t.host.runs.cancel(await chat.running(event_id), { kind: 'operator' }, null)
      expect((await chat.outcome(event_id)).run.status).toBe('cancelled')
      // A later answer of the same chat comes through: nothing was held back before it.
      await chat.play('stream', { texts: ['sent'] })
      expect(chat.bot.texts()).toEqual(['sent'])
      expect(methods(chat)).toEqual(['send'])
    })
  })

  describe('on both', () => {
    test.each(['plain', 'streaming'] as const)(
      '[runner.reply-stream.update-result] %s: each update answers, and the result is set after a normal exit',
      async (platform) => {
        const chat = await bench().chat({ platform })
        const { value } = await chat.play('stream', { texts: ['one', 'one two'] })
        const { results, result } = Object(value)
        expect(results).toMatchObject([{ status: 'open' }, { status: 'open' }])
        expect(result).toMatchObject({
          status: 'completed',
          text: 'one two',
          message_id: chat.bot.messages[0]?.message_id,
        })
      },
    )

    test.each(['plain', 'streaming'] as const)(
      '[runner.reply-stream.records-action] %s: start and result of the action stand among the run’s events',
      async (platform) => {
        const chat = await bench().chat({ platform })
        const { run } = await chat.play('stream', { texts: ['one', 'one two'] })
        const action = run.ledger.filter(({ type }) => type.startsWith('tool.call.'))
        expect(action).toMatchObject([
          { type: 'tool.call.started', data: { tool_name: 'event_reply' } },
          { type: 'tool.call.completed', data: { tool_name: 'event_reply', error: null } },
        ])
        expect(action[1]?.data.result).toMatchObject({ status: 'completed', text: 'one two' })
        expect(action[0]?.data.tool_call_id).toBe(action[1]?.data.tool_call_id)
      },
    )

    test.each(['plain', 'streaming'] as const)(
      '[runner.reply-stream.debug-simulates] %s: a debug run gets plausible results, and the adapter is not called',
      async (platform) => {
        const chat = await bench().chat({ platform })
        const streamed = await chat.debugScene('stream', { texts: ['one', 'one two'] })
        expect(streamed.value).toMatchObject({
          results: [
            { status: 'open', mock: true },
            { status: 'open', mock: true },
          ],
          result: { status: 'completed', delivery: 'simulated', text: 'one two' },
        })
        const replied = await chat.debugScene('reply', { text: 'simulated' })
        expect(replied.error).toBeNull()
        expect(Object(replied.value).status).toBe('simulated')
        expect(methods(chat)).toEqual([])
        // Positive control: the same Runner on the same bot speaks when the event is real.
        await chat.play('reply', { text: 'real' })
        expect(chat.bot.texts()).toEqual(['real'])
      },
    )
  })
})
