import { query, type Slots } from '@runbound/store'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { envelopeWith, openWorld, processorOf, settle, type World } from './fixtures.ts'

const rowOf = query((db, p: Slots<{ event_id: string }>) =>
  db
    .selectFrom('mailbox')
    .select(['state', 'reason', 'kind', 'attempt', 'processor_id'])
    .where('event_id', '=', p('event_id'))
    .orderBy('position'),
)

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

async function say(text: string, chat = 'u-1', to?: readonly string[]) {
  const envelope = envelopeWith(text, { chat })
  await world.post(envelope, to)
  return envelope
}

async function history(chat = 'u-1'): Promise<readonly (string | null)[]> {
  const key = world.conversations.key(envelopeWith('', { chat }), 'chat') ?? ''
  return (await world.conversations.transcript(key, 100)).map(({ content }) => content)
}

describe('run lane', () => {
  test('[D41] messages that come during a run wait for it, in order, and none is missing', async () => {
    await say('M1')
    await world.runs.until(1)
    await say('M2')
    await say('M3')
    await settle()
    expect(world.runs.texts).toEqual(['M1'])
    await world.runs.started[0]?.end()
    await world.runs.until(2)
    await settle()
    expect(world.runs.texts).toEqual(['M1', 'M2'])
    await world.runs.started[1]?.end()
    await world.runs.until(3)
    await world.runs.started[2]?.end()
    await settle()
    expect(world.runs.texts).toEqual(['M1', 'M2', 'M3'])
    expect(world.conversations.load()).toMatchObject({ open: 0, active: 0 })
  })

  test('[D42] a message during a run does not touch that run', async () => {
    const first = await say('M1')
    await world.runs.until(1)
    const second = await say('M2')
    await world.runs.started[0]?.end()
    await world.runs.until(2)
    await world.runs.started[1]?.end()
    await settle()
    expect(await world.store.all(rowOf({ event_id: first.event_id }))).toMatchObject([
      { state: 'done', reason: 'completed' },
    ])
    expect(await world.store.all(rowOf({ event_id: second.event_id }))).toMatchObject([
      { state: 'done', reason: 'completed' },
    ])
  })

  test.each([
    { status: 'completed', code: null },
    { status: 'failed', code: 'runner_failed' },
    { status: 'timeout', code: 'deadline' },
    { status: 'cancelled', code: 'cancelled' },
  ] as const)('[D43] [D54] after a run that ends as $status the next message runs', async (end) => {
    const first = await say('M1')
    await world.runs.until(1)
    await say('M2')
    await world.runs.started[0]?.end(end)
    await world.runs.until(2)
    expect(world.runs.texts).toEqual(['M1', 'M2'])
    expect(await world.store.all(rowOf({ event_id: first.event_id }))).toMatchObject([
      { state: 'done', reason: end.code ?? 'completed' },
    ])
    expect(await world.trail.why(first.event_id)).toMatchObject({ code: `run_${end.status}` })
  })

  test('[D49] conversations do not wait for each other', async () => {
    for (const chat of ['a', 'b', 'c', 'd', 'e']) await say(`from ${chat}`, chat)
    await world.runs.until(5)
    expect(world.runs.held.size).toBe(5)
  })

  test('[D49] the bound of active turns holds over all processors, and free places go round', async () => {
    await world.close()
    world = await openWorld({ options: { maxActive: 2, maxActivePerProcessor: 2 } })
    world.processors.set('p-2', processorOf('p-2'))
    for (const chat of ['a', 'b', 'c', 'd']) await say(chat, chat)
    await say('a again', 'a')
    await say('e', 'e', ['p-2'])
    await settle()
    expect(world.runs.texts).toEqual(['a', 'b'])
    await world.runs.started[0]?.end()
    await world.runs.until(3)
    await world.runs.started[1]?.end()
    await world.runs.until(4)
    for (const run of world.runs.started.slice(2)) await run.end()
    await world.runs.until(6)
    // Processors take turns; within a processor, who waits longest.
    expect(world.runs.texts).toEqual(['a', 'b', 'c', 'e', 'd', 'a again'])
    expect(world.runs.mostAtOnce).toBe(2)
    expect(world.conversations.load().limit).toBe(2)
  })

  test('a processor whose runs hang leaves room for the others', async () => {
    await world.close()
    world = await openWorld({ options: { maxActive: 4 } })
    world.processors.set('stuck', processorOf('stuck'))
    for (let chat = 0; chat < 10; chat++) await say('hangs', `s-${chat}`, ['stuck'])
    await settle()
    expect(world.runs.held.size).toBe(3)
    await say('lively', 'x', ['p-1'])
    await world.runs.until(4)
    expect(world.runs.texts.at(-1)).toBe('lively')
  })

  test('two processors of one event run side by side, and one failing does not touch the other', async () => {
    world.processors.set('p-2', processorOf('p-2', { kind: 'plugin_processor' }))
    const envelope = await say('hello', 'u-1', ['p-1', 'p-2'])
    await world.runs.until(2)
    await world.runs.started[1]?.end({ status: 'failed', code: 'runner_failed' })
    await world.runs.started[0]?.end()
    await settle()
    expect(await world.store.all(rowOf({ event_id: envelope.event_id }))).toMatchObject([
      { processor_id: 'p-1', reason: 'completed' },
      { processor_id: 'p-2', reason: 'runner_failed' },
    ])
    expect(world.delivery.said).toEqual([])
  })

  test('[D50] in member scope the members of a group neither wait for each other nor share a history', async () => {
    const group = {
      conversation: { conversation_id: 'group_g', thread_id: null, chat_type: 'group' as const, chat_id: 'g' },
      reply_target: { target_type: 'group' as const, target_id: 'g' },
    }
    const ann = envelopeWith('my colour is red', { ...group, actor: person('ann') })
    const bob = envelopeWith('my colour?', { ...group, actor: person('bob') })
    await world.post(ann, ['p-1'], 'member')
    await world.post(bob, ['p-1'], 'member')
    await world.runs.until(2)
    const key = world.conversations.key(bob, 'member') ?? ''
    expect((await world.conversations.transcript(key, 10)).map(({ content }) => content)).toEqual(['my colour?'])
    expect(world.runs.started.map(({ request }) => request.scope)).toEqual(['member', 'member'])
    // In chat scope they share both.
    await world.post(envelopeWith('third', { ...group, actor: person('ann') }))
    await world.post(envelopeWith('fourth', { ...group, actor: person('bob') }))
    await world.runs.until(3)
    await settle()
    expect(world.runs.texts).toEqual(['my colour is red', 'my colour?', 'third'])
  })

  test('events without a conversation wait for their subject, else for their actor, else for nobody', async () => {
    const alone = { conversation: null, reply_target: null, event_type: 'platform.specific' }
    const about = (id: string) => ({ ...alone, subject: { subject_type: 'platform_action', subject_id: id, data: {} } })
    const kind = { subject_type: 'event', subject_id: 'friend.removed', data: {} }
    await world.post(envelopeWith('poke 1', about('poke')))
    await world.post(envelopeWith('poke 2', about('poke')))
    await world.post(envelopeWith('wave', about('wave')))
    await world.post(envelopeWith('ann 1', { ...alone, subject: kind, actor: person('ann') }))
    await world.post(envelopeWith('ann 2', { ...alone, subject: kind, actor: person('ann') }))
    await world.post(envelopeWith('nobody 1', { ...alone, subject: kind, actor: null }))
    await world.post(envelopeWith('nobody 2', { ...alone, subject: kind, actor: null }))
    await settle()
    expect(world.runs.texts).toEqual(['poke 1', 'wave', 'ann 1', 'nobody 1', 'nobody 2'])
  })
})

