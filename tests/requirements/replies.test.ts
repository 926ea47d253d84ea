import { sampleEvent } from '@runbound/platform-kit/scriptable'
import { describe, expect, test } from 'vitest'
import { onEveryTransport } from './transports.ts'

onEveryTransport((bench) => {
  describe('ctx.reply', () => {
    test('[runner.reply] a text goes to the conversation of the event, and the result of the action comes back', async () => {
      const chat = await bench().chat()
      const inGroup = await chat.play('reply', { text: 'to the group' }, { group: 'g-1', thread_id: 't-1' })
      const alone = await chat.play('reply', { text: 'to Bob' }, { sender: 'u-2' })
      expect(chat.bot.messages).toMatchObject([
        {
          text: 'to the group',
          target: { target_type: 'group', target_id: 'g-1', thread_id: 't-1' },
          conversation_id: 'group_g-1',
          run_id: inGroup.run.run_id,
        },
        { text: 'to Bob', target: { target_type: 'person', target_id: 'u-2' }, run_id: alone.run.run_id },
      ])
      expect(inGroup.value).toMatchObject({ status: 'sent', message_id: chat.bot.messages[0]?.message_id })
    })

    test('[runner.reply.equals-event-reply] the tool event_reply has the same effect and the same result', async () => {
      const chat = await bench().chat()
      const byReply = await chat.play('reply', { text: 'same words' })
      const byTool = await chat.play('byTool', { text: 'same words' })
      const [one, two] = chat.bot.messages.map(
        ({ message_id: _id, delivery_key: _key, run_id: _run, target, ...rest }) => ({
          ...rest,
          changedAt: 0,
          target: { ...target, message_id: '' },
        }),
      )
      expect(one).toEqual(two)
      const shape = ({ value }: typeof byReply) => ({ ...Object(value), delivery_id: '', message_id: '' })
      expect(shape(byReply)).toEqual(shape(byTool))
      expect(Object.keys(Object(byReply.value))).toEqual(Object.keys(Object(byTool.value)))
    })

    test('[runner.reply.message-chain] the components of a chain arrive in their order', async () => {
      const chat = await bench().chat()
      expect((await chat.play('chain')).error).toBeNull()
      const parts = chat.bot.messages.flatMap(({ chain }) => chain)
      expect(parts).toMatchObject([
        { type: 'Plain', text: 'one ' },
        { type: 'At', target: 'u-9' },
        { type: 'Plain', text: ' two' },
        { type: 'Image', url: 'https://example.org/a.png' },
        { type: 'Plain', text: 'three' },
      ])
    })

    test('[runner.reply.quote-origin] quotes the event’s message when asked to, and nothing by default', async () => {
      const chat = await bench().chat()
      await chat.play('quoting', { text: 'quoted', quote: true }, { message_id: 'm-5' })
      await chat.play('quoting', { text: 'not quoted', quote: false }, { message_id: 'm-6' })
      await chat.play('quoting', { text: 'by default' }, { message_id: 'm-7' })
      expect(chat.bot.messages.map(({ text, quote_message_id }) => [text, quote_message_id])).toEqual([
        ['quoted', 'm-5'],
        ['not quoted', null],
        ['by default', null],
      ])
    })

    test('[runner.reply.needs-target] an event without a reply target: an error, and nothing is sent', async () => {
      const chat = await bench().chat({ config: { scene: 'reply {"text":"nowhere"}' } })
      const removed = await chat.emit(sampleEvent('friend.removed', { bot_uuid: chat.bot_uuid }))
      expect(removed.error).toMatchObject({ kind: 'PermissionDeniedError', code: 'permission_denied' })
      expect(chat.bot.calls.map(({ method }) => method)).toEqual(['start'])
      // The same Runner answers where there is somebody to answer to.
      const added = await chat.emit(sampleEvent('friend.added', { bot_uuid: chat.bot_uuid }))
      expect(added.error).toBeNull()
      expect(chat.bot.texts()).toEqual(['nowhere'])
    })

    test('without the grant nothing is sent, and with it the same call works', async () => {
      const [denied, granted] = [await bench().chat({ grants: { event_tools: [] } }), await bench().chat()]
      expect((await denied.play('reply', { text: 'no' })).error).toMatchObject({ code: 'permission_denied' })
      expect(denied.bot.calls.map(({ method }) => method)).toEqual(['start'])
      expect((await granted.play('reply', { text: 'yes' })).error).toBeNull()
      expect(granted.bot.texts()).toEqual(['yes'])
    })

    test('[runner.agent-text-not-sent] what the run of an agent returns is recorded and not sent', async () => {
      for (const runner of ['shape-value', 'yielding']) {
        const chat = await bench().chat({ runner })
        const { run } = await chat.play('anything')
        expect(run.status).toBe('completed')
        expect(run.produced).toContain(runner === 'yielding' ? 'yielded message' : 'hi')
        expect(chat.bot.calls.map(({ method }) => method)).toEqual(['start'])
      }
    })
  })

  describe('handlers of every shape', () => {
    test.each(['shape-nothing', 'shape-value', 'shape-promise', 'shape-iterable'])(
      '[D133] %s delivers "hi" once, where answers go out by themselves',
      async (runner) => {
        const chat = await bench().chat({ runner, options: { automatic_reply: true } })
        const { run } = await chat.play('anything')
        expect(run.status).toBe('completed')
        expect(chat.bot.texts()).toEqual(['hi'])
      },
    )
  })

  describe('the bot', () => {
    test('[runner.get-bot-uuid] the bot through which the event came', async () => {
      const [one, two] = [await bench().chat(), await bench().chat()]
      expect((await one.play('botUuid')).value).toBe(one.bot_uuid)
      expect((await two.play('botUuid')).value).toBe(two.bot_uuid)
    })

    test('[runner.get-bot-uuid.no-bot] an error in a run that no bot is associated with', async () => {
      const chat = await bench().chat()
      const { error, run } = await chat.debugScene('botUuid', {}, { bot_uuid: null })
      expect(error).toMatchObject({ kind: 'SdkError', code: 'no_bot' })
      expect(run.status).toBe('completed')
      expect((await chat.debugScene('botUuid')).value).toBe(chat.bot_uuid)
    })
  })

  describe('ctx.log', () => {
    test('[runner.log] an entry with the text in the log of this run, at level info by default', async () => {
      const chat = await bench().chat()
      const [one, two] = [await chat.play('log', { text: 'first run' }), await chat.play('log', { text: 'second run' })]
      expect(one.run.logs).toContainEqual({ level: 'info', text: 'first run' })
      expect(two.run.logs).toContainEqual({ level: 'info', text: 'second run' })
      expect(two.run.logs.map(({ text }) => text)).not.toContain('first run')
    })

    test('[runner.log.levels] the four levels are kept with the entry, any other fails and leaves none', async () => {
      const { run, value } = await (await bench().chat()).play('levels')
      const entries = run.logs.filter(({ text }) => text.startsWith('at '))
      expect(entries).toEqual(['debug', 'info', 'warning', 'error'].map((level) => ({ level, text: `at ${level}` })))
      expect(value).toMatchObject({ error: { kind: 'SdkError', code: 'invalid_argument' } })
    })

    test('[runner.log.not-sent] nothing of it appears in the chat', async () => {
      const chat = await bench().chat({ platform: 'streaming' })
      const { run } = await chat.play('levels')
      expect(run.logs.length).toBeGreaterThan(3)
      expect(chat.bot.calls.map(({ method }) => method)).toEqual(['start'])
    })
  })
})
