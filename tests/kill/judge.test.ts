/** The judge sees what it is there for: each planted fault is found, and a good world passes. */
import type { OracleEntry } from '@runbound/platform-kit/oracle'
import { describe, expect, test } from 'vitest'
import { nameOf, SENTENCE } from './behaviours.ts'
import { type Evidence, judge } from './judge.ts'
import type { Spoken } from './load.ts'
import type { Stored } from './stored.ts'

const BOT = nameOf({ runner: 'slow', proves: false })

interface Told {
  readonly tag: string
  /** Texts in the chat, in order. */
  readonly shown: readonly string[]
  readonly reason?: string
  readonly effect?: 0 | 1
  readonly attempts?: number
  readonly sentence?: boolean
  readonly part?: 'sent' | 'unknown'
}

/** A world in which these messages were said in one chat, in this order, and became what is told of them. */
function world(
  told: readonly Told[],
  more: { readonly inFlight?: readonly string[]; readonly order?: readonly string[] } = {},
): Evidence {
  const load: Spoken[] = told.map(({ tag }) => ({
    tag,
    bot: BOT,
    chat: 'u-1',
    sender: 'u-1',
    group: null,
    dedupe_key: `key-${tag}`,
    at: 0,
    repeated: false,
  }))
  const log: Omit<OracleEntry, 'n' | 'at' | 'bot_uuid'>[] = told.map(({ tag }) => ({
    what: 'accepted',
    dedupe_key: `key-${tag}`,
    answer: { status: 'accepted', event_id: `e-${tag}` },
  }))
  const messages = told.flatMap((one) => [
    ...one.shown.map((text, index) => ({ text, key: `part-${one.tag}-${index}` })),
    ...(one.sentence === true ? [{ text: SENTENCE, key: `sentence:run-${one.tag}-${one.attempts ?? 1}` }] : []),
  ])
  const order = more.order ?? messages.map(({ key }) => key)
  for (const key of order) {
    const text = messages.find((message) => message.key === key)?.text ?? ''
    log.push({ what: 'sent', message: message(key, text) })
  }
  const stored: Stored = {
    rows: told.map(({ tag, reason = 'completed', attempts = 1 }, index) => ({
      position: index + 1,
      row_id: `row-${tag}`,
      event_id: `e-${tag}`,
      processor_id: BOT,
      state: 'done',
      reason,
      attempt: attempts,
      run_id: `run-${tag}-${attempts}`,
    })),
    runs: told.flatMap(({ tag, effect = 1, attempts = 1 }) =>
      Array.from({ length: attempts }, (_, index) => ({
        run_id: `run-${tag}-${index + 1}`,
        event_id: `e-${tag}`,
        processor_id: BOT,
        status: 'completed',
        reason_code: null,
        effect: index + 1 === attempts ? effect : 0,
        attempt: index + 1,
        last_sequence: 2,
        conversation_key: 'k-1',
      })),
    ),
    parts: told.map(({ tag, part = 'sent' }) => ({
      part_id: `part-${tag}-0`,
      bot_uuid: 'b-1',
      event_id: `e-${tag}`,
      run_id: `run-${tag}-1`,
      state: part,
      reason: null,
    })),
    ledgers: told.flatMap(({ tag, attempts = 1 }) =>
      Array.from({ length: attempts }, (_, index) => ({ run_id: `run-${tag}-${index + 1}`, entries: 2, last: 2 })),
    ),
    transcript: told.flatMap(({ tag, shown, part = 'sent' }) =>
      part === 'sent'
        ? shown.slice(0, 1).map((content) => ({
            conversation_key: `k-${tag}`,
            seq: 1,
            role: 'assistant',
            event_id: `e-${tag}`,
            content,
          }))
        : [],
    ),
    counts: [],
    integrity: 'ok',
  }
  return {
    load,
    log: log.map((entry, index) => ({ ...entry, n: index + 1, at: index, bot_uuid: 'b-1' })),
    stored,
    inFlight: [new Set(more.inFlight ?? [])],
    bots: { [BOT]: 'b-1' },
  }
}

function message(key: string, text: string): NonNullable<OracleEntry['message']> {
  return {
    message_id: `out-${key}`,
    delivery_key: key,
    target: { target_type: 'person', target_id: 'u-1' },
    quote_message_id: null,
    conversation_id: null,
    run_id: null,
    part: 1,
    parts: 1,
    text,
    chain: [],
    state: 'whole',
    changedAt: 0,
    edits: 0,
  }
}