function person(id: string) {
  return { actor_type: 'user', actor_id: id, actor_name: id, metadata: {} }
}

describe('what ends a row without a run', () => {
  test('a processor that was switched off or removed, and an event that waited too long', async () => {
    world.processors.set('gone', processorOf('gone'))
    const active = await say('active')
    await world.runs.until(1)
    const off = await say('off')
    world.processors.set('p-1', processorOf('p-1', { enabled: false }))
    await world.runs.started[0]?.end()
    await settle()
    expect(await world.trail.why(off.event_id)).toMatchObject({ code: 'processor_disabled' })
    world.processors.delete('p-1')
    const missing = await say('missing')
    await settle()
    expect(await world.trail.why(missing.event_id)).toMatchObject({ code: 'processor_not_found' })
    world.processors.set('p-1', processorOf('p-1', { options: { max_age_seconds: 60 } }))
    await say('blocks')
    await world.runs.until(2)
    const late = await say('late')
    world.clock.at += 61_000
    await world.runs.started[1]?.end()
    await settle()
    expect(await world.trail.why(late.event_id)).toMatchObject({
      code: 'too_old',
      sentence: 'The event waited 61 s, longer than the 60 s that p-1 allows, and was not run.',
    })
    expect(await world.store.all(rowOf({ event_id: late.event_id }))).toMatchObject([
      { state: 'done', reason: 'too_old' },
    ])
    expect(active).toBeDefined()
    expect(await history()).toEqual(['active', 'off', 'missing', 'blocks', 'late'])
    expect(world.delivery.said).toEqual([])
  })

  test('a run that can not start for good: the trail says why, the user reads the sentence, the next one runs', async () => {
    world.runs.refuse = { code: 'runner.plugin_disabled', message: 'The plugin acme/p-1 is switched off' }
    const envelope = await say('M1')
    await settle()
    expect(await world.trail.why(envelope.event_id)).toMatchObject({
      code: 'plugin_down',
      sentence: 'The plugin of p-1 is not there, so nothing was run: The plugin acme/p-1 is switched off.',
    })
    expect(world.delivery.said.map(({ text }) => text)).toEqual([expect.stringContaining('something went wrong')])
    world.runs.refuse = null
    await say('M2')
    await world.runs.until(1)
    expect(world.runs.texts).toEqual(['M2'])
    expect(await history()).toEqual(['M1', 'M2'])
  })

  test('a host that can not write now tries again, and keeps the order', async () => {
    world.runs.refuse = { code: 'storage_full', message: 'The disk is full' }
    await say('M1')
    await say('M2')
    world.clock.at += 1
    await settle()
    expect(world.conversations.load()).toMatchObject({ open: 2, active: 0 })
    world.runs.refuse = null
    world.clock.at += 60_000
    await world.runs.until(1)
    await world.runs.started[0]?.end()
    await world.runs.until(2)
    expect(world.runs.texts).toEqual(['M1', 'M2'])
    expect(world.delivery.said).toEqual([])
  })

  test('a row that can not start: its processor speaks in its own words, or not at all', async () => {
    world.processors.set('p-1', processorOf('p-1', { options: { sentence: 'Oops.' } }))
    world.processors.set('quiet', processorOf('quiet', { options: { sentence: '' } }))
    world.processors.set('log', processorOf('log', { kind: 'plugin_processor' }))
    world.runs.refuse = { code: 'runner.plugin_disabled', message: 'The plugin is switched off' }
    const envelope = envelopeWith('M1')
    const rows = await world.post(envelope, ['p-1', 'log'])
    await say('M2', 'other', ['quiet'])
    await settle()
    expect(world.delivery.said).toMatchObject([
      {
        text: 'Oops.',
        once: `sentence:${rows[0]?.row_id}`,
        scope: { event_id: envelope.event_id, message_event: true, debug: false },
      },
    ])
  })

  test('a plugin that is just starting is waited for', async () => {
    world.runs.refuse = { code: 'runner.plugin_not_initialized', message: 'The plugin starts' }
    await say('M1')
    await settle()
    world.runs.refuse = null
    world.clock.at += 60_000
    await world.runs.until(1)
    expect(world.delivery.said).toEqual([])
  })
})

