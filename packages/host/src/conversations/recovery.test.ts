import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query, type Slots } from '@runbound/store'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { envelopeWith, notes, openWorld, processorOf, settle, type World, type WorldOptions } from './fixtures.ts'

const rowOf = query((db, p: Slots<{ event_id: string }>) =>
  db.selectFrom('mailbox').select(['state', 'reason', 'attempt', 'kind']).where('event_id', '=', p('event_id')),
)
const entries = query((db) => db.selectFrom('transcript').select(['content', 'seq', 'conversation_key']).orderBy('id'))
const runsOf = query((db, p: Slots<{ event_id: string }>) =>
  db
    .selectFrom('runs')
    .select(['status', 'reason_code', 'attempt'])
    .where('event_id', '=', p('event_id'))
    .orderBy('id'),
)

let folder: string
let world: World
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'runbound-mailbox-'))
  world = await openWorld({ folder })
})
afterEach(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

/** The host dies: nothing is told, nothing is waited for. The next one finds what was committed. */
async function crash(options: WorldOptions = {}): Promise<void> {
  await world.close()
  world = await openWorld({ folder, ...options })
}

async function say(text: string, chat = 'u-1') {
  const envelope = envelopeWith(text, { chat })
  await world.post(envelope)
  return envelope
}

const state = async (event_id: string) => (await world.store.all(rowOf({ event_id })))[0]

describe('after a restart', () => {
  test('rows that waited run, in their old order, before newer ones', async () => {
    await say('M1')
    await world.runs.until(1)
    await world.runs.started[0]?.end()
    await world.conversations.drain()
    await say('M2')
    await say('M3')
    await crash()
    await say('M4')
    world.runs.auto = () => ({})
    await world.runs.until(1)
    await world.runs.started[0]?.end()
    await world.runs.until(3)
    expect(world.runs.texts).toEqual(['M2', 'M3', 'M4'])
  })

  test('a run without effect is run again at its old place, as attempt 2, and its message stands in history once', async () => {
    const first = await say('M1')
    await world.runs.until(1)
    await say('M2')
    await crash()
    await world.runs.until(1)
    expect(world.runs.started[0]?.request).toMatchObject({ attempt: 2, envelope: { event_id: first.event_id } })
    await world.runs.started[0]?.end()
    await world.runs.until(2)
    expect(world.runs.texts).toEqual(['M1', 'M2'])
    expect((await world.store.all(entries())).map(({ content, seq }) => [content, seq])).toEqual([
      ['M1', 1],
      ['M2', 2],
    ])
    expect(await world.store.all(runsOf({ event_id: first.event_id }))).toMatchObject([
      { status: 'failed', reason_code: 'host_restarted', attempt: 1 },
      { status: 'completed', attempt: 2 },
    ])
    expect((await world.trail.of(first.event_id)).map(({ code }) => code)).toEqual(['queued_again', 'run_completed'])
    expect(await world.store.all(notes())).toEqual([])
  })

  test('after a restart too, the turn at the routed processor gives a message its place, not that of a plugin processor', async () => {
    world.processors.set('log', processorOf('log', { kind: 'plugin_processor' }))
    const log = world.processors.get('log')
    await say('M1')
    await world.runs.until(1)
    await world.post(envelopeWith('M2'), ['p-1', 'log'])
    await world.runs.until(2)
    await world.close()
    world = await openWorld({ folder, started: false })
    if (log !== undefined) world.processors.set('log', log)
    await world.conversations.recover()
    await world.conversations.start()
    await world.runs.until(2)
    expect([...world.runs.texts].sort()).toEqual(['M1', 'M2'])
    expect((await world.store.all(entries())).map(({ content }) => content)).toEqual(['M1'])
    await world.runs.started.find(({ text }) => text === 'M1')?.end()
    await world.runs.until(3)
    expect((await world.store.all(entries())).map(({ content }) => content)).toEqual(['M1', 'M2'])
  })

  test('a run that had an effect is not repeated; the chat user reads the sentence once, and the next message runs', async () => {
    const first = await say('M1')
    await world.runs.until(1)
    const run_id = world.runs.started[0]?.run_id
    await world.runs.started[0]?.effect()
    await say('M2')
    await crash({ started: false })
    expect(await world.conversations.recover()).toEqual({ ended: 1, queued_again: 0, interrupted: 1 })
    expect(await world.conversations.recover()).toEqual({ ended: 0, queued_again: 0, interrupted: 0 })
    await world.conversations.start()
    await world.runs.until(1)
    expect(world.runs.texts).toEqual(['M2'])
    expect(await state(first.event_id)).toMatchObject({ state: 'done', reason: 'interrupted' })
    expect(await world.store.all(notes())).toEqual([
      { name: `sentence:${run_id}`, value: expect.stringContaining('something went wrong') },
    ])
    expect(await world.trail.why(first.event_id)).toMatchObject({
      code: 'interrupted',
      sentence: `The host stopped during the run ${run_id}; it is not repeated because it had already acted.`,
    })
  })

  test('an input that kills its host is begun twice and no more', async () => {
    const poison = await say('poison')
    await world.runs.until(1)
    await crash()
    await world.runs.until(1)
    await crash()
    await settle()
    expect(world.runs.texts).toEqual([])
    expect(await state(poison.event_id)).toMatchObject({ state: 'done', reason: 'interrupted', attempt: 2 })
    expect((await world.store.all(notes())).length).toBe(1)
  })

  test('after_crash: report never repeats, with or without effect', async () => {
    const careful = processorOf('p-1', { options: { after_crash: 'report', sentence: 'Please look yourself.' } })
    world.processors.set('p-1', careful)
    const envelope = await say('M1')
    await world.runs.until(1)
    await world.close()
    world = await openWorld({ folder, started: false })
    world.processors.set('p-1', careful)
    await world.conversations.recover()
    expect(await state(envelope.event_id)).toMatchObject({ state: 'done', reason: 'interrupted' })
    expect((await world.store.all(notes())).map(({ value }) => value)).toEqual(['Please look yourself.'])
  })

  test('a processor that is gone, and a debug run: ended, not repeated', async () => {
    const gone = await say('M1')
    const debug = envelopeWith('M2', { chat: 'debug', debug: {} })
    await world.post(debug)
    await world.runs.until(2)
    await world.close()
    world = await openWorld({ folder, started: false })
    world.processors.clear()
    expect(await world.conversations.recover()).toMatchObject({ ended: 2, interrupted: 2 })
    expect(await world.trail.why(gone.event_id)).toMatchObject({
      sentence: expect.stringContaining('its processor is gone'),
    })
    expect(await world.trail.why(debug.event_id)).toMatchObject({ code: 'interrupted' })
  })

  test('an active row without a run is not repeated, a run without a row is ended', async () => {
    const envelope = await say('M1')
    await world.runs.until(1)
    await world.store.commit([{ sql: "update runs set row_id = null where status = 'running'", params: [] }])
    await crash({ started: false })
    expect(await world.conversations.recover()).toEqual({ ended: 1, queued_again: 0, interrupted: 1 })
    expect(await state(envelope.event_id)).toMatchObject({ state: 'done', reason: 'interrupted' })
    expect((await world.store.all(runsOf({ event_id: envelope.event_id })))[0]).toMatchObject({ status: 'failed' })
  })
})

test('crashes at random points: order kept, nothing lost, effects never repeated, at most two attempts', async () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('post' as const), chat: fc.integer({ min: 0, max: 2 }) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('effect' as const), which: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), atOnce: fc.boolean() }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await world.close()
      rmSync(folder, { recursive: true })
      world = await openWorld({ folder })
      const committed = new Map<string, string[]>()
      const attempts = new Map<string, number>()
      const acted = new Set<string>()
      const repeated: string[] = []
      const firstStarts: string[] = []
      let posted = 0
      const note = (count: number) => {
        for (const { text } of world.runs.started.slice(count)) {
          if (acted.has(text)) repeated.push(text)
          if (!attempts.has(text)) firstStarts.push(text)
          attempts.set(text, (attempts.get(text) ?? 0) + 1)
        }
        return world.runs.started.length
      }
      let noted = 0
      for (const next of steps) {
        const held = [...world.runs.held.values()]
        const chosen = 'which' in next ? held[next.which % held.length] : undefined
        if (next.kind === 'post') {
          const chat = `c-${next.chat}`
          const text = `${chat}:${posted++}`
          const done = await world.post(envelopeWith(text, { chat })).catch(() => null)
          if (done !== null) committed.set(chat, [...(committed.get(chat) ?? []), text])
        } else if (next.kind === 'end') await chosen?.end()
        else if (next.kind === 'effect') {
          await chosen?.effect()
          noted = note(noted)
          if (chosen !== undefined) acted.add(chosen.text)
        } else if (next.kind === 'wait') await settle(1)
        else {
          if (!next.atOnce) await settle(1)
          noted = note(noted)
          await world.close()
          // What had just begun counts as begun, whether or not its test saw it.
          noted = note(noted)
          world = await openWorld({ folder })
          noted = 0
        }
        noted = note(noted)
      }
      world.runs.auto = () => ({})
      for (const run of [...world.runs.held.values()]) await run.end()
      const open = query((db) => db.selectFrom('mailbox').select('row_id').where('state', '<>', 'done'))
      for (let round = 0; round < 500 && (await world.store.all(open())).length > 0; round++) await settle(1)
      note(noted)
      expect(await world.store.all(open())).toEqual([])
      expect(repeated).toEqual([])
      for (const [text, count] of attempts) expect(count, text).toBeLessThanOrEqual(2)
      for (const [chat, texts] of committed) {
        expect(firstStarts.filter((text) => text.startsWith(`${chat}:`))).toEqual(texts)
        // History: every message once, at its place, no holes.
        const written = (await world.store.all(entries())).filter(({ conversation_key }) =>
          conversation_key.endsWith(chat),
        )
        expect(written.map(({ content }) => content)).toEqual(texts)
        expect(written.map(({ seq }) => seq)).toEqual(texts.map((_, index) => index + 1))
      }
    }),
    { numRuns: 15 },
  )
}, 120_000)
