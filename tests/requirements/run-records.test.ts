import type { AgentRun, RunEventPage, RunPage } from '@runbound/protocol'
import { describe, expect, test } from 'vitest'
import type { Chat, Played } from './bench.ts'
import { onEveryTransport } from './transports.ts'

function resultOf<T>({ value, error }: Played): T {
  expect(error).toBeNull()
  return value as T
}

const sequences = (page: RunEventPage) => page.items.map(({ sequence }) => sequence)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

async function logs(chat: Chat, count: number): Promise<string[]> {
  const events: string[] = []
  for (let index = 0; index < count; index++) events.push(await chat.start('log', { text: 'x' }))
  for (const event_id of events) await chat.settled(event_id)
  return events
}

onEveryTransport((bench) => {
  describe('one run', () => {
    test('[runner.run-get] the run’s record, with its status at that moment', async () => {
      const chat = await bench().chat()
      const own = await chat.play('run')
      expect(own.value).toMatchObject({
        run_id: own.run.run_id,
        status: 'running',
        event_id: own.event_id,
        runner_id: 'plugin:runbound/probe/probe',
        agent_id: chat.processor.processor_id,
        conversation_id: 'person_u-1',
      })
      const later = resultOf<AgentRun>(await chat.play('run', { run_id: own.run.run_id }))
      expect(later).toMatchObject({ run_id: own.run.run_id, status: 'completed' })
      expect(later.finished_at).not.toBeNull()
    })

    test('a run of another conversation, and one that never was, can’t be told apart', async () => {
      const chat = await bench().chat()
      const bobs = await chat.play('log', { text: 'x' }, { sender: 'bob' })
      for (const run_id of [bobs.run.run_id, 'no-such-run'])
        expect((await chat.play('run', { run_id })).error).toMatchObject({ reason: 'not_found' })
      expect((await chat.play('run', { run_id: bobs.run.run_id }, { sender: 'bob' })).error).toBeNull()
    })

    test('[runner.run-records.none-is-current] no run id, and null, mean the current run', async () => {
      const chat = await bench().chat()
      const { value, run } = await chat.play('runNull')
      const [byNull, without, ofEvents, ofEventsToo] = value as [AgentRun, AgentRun, string, string]
      expect([byNull.run_id, without.run_id, ofEvents, ofEventsToo]).toEqual(Array(4).fill(run.run_id))
      const cancelled = await chat.play('cancelSelf')
      expect(cancelled.run.status).toBe('cancelled')
      const others = await bench().t.host.runs.get(run.run_id)
      expect(others?.status).toBe('completed')
    })

    test('[runner.run-records.handler-finishes] a handler that returns: the record says completed, without a call', async () => {
      const chat = await bench().chat({ runner: 'handlers' })
      const { run } = await chat.play('log', { text: 'done' })
      expect(run.status).toBe('completed')
      expect(run.calls.map(({ method }) => method)).not.toContain('run_finalize')
      expect(run.ledger.at(-1)?.type).toBe('run.completed')
      const later = resultOf<AgentRun>(await chat.play('run', { run_id: run.run_id }))
      expect(later.status).toBe('completed')
    })

    test('[runner.run-records.yielded-once] what run(ctx) yields stands among the events exactly once', async () => {
      const { run } = await (await bench().chat({ runner: 'yielding' })).play('anything')
      expect(run.status).toBe('completed')
      const yielded = [
        'processor.log',
        'message.delta',
        'tool.call.started',
        'tool.call.completed',
        'state.updated',
        'message.completed',
        'run.completed',
      ]
      expect(run.ledger.map(({ type }) => type).filter((type) => yielded.includes(type))).toEqual(yielded)
      expect(JSON.stringify(run.ledger).match(/yielded message/g)).toHaveLength(1)
      expect(run.calls.map(({ method }) => method)).not.toContain('run_append_result')
    })

    test('[D129] after its end nothing more counts: one terminal state, and what came is recorded as refused', async () => {
      const chat = await bench().chat({ runner: 'two-ends', options: { automatic_reply: true } })
      const { run } = await chat.play('anything')
      expect(run.status).toBe('completed')
      expect(run.ledger.filter(({ type }) => type === 'run.completed' || type === 'run.failed')).toHaveLength(1)
      expect(run.produced).not.toContain('after the end')
      expect(chat.bot.messages).toEqual([])
    })
  })

  describe('pages', () => {
    test('[runner.run-events-page] 50 at most, forward in the order of sequence, continued by after_cursor, backward by before_cursor', async () => {
      const chat = await bench().chat()
      const { run } = await chat.play('logs', { count: 58 })
      const all = run.ledger.length
      expect(all).toBeGreaterThan(58)
      const read = async (options: object) => {
        const played = await chat.play('runEvents', { options: { run_id: run.run_id, ...options } })
        return resultOf<RunEventPage>(played)
      }
      const first = await read({})
      expect(sequences(first)).toEqual(range(1, 50))
      expect(first.has_more).toBe(true)
      const rest = await read({ after_cursor: first.next_cursor })
      expect(sequences(rest)).toEqual(range(51, all))
      expect(rest.has_more).toBe(false)
      const newest = await read({ direction: 'backward', limit: 4 })
      expect(sequences(newest)).toEqual(range(all - 3, all).reverse())
      const older = await read({ direction: 'backward', limit: 4, before_cursor: newest.prev_cursor })
      expect(sequences(older)).toEqual(range(all - 7, all - 4).reverse())
      const own = resultOf<RunEventPage>(await chat.play('runEvents'))
      expect(own.items[0]?.sequence).toBe(1)
      expect(own.items[0]?.run_id).not.toBe(run.run_id)
    })

    test('[runner.run-list] 50 at most, narrowed by conversation and statuses, continued with older ones', async () => {
      const chat = await bench().chat()
      const cancelled = await chat.play('cancelSelf')
      const events = await logs(chat, 51)
      await chat.play('log', { text: 'of Bob' }, { sender: 'bob' })
      const size = await chat.play('runListSize')
      const first = Object(size.value)
      expect(first).toMatchObject({ items: 50, has_more: true })
      expect(first.event_ids[0]).toBe(size.event_id)
      expect(first.event_ids.slice(1)).toEqual(events.slice(-49).reverse())
      const older = Object((await chat.play('runListSize', { options: { before_cursor: first.prev_cursor } })).value)
      expect(older.event_ids).toEqual([...events.slice(0, 2).reverse(), cancelled.event_id])
      expect(older.has_more).toBe(false)
      const narrowed = resultOf<RunPage>(await chat.play('runs', { options: { statuses: ['cancelled'] } }))
      expect(narrowed.items).toMatchObject([{ run_id: cancelled.run.run_id, status: 'cancelled' }])
      const two = resultOf<RunPage>(await chat.play('runs', { options: { limit: 2, conversation_id: 'person_u-1' } }))
      expect(two.items).toHaveLength(2)
      const others = await chat.play('runs', { options: { conversation_id: 'person_bob' } })
      expect(others.error).toMatchObject({ reason: 'target_denied' })
    })
  })
})