describe('bounds', () => {
  test('a full lane refuses the newest, with a reason, a place in history and one sentence a minute', async () => {
    await world.close()
    world = await openWorld({ options: { maxPerLane: 2 } })
    await say('M1')
    await say('M2')
    await world.runs.until(1)
    const third = await say('M3')
    await say('M4')
    await say('elsewhere', 'u-2')
    await world.runs.until(2)
    expect(world.delivery.said.map(({ text }) => text)).toEqual([expect.stringContaining('too many messages')])
    expect(await world.trail.why(third.event_id)).toMatchObject({
      code: 'backlog_full',
      sentence: 'The conversation already has 2 events waiting, so this one was refused and its sender was told.',
    })
    expect(await world.store.all(rowOf({ event_id: third.event_id }))).toEqual([])
    await world.runs.started[0]?.end()
    await world.runs.until(3)
    await say('M5')
    for (const run of world.runs.started.slice(1)) await run.end()
    await world.runs.until(4)
    expect(world.runs.texts).toEqual(['M1', 'elsewhere', 'M2', 'M5'])
    expect(await history()).toEqual(['M1', 'M3', 'M4', 'M2', 'M5'])
  })

  test('a full workspace refuses too, and the other processors of an event get it all the same', async () => {
    await world.close()
    world = await openWorld({ options: { maxPerWorkspace: 3 } })
    world.processors.set('p-2', processorOf('p-2', { kind: 'plugin_processor' }))
    await say('M1', 'a')
    await say('M2', 'b')
    const rows = await world.post(envelopeWith('M3', { chat: 'c' }), ['p-1', 'p-2'])
    expect(rows.map(({ processor_id }) => processor_id)).toEqual(['p-1'])
    await world.runs.until(3)
    expect(world.conversations.load().open).toBe(3)
    await world.runs.started[0]?.end()
    await settle()
    expect((await world.post(envelopeWith('M4', { chat: 'd' }))).length).toBe(1)
  })

  test('a unit that is not committed takes no room', async () => {
    await world.close()
    world = await openWorld({ options: { maxPerLane: 1 } })
    const envelope = envelopeWith('M1')
    world.conversations.post([], envelope)
    await world.post(envelope)
    await world.runs.until(1)
    await world.runs.started[0]?.end()
    await settle()
    // The event id is taken, so the whole unit is undone.
    await expect(world.post(envelope)).rejects.toMatchObject({ code: 'refused' })
    expect(world.conversations.load().open).toBe(0)
    await say('M2')
    await world.runs.until(2)
  })
})

