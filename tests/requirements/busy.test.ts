import { describe, expect, test } from 'vitest'
import type { Bench, Chat } from './bench.ts'
import { onEveryTransport } from './transports.ts'

/** Runs of the chat's processor, oldest first. */
async function statuses(bench: Bench, chat: Chat): Promise<string[]> {
  const { host } = bench.t
  const { items } = await host.runs.list({
    workspace_uuid: host.identity.workspace_uuid,
    processor_id: chat.processor.processor_id,
    statuses: null,
    before_cursor: null,
    limit: 100,
  })
  return items.map(({ status }) => status).reverse()
}

onEveryTransport((bench) => {
  describe('once and in order', () => {
    test('[D38] delivered three times at once: one run, and three answers to the platform', async () => {
      const chat = await bench().chat()
      const incoming = chat.bot.saying('reply {"text":"once"}', { dedupe_key: 'update-7', message_id: 'm-7' })
      const answers = await Promise.all([1, 2, 3].map(() => chat.bot.emit(incoming)))
      expect(answers.map(({ status }) => status).sort()).toEqual(['accepted', 'duplicate', 'duplicate'])
      const ids = new Set(answers.map((answer) => 'event_id' in answer && answer.event_id))
      expect(ids.size).toBe(1)
      for (const answer of answers) if ('event_id' in answer) await chat.settled(answer.event_id)
      expect(await statuses(bench(), chat)).toEqual(['completed'])
      expect(chat.bot.texts()).toEqual(['once'])
    })

    test('[D41] messages that come during a run wait for it: none is missing, in order', async () => {
      const chat = await bench().chat()
      const gate = crypto.randomUUID()
      const first = await chat.start('waitHere', { gate })
      await chat.running(first)
      const rest = [await chat.start('reply', { text: 'two' }), await chat.start('reply', { text: 'three' })]
      expect(chat.bot.texts()).toEqual([])
      await chat.play('open', { gate }, { sender: 'u-2' })
      for (const event_id of [first, ...rest]) await chat.settled(event_id)
      expect(chat.bot.texts()).toEqual(['two', 'three'])
    })

    test('[D42] a message during a run does not touch that run, and has its own', async () => {
      const chat = await bench().chat()
      const gate = crypto.randomUUID()
      const first = await chat.start('waitHere', { gate })
      await chat.running(first)
      const second = await chat.start('reply', { text: 'mine' })
      await chat.play('open', { gate }, { sender: 'u-2' })
      const [one, two] = [await chat.outcome(first), await chat.outcome(second)]
      expect(one).toMatchObject({ error: null, run: { status: 'completed' } })
      expect(two).toMatchObject({ error: null, run: { status: 'completed' } })
      expect(one.run.run_id).not.toBe(two.run.run_id)
      expect(chat.bot.texts()).toEqual(['mine'])
    })
  })

  describe('every end lets the next message run', () => {
    test('[D43] completed, failed and cancelled', async () => {
      const chat = await bench().chat()
      const gate = crypto.randomUUID()
      const waiting = await chat.start('waitHere', { gate })
      const running = await chat.running(waiting)
      const queued = [await chat.start('cancelSelf'), await chat.start('reply', { text: 'after the cancelled' })]
      await bench().t.host.runs.cancel(running, { kind: 'operator' }, 'enough')
      for (const event_id of [waiting, ...queued]) await chat.settled(event_id)
      expect(await statuses(bench(), chat)).toEqual(['cancelled', 'cancelled', 'completed'])
      expect(chat.bot.texts()).toEqual(['after the cancelled'])
    })

    test('[D43] a run past its deadline', async () => {
      const chat = await bench().chat({ options: { deadline_seconds: 0.2 } })
      const [late, next] = [
        await chat.start('waitHere', { gate: 'never' }),
        await chat.start('reply', { text: 'next' }),
      ]
      expect((await chat.outcome(late)).run.status).toBe('timeout')
      await chat.settled(next)
      expect(chat.bot.texts()).toEqual(['next'])
    })

    test('[D54] a Runner that ignores the cancel: the shown state is the real one, and the queued message runs', async () => {
      const chat = await bench().chat()
      const stuck = await chat.start('stubborn')
      const run_id = await chat.running(stuck)
      const next = await chat.start('reply', { text: 'not dropped' })
      expect(await bench().t.host.runs.cancel(run_id, { kind: 'user' }, 'stop')).toBe(true)
      expect((await chat.outcome(stuck)).run.status).toBe('cancelled')
      await chat.settled(next)
      expect(chat.bot.texts()).toEqual(['not dropped'])
      expect(await bench().t.host.runs.cancel(run_id, { kind: 'user' }, 'again')).toBe(false)
    })

    test('[D43] [D40] a restart: what waited has its end, and what was handled before is not handled again', async () => {
      const chat = await bench().chat({ options: { sentence: 'Not now, sorry.' } })
      const handled = chat.bot.saying('reply {"text":"handled"}', { dedupe_key: 'update-1', message_id: 'm-1' })
      const before = await chat.bot.emit(handled)
      if ('event_id' in before) await chat.settled(before.event_id)
      const interrupted = await chat.start('waitHere', { gate: 'never' })
      await chat.running(interrupted)
      const queued = await chat.start('reply', { text: 'after the restart' })
      await bench().restart()
      await chat.settled(queued)
      expect(await chat.bot.emit(handled)).toMatchObject({ status: 'duplicate' })
      await chat.play('reply', { text: 'new' })
      const said = chat.bot.texts()
      expect(said.filter((text) => text === 'handled')).toHaveLength(1)
      expect(said.at(-1)).toBe('new')
      const why = await bench().t.host.trail.why(queued)
      // The host starts its plugin processes itself. A plugin that somebody else brings may not be there yet when the
      // message's turn comes: then the trail says so, and the user is told.
      if (bench().transport === 'stdio' || why?.answered === true) expect(said).toContain('after the restart')
      else {
        expect(why).toMatchObject({ code: 'plugin_down', sentence: expect.stringContaining('has not come back') })
        expect(said).toContain('Not now, sorry.')
      }
    })
  })
})