const answered = (tag: string): Told => ({ tag, shown: [`${tag} slowly`] })

describe('the judge of the kill test', () => {
  test('a world in which all went well passes', () => {
    const verdict = judge(world([answered('c0m0'), answered('c0m1')]))
    expect(verdict).toMatchObject({ accepted: 2, answered_once: 2, lost: 0, doubled: 0, reordered: 0, faults: [] })
  })

  test('a message without an answer is lost', () => {
    const verdict = judge(world([{ tag: 'c0m0', shown: [] }]))
    expect(verdict).toMatchObject({ answered_once: 0, lost: 1 })
    expect(verdict.faults[0]).toMatch(/c0m0 .* was lost/)
  })

  test('half an answer is lost', () => {
    expect(judge(world([{ tag: 'c0m0', shown: ['c0m0 slo'] }]))).toMatchObject({ lost: 1 })
  })

  test('an answer twice is doubled', () => {
    const verdict = judge(world([{ tag: 'c0m0', shown: ['c0m0 slowly', 'c0m0 slowly'] }]))
    expect(verdict).toMatchObject({ answered_once: 1, doubled: 1 })
  })

  test('an interrupted run after an effect is told once; silence or two sentences are faults', () => {
    const cut = { tag: 'c0m0', shown: [], reason: 'interrupted' } as const
    expect(judge(world([{ ...cut, sentence: true }]))).toMatchObject({ interrupted: 1, lost: 0, faults: [] })
    expect(judge(world([cut]))).toMatchObject({ interrupted: 0, lost: 1 })
    const twice = { ...cut, sentence: true, shown: [`c0m0 slo\n\n${SENTENCE}`] }
    expect(judge(world([twice]))).toMatchObject({ interrupted: 1, doubled: 1 })
  })

  test('an interrupted run without effect is a fault, unless it was the last attempt', () => {
    const cut = { tag: 'c0m0', shown: [], reason: 'interrupted', sentence: true, effect: 0 } as const
    expect(judge(world([cut])).faults.join()).toMatch(/had no effect/)
    expect(judge(world([{ ...cut, attempts: 2 }]))).toMatchObject({ interrupted_without_effect: 1, faults: [] })
  })

  test('an effect that is followed by another attempt is a fault', () => {
    const evidence = world([{ ...answered('c0m0'), attempts: 2 }])
    const runs = evidence.stored.runs.map((run) => ({ ...run, effect: 1 }))
    expect(judge({ ...evidence, stored: { ...evidence.stored, runs } }).faults.join()).toMatch(/repeated all the same/)
  })

  test('unknown is what a kill met in flight, and nothing else', () => {
    const unknown = { tag: 'c0m0', shown: ['c0m0 slowly'], part: 'unknown' } as const
    expect(judge(world([unknown], { inFlight: ['part-c0m0-0'] }))).toMatchObject({
      unknown: 1,
      unknown_sends: 1,
      faults: [],
    })
    expect(judge(world([unknown])).faults.join()).toMatch(/no kill met it in flight/)
  })

  test('answers in another order than the questions are reordered', () => {
    const order = ['part-c0m1-0', 'part-c0m0-0']
    expect(judge(world([answered('c0m0'), answered('c0m1')], { order }))).toMatchObject({ reordered: 1 })
  })

  test('a message that no host accepted is a fault', () => {
    const evidence = world([answered('c0m0')])
    const log = evidence.log.filter(({ what }) => what !== 'accepted')
    expect(judge({ ...evidence, log }).faults.join()).toMatch(/c0m0 was never accepted/)
  })

  test('work that is left open, a hole in a ledger and a damaged database are faults', () => {
    const evidence = world([answered('c0m0')])
    const { stored } = evidence
    const broken: Stored = {
      ...stored,
      rows: stored.rows.map((row) => ({ ...row, state: 'active' })),
      ledgers: stored.ledgers.map((ledger) => ({ ...ledger, entries: 1 })),
      integrity: 'row 7 missing from index',
    }
    const faults = judge({ ...evidence, stored: broken }).faults.join('\n')
    expect(faults).toMatch(/still active/)
    expect(faults).toMatch(/ledger of run run-c0m0-1/)
    expect(faults).toMatch(/database is damaged/)
  })
})