describe('history positions', () => {
  test('[D47] a message takes its place when its turn starts, behind the answer before it', async () => {
    const first = await say('M1')
    await world.runs.until(1)
    await say('M2')
    const key = world.conversations.key(first, 'chat') ?? ''
    await world.store.commit(world.conversations.said(answer('A1', key, first.event_id)))
    await world.runs.started[0]?.end()
    await world.runs.until(2)
    expect(await history()).toEqual(['M1', 'A1', 'M2'])
  })

  test('with a busy agent and a free plugin processor, the turn of the agent decides', async () => {
    world.processors.set('log', processorOf('log', { kind: 'plugin_processor' }))
    const first = await say('M1', 'u-1', ['p-1', 'log'])
    await world.runs.until(2)
    await world.runs.started.find(({ request }) => request.processor.processor_id === 'log')?.end()
    await say('M2', 'u-1', ['p-1', 'log'])
    await world.runs.until(3)
    expect(world.runs.started[2]?.request.processor.processor_id).toBe('log')
    const key = world.conversations.key(first, 'chat') ?? ''
    await world.store.commit(world.conversations.said(answer('A1', key, first.event_id)))
    await world.runs.started[0]?.end()
    await world.runs.until(4)
    expect(await history()).toEqual(['M1', 'A1', 'M2'])
  })

  test('a message that no turn will follow takes its place at once', async () => {
    const envelope = envelopeWith('nobody listens')
    await world.post(envelope, [])
    expect(await history()).toEqual(['nobody listens'])
    expect(world.conversations.load().open).toBe(0)
  })

  test('events that are no message are not history', async () => {
    await world.post(envelopeWith('joined', { event_type: 'group.member_joined' }), [])
    await world.post(envelopeWith('joined', { event_type: 'group.member_joined' }))
    await world.runs.until(1)
    expect(await history()).toEqual([])
  })
})

function answer(content: string, conversation_key: string, event_id: string) {
  return {
    transcript_id: `t-${content}-${Math.random()}`,
    workspace_uuid: 'w-1',
    conversation_key,
    bot_uuid: 'b-1',
    conversation_id: 'person_u-1',
    thread_id: null,
    role: 'assistant' as const,
    content,
    content_json: null,
    attachment_refs: [],
    event_id,
    run_id: 'r',
    processor_id: 'p-1',
    delivery_id: 'd',
    message_id: null,
    actor_id: null,
  }
}

describe('drain', () => {
  test('takes nothing new, waits for what is active, and leaves the rest for the next start', async () => {
    await say('M1')
    await world.runs.until(1)
    const second = await say('M2')
    let drained = false
    const done = world.conversations.drain().then(() => {
      drained = true
    })
    const third = await say('M3', 'other')
    await settle()
    expect(drained).toBe(false)
    await world.runs.started[0]?.end()
    await done
    expect(world.runs.texts).toEqual(['M1'])
    for (const { event_id } of [second, third]) {
      expect(await world.store.all(rowOf({ event_id }))).toMatchObject([{ state: 'accepted' }])
    }
  })
})

test('any interleaving of posts and ends keeps the order of each lane and loses nothing', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('post' as const), chat: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ kind: fc.constant('end' as const), which: fc.nat(), failed: fc.boolean() }),
    fc.record({ kind: fc.constant('wait' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (steps, maxActive) => {
      const own = await openWorld({ options: { maxActive } })
      const expected = new Map<string, string[]>()
      let posted = 0
      const posts: Promise<unknown>[] = []
      for (const next of steps) {
        if (next.kind === 'post') {
          const chat = `c-${next.chat}`
          const text = `${chat}:${posted++}`
          expected.set(chat, [...(expected.get(chat) ?? []), text])
          // Not awaited: posts of one tick share a commit.
          posts.push(own.post(envelopeWith(text, { chat })))
        } else if (next.kind === 'wait') await settle(1)
        else {
          const held = [...own.runs.held.values()]
          await held[next.which % held.length]?.end(next.failed ? { status: 'failed', code: 'runner_failed' } : {})
        }
      }
      await Promise.all(posts)
      own.runs.auto = () => ({})
      for (const run of [...own.runs.held.values()]) await run.end()
      await own.runs.until(posted)
      await settle(2)
      const seen = new Map<string, string[]>()
      for (const text of own.runs.texts) {
        const chat = text.split(':')[0] ?? ''
        seen.set(chat, [...(seen.get(chat) ?? []), text])
      }
      expect(seen).toEqual(expected)
      expect(own.runs.mostAtOnce).toBeLessThanOrEqual(maxActive)
      expect(own.conversations.load()).toMatchObject({ open: 0, active: 0 })
      await own.close()
    }),
    { numRuns: 40 },
  )
}, 60_000)
