import { query, type Slots } from '@runbound/store'
import { afterEach, expect, test } from 'vitest'
import type { Admission, AdmissionRequest, Verdict } from './admission-types.ts'
import { envelopeWith, openWorld, settle, type World } from './fixtures.ts'

const rowOf = query((db, p: Slots<{ event_id: string }>) =>
  db.selectFrom('mailbox').select(['state', 'kind', 'reason', 'run_id']).where('event_id', '=', p('event_id')),
)

let world: World
afterEach(() => world.close())

/** Rules that decide by the text, and keep what they were asked. */
class Rules implements Admission {
  readonly asked: string[] = []
  readonly executed: string[] = []
  handled = true
  decide: (request: AdmissionRequest) => Promise<Verdict> | Verdict = () => ({ kind: 'run' })
  handles = () => this.handled

  async admit(request: AdmissionRequest): Promise<Verdict> {
    this.asked.push(textOf(request))
    return this.decide(request)
  }

  async beside(kind: 'command' | 'cancel', request: AdmissionRequest) {
    this.executed.push(`${kind} ${textOf(request)}`)
    if (textOf(request).includes('fail')) throw new Error('the command failed')
    await settle(1)
    return { code: kind === 'command' ? ('command' as const) : ('cancel_word' as const) }
  }
}

const textOf = ({ envelope }: AdmissionRequest) => envelope.input.text ?? ''

async function openWith(rules: Rules, options = {}) {
  world = await openWorld({ admission: rules, options })
  return rules
}

async function say(text: string, chat = 'u-1') {
  const envelope = envelopeWith(text, { chat })
  await world.post(envelope)
  return envelope
}

const rowState = async (event_id: string) => (await world.store.all(rowOf({ event_id })))[0]

test('the rules are asked one row after another per lane, never behind a run, and lanes do not wait for each other', async () => {
  const rules = await openWith(new Rules())
  let inside = 0
  let most = 0
  rules.decide = async ({ envelope }) => {
    if (envelope.conversation?.chat_id === 'u-1') {
      inside += 1
      most = Math.max(most, inside)
      await settle(1)
      inside -= 1
    }
    return { kind: 'run' }
  }
  await Promise.all([say('M1'), say('M2'), say('M3'), say('other', 'u-2')])
  await world.runs.until(2)
  await settle()
  // M1 runs, and M2 and M3 are decided already.
  expect(rules.asked.filter((text) => text !== 'other')).toEqual(['M1', 'M2', 'M3'])
  expect(most).toBe(1)
  expect([...world.runs.texts].sort()).toEqual(['M1', 'other'])
  expect(world.conversations.load()).toMatchObject({ active: 2, open: 4 })
})

test('a dropped message ends with its reason, its place in history and no run', async () => {
  const rules = await openWith(new Rules())
  rules.decide = ({ envelope }) =>
    envelope.input.text === 'bad'
      ? { kind: 'drop', code: 'access_denied', details: { actor_id: 'u-1' } }
      : { kind: 'run' }
  const bad = await say('bad')
  await say('good')
  await world.runs.until(1)
  expect(await rowState(bad.event_id)).toMatchObject({ state: 'done', reason: 'access_denied' })
  expect(await world.trail.why(bad.event_id)).toMatchObject({ sentence: 'The access list keeps u-1 out.' })
  const key = world.conversations.key(bad, 'chat') ?? ''
  expect((await world.conversations.transcript(key, 9)).map(({ content }) => content)).toEqual(['bad', 'good'])
  expect(world.delivery.said).toEqual([])
})

test('rules that fail or hang end the row and tell the user: what could not be checked is not run', async () => {
  const rules = await openWith(new Rules(), { admissionTimeoutMs: 20 })
  rules.decide = ({ envelope }) => {
    if (envelope.input.text === 'breaks') throw new Error('a filter broke')
    return new Promise(() => undefined)
  }
  const breaks = await say('breaks', 'a')
  const hangs = await say('hangs', 'b')
  while (world.conversations.load().open > 0) await settle(1)
  expect(await world.trail.why(breaks.event_id)).toMatchObject({
    code: 'admission_failed',
    sentence: 'The rules before the run failed, so nothing was run: a filter broke.',
  })
  expect(await world.trail.why(hangs.event_id)).toMatchObject({
    sentence: expect.stringContaining('longer than 20 ms'),
  })
  expect(world.runs.texts).toEqual([])
  expect(world.delivery.said.length).toBe(2)
})

