import { describe, expect, test } from 'vitest'
import type { ToldError } from './plugins/play.ts'
import { onEveryTransport } from './transports.ts'

const tools = {
  picky: {
    description: 'Takes one argument, and breaks',
    parameters: {
      type: 'object',
      properties: { right: { type: 'boolean' } },
      required: ['right'],
      additionalProperties: false,
    },
    call() {
      throw new Error('the tool broke')
    },
  },
}

onEveryTransport(
  (bench) => {
    test('[errors.agent-api-exception] [errors.agent-api-exception.fields] refused or failed there: an exception that the Runner can catch, and go on', async () => {
      const chat = await bench().chat()
      const { value, run } = await chat.play('refusedThenGoesOn', { name: 'picky' })
      const { refused, failed } = Object(value) as Record<'refused' | 'failed', { error: ToldError }>
      for (const { error } of [refused, failed]) {
        expect(error.kind).toBe('AgentAPIException')
        expect(typeof error.code).toBe('string')
        expect(error.code).not.toBe('')
        expect(error.message.length).toBeGreaterThan(10)
        expect(typeof error.retryable).toBe('boolean')
        expect(error.details).toMatchObject({ reason: error.reason })
      }
      expect(refused.error.reason).toBe('invalid_params')
      expect(failed.error).toMatchObject({ reason: 'tool_failed', message: expect.stringContaining('the tool broke') })
      expect(run.status).toBe('completed')
      expect(chat.bot.texts()).toEqual(['went on'])
    })

    test('a Runner that does not catch it fails its run with that message', async () => {
      const chat = await bench().chat()
      chat.bot.script('send', { do: 'error', kind: 'refused', message: 'not in this chat' })
      const { error } = await chat.play('reply', { text: 'x' })
      expect(error).toMatchObject({ kind: 'AgentAPIException', reason: 'delivery_failed' })
      expect(error?.message).toContain('not in this chat')
    })

    describe('a send whose outcome nobody knows', () => {
      test('[errors.timed-out-send] the platform took it and the answer got lost: unknown, and sent once', async () => {
        const chat = await bench().chat()
        chat.bot.script('send', { do: 'error', kind: 'unknown_outcome', message: 'timed out', taken: true })
        const { error } = await chat.play('reply', { text: 'once' })
        expect(error).toMatchObject({ kind: 'AgentAPIException', reason: 'delivery_unknown' })
        await new Promise((resolve) => setTimeout(resolve, 300))
        // A later answer goes out; the unknown one is not sent again, neither before nor with it.
        await chat.play('reply', { text: 'later' })
        expect(chat.bot.texts()).toEqual(['once', 'later'])
        expect(chat.bot.calls.filter(({ method }) => method === 'send')).toHaveLength(2)
      })

      test('[errors.timed-out-send] nor is it sent again after a restart of the host', async () => {
        const chat = await bench().chat()
        chat.bot.script('send', { do: 'error', kind: 'unknown_outcome', message: 'timed out', taken: true })
        expect((await chat.play('reply', { text: 'once' })).error).toMatchObject({ reason: 'delivery_unknown' })
        await bench().restart()
        await chat.play('reply', { text: 'later' })
        expect(chat.bot.texts()).toEqual(['once', 'later'])
      })

      test('what the platform did not take, and said so, is tried again and arrives once', async () => {
        const chat = await bench().chat()
        chat.bot.script('send', { do: 'error', kind: 'rate_limited', retryAfterMs: 30 })
        expect((await chat.play('reply', { text: 'patient' })).error).toBeNull()
        expect(chat.bot.texts()).toEqual(['patient'])
      })
    })
  },
  { tools },
)