test('a parked row frees its lane, is asked again at its time, and keeps its old place', async () => {
  const rules = await openWith(new Rules(), { maxActive: 1 })
  const due = world.clock.at + 30
  rules.decide = ({ envelope }) =>
    envelope.input.text === 'wait' && world.clock.at < due ? { kind: 'park', due_at: due } : { kind: 'run' }
  const parked = await say('wait')
  await say('M2')
  await world.runs.until(1)
  expect(world.runs.texts).toEqual(['M2'])
  await say('M3')
  await settle()
  expect(world.conversations.load().parked).toBe(1)
  expect(await rowState(parked.event_id)).toMatchObject({ state: 'accepted' })
  world.clock.at += 40
  while (world.conversations.load().parked > 0) await settle(1)
  await settle()
  await world.runs.started[0]?.end()
  await world.runs.until(2)
  expect(rules.asked).toEqual(['wait', 'M2', 'M3', 'wait'])
  // Older than M3, so it runs first.
  expect(world.runs.texts).toEqual(['M2', 'wait'])
})

test('a command runs beside the active run, one after another, and a failing one is told', async () => {
  const rules = await openWith(new Rules())
  rules.decide = ({ envelope }) => {
    const text = envelope.input.text ?? ''
    return { kind: text.startsWith('!') ? 'command' : text === 'stop' ? 'cancel' : 'run' }
  }
  await say('M1')
  await world.runs.until(1)
  const help = await say('!help')
  const fails = await say('!fail')
  await say('stop')
  await say('M2')
  while (world.conversations.load().open > 2) await settle(1)
  expect(rules.executed).toEqual(['command !help', 'command !fail', 'cancel stop'])
  expect(await rowState(help.event_id)).toMatchObject({ state: 'done', kind: 'command', reason: 'command' })
  expect(await world.trail.why(fails.event_id)).toMatchObject({ code: 'admission_failed' })
  expect(world.runs.texts).toEqual(['M1'])
  await world.runs.started[0]?.end()
  await world.runs.until(2)
  expect(world.runs.texts).toEqual(['M1', 'M2'])
})

test('steering that was never pulled is decided anew when its run ends; what was pulled is not run again', async () => {
  const rules = await openWith(new Rules())
  rules.decide = ({ envelope }) => {
    const run = [...world.runs.held.values()][0]
    if (run === undefined || !(envelope.input.text ?? '').startsWith('also')) return { kind: 'run' }
    const guard = {
      sql: "update runs set updated_at = updated_at + 1 where run_id = ? and status = 'running'",
      params: [run.run_id],
      expect: 1,
    }
    return { kind: 'steer', run_id: run.run_id, statements: [guard] }
  }
  await say('M1')
  await world.runs.until(1)
  const run_id = world.runs.started[0]?.run_id
  const pulled = await say('also this')
  const left = await say('also that')
  await settle()
  expect(await rowState(left.event_id)).toMatchObject({ state: 'admitted', kind: 'steer', run_id })
  await world.store.commit([
    { sql: "update mailbox set state = 'done', reason = 'pulled' where event_id = ?", params: [pulled.event_id] },
  ])
  await world.runs.started[0]?.end()
  await world.runs.until(2)
  await world.runs.started[1]?.end()
  while (world.conversations.load().open > 0) await settle(1)
  expect(world.runs.texts).toEqual(['M1', 'also that'])
  expect(await rowState(pulled.event_id)).toMatchObject({ state: 'done', reason: 'pulled' })
})

test('a steered row whose run ends in the same moment is decided anew', async () => {
  const rules = await openWith(new Rules())
  let first = true
  rules.decide = () => {
    if (!first) return { kind: 'run' }
    first = false
    return {
      kind: 'steer',
      run_id: 'ended',
      statements: [{ sql: 'update runs set updated_at = 1 where 1 = 0', params: [], expect: 1 }],
    }
  }
  await say('M1')
  await world.runs.until(1)
  expect(rules.asked).toEqual(['M1', 'M1'])
})

test('a processor without rules is run without asking', async () => {
  const rules = new Rules()
  rules.handled = false
  await openWith(rules)
  await say('M1')
  await world.runs.until(1)
  expect(rules.asked).toEqual([])
})
