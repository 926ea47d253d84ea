/** Says of each message what became of it: from what the platform's log shows and what the host's tables hold. */
import type { OracleEntry } from '@runbound/platform-kit/oracle'
import { audit } from './audit.ts'
import { BEHAVIOURS, type Behaviour, nameOf, SENTENCE } from './behaviours.ts'
import type { Spoken } from './load.ts'
import { confirmations, type Shown, shownMessages } from './shown.ts'
import type { Stored, StoredPart, StoredRow, StoredRun } from './stored.ts'

export interface Evidence {
  readonly load: readonly Spoken[]
  readonly log: readonly OracleEntry[]
  /** The folder after everything has settled. */
  readonly stored: Stored
  /** Of each kill: the parts that were being sent. */
  readonly inFlight: readonly ReadonlySet<string>[]
  /** Uuids of bots by name. */
  readonly bots: Readonly<Record<string, string>>
}

/** Counts of messages, except `unknown_sends` and `in_flight`, which count sends. */
export interface Verdict {
  readonly accepted: number
  readonly answered_once: number
  readonly interrupted: number
  /** Of these: without an effect, after the last attempt. */
  readonly interrupted_without_effect: number
  readonly unknown: number
  readonly lost: number
  readonly doubled: number
  readonly reordered: number
  readonly unknown_sends: number
  readonly in_flight: number
  /** Everything that must not be, one sentence each. Empty: passed. */
  readonly faults: readonly string[]
}

type Fate = 'answered_once' | 'interrupted' | 'unknown' | 'lost'

/** What is known of one message. */
interface Case {
  readonly spoken: Spoken
  readonly behaviour: Behaviour
  readonly row: StoredRow | undefined
  readonly runs: readonly StoredRun[]
  readonly parts: readonly StoredPart[]
  readonly answers: readonly Shown[]
  readonly sentences: readonly Shown[]
}

export function judge(evidence: Evidence): Verdict {
  const { load, log, stored, bots } = evidence
  const faults: string[] = []
  const { accepted, refused } = confirmations(log)
  const shown = shownMessages(log)
  const cases = casesOf(evidence, accepted, shown)
  const fates: Record<Fate, number> = { answered_once: 0, interrupted: 0, unknown: 0, lost: 0 }
  let doubled = 0
  let interrupted_without_effect = 0
  for (const { dedupe_key, tag } of load) {
    if (refused.has(dedupe_key)) faults.push(`${tag} was refused.`)
    else if (!accepted.has(dedupe_key)) faults.push(`${tag} was never accepted.`)
  }
  for (const one of cases) {
    const fate = fateOf(one)
    fates[fate]++
    if (fate === 'lost') faults.push(`${told(one)} was lost.`)
    if (fate === 'interrupted' && !one.runs.some(({ effect }) => effect === 1)) {
      interrupted_without_effect++
      // A run without effect is begun twice; a message that two kills met is given up, and its sender told.
      if (one.runs.length < 2) faults.push(`${told(one)} was interrupted although its only run had no effect.`)
    }
    const twice = doubledOf(one)
    if (twice !== null) {
      doubled++
      faults.push(`${told(one)} was doubled: ${twice}.`)
    }
  }
  const reordered = outOfOrder(cases, stored, shown, faults)
  const sends = unknownSends(evidence, faults)
  faults.push(...audit({ stored, bots, shown, accepted, load, log }))
  return {
    accepted: cases.length,
    ...fates,
    interrupted_without_effect,
    doubled,
    reordered,
    ...sends,
    faults,
  }
}

function casesOf(
  { load, stored }: Evidence,
  accepted: ReadonlyMap<string, string>,
  shown: readonly Shown[],
): readonly Case[] {
  const behaviours = new Map(BEHAVIOURS.map((behaviour) => [nameOf(behaviour), behaviour]))
  const rows = new Map(stored.rows.map((row) => [`${row.event_id} ${row.processor_id}`, row]))
  const runs = Map.groupBy(stored.runs, (run) => `${run.event_id} ${run.processor_id}`)
  const parts = Map.groupBy(stored.parts, ({ event_id }) => event_id)
  const byTag = Map.groupBy(shown, ({ text }) => text.slice(0, text.indexOf(' ')))
  const byKey = Map.groupBy(shown, ({ delivery_key }) => delivery_key)
  return load.flatMap((spoken) => {
    const event_id = accepted.get(spoken.dedupe_key)
    const behaviour = behaviours.get(spoken.bot)
    if (event_id === undefined || behaviour === undefined) return []
    const own = runs.get(`${event_id} ${spoken.bot}`) ?? []
    return [
      {
        spoken,
        behaviour,
        row: rows.get(`${event_id} ${spoken.bot}`),
        runs: own,
        parts: parts.get(event_id) ?? [],
        answers: byTag.get(spoken.tag) ?? [],
        sentences: own.flatMap(({ run_id }) => byKey.get(`sentence:${run_id}`) ?? []),
      },
    ]
  })
}

function fateOf(one: Case): Fate {
  const { row, parts, answers, sentences } = one
  if (row?.state !== 'done') return 'lost'
  const unknown = parts.some(({ state }) => state === 'unknown')
  if (row.reason === 'interrupted') {
    const told = sentences.length > 0 || answers.some(({ text }) => text.endsWith(SENTENCE))
    return told || unknown ? 'interrupted' : 'lost'
  }
  if (unknown) return 'unknown'
  const complete = one.behaviour
    .answers(one.spoken.tag)
    .every((expected) => answers.some(({ text }) => expected.test(text)))
  return complete && row.reason === 'completed' ? 'answered_once' : 'lost'
}

function doubledOf({ behaviour, spoken, answers, sentences }: Case): string | null {
  const expected = behaviour.answers(spoken.tag)
  for (const text of expected) if (answers.filter((answer) => text.test(answer.text)).length > 1) return String(text)
  if (answers.length > expected.length) return answers.map(({ text }) => text).join(' / ')
  const said = sentences.length + answers.filter(({ text }) => text.endsWith(SENTENCE)).length
  return said > 1 ? 'the sentence' : null
}

/** In each chat answers appear in the order in which people spoke, and that is the order of the mailbox. */
function outOfOrder(cases: readonly Case[], stored: Stored, shown: readonly Shown[], faults: string[]): number {
  const eventOf = new Map<string, Case>()
  for (const one of cases) for (const { run_id } of one.runs) eventOf.set(`sentence:${run_id}`, one)
  const byTag = new Map(cases.map((one) => [one.spoken.tag, one]))
  const last = new Map<string, Case>()
  let count = 0
  for (const { text, delivery_key, chat, bot_uuid } of shown) {
    const one = byTag.get(text.slice(0, text.indexOf(' '))) ?? eventOf.get(delivery_key)
    if (one === undefined) {
      faults.push(`"${text}" in ${chat} answers nobody.`)
      continue
    }
    const before = last.get(`${bot_uuid}/${chat}`)
    if (before !== undefined && turn(one) < turn(before)) {
      count++
      faults.push(`In ${chat} ${told(one)} was answered after ${before.spoken.tag}.`)
    }
    last.set(`${bot_uuid}/${chat}`, one)
  }
  return count + mailboxOrder(cases, stored, faults)
}

function mailboxOrder(cases: readonly Case[], _stored: Stored, faults: string[]): number {
  let count = 0
  for (const [chat, said] of Map.groupBy(cases, ({ spoken }) => `${spoken.bot}/${spoken.chat}`)) {
    const positions = said.toSorted((a, b) => turn(a) - turn(b)).map(({ row }) => row?.position ?? 0)
    for (const [index, position] of positions.entries()) {
      if (index === 0 || position > (positions[index - 1] ?? 0)) continue
      count++
      faults.push(`In ${chat} message ${index} stands before the one that was said before it.`)
    }
  }
  return count
}

/** The number of a message in its conversation. */
const turn = ({ spoken }: Case): number => Number(spoken.tag.slice(spoken.tag.indexOf('m') + 1))

function unknownSends(
  { stored, inFlight, bots }: Evidence,
  faults: string[],
): { unknown_sends: number; in_flight: number } {
  const flying = new Set(inFlight.flatMap((parts) => [...parts]))
  const proving = new Set(BEHAVIOURS.filter(({ proves }) => proves).map((behaviour) => bots[nameOf(behaviour)]))
  const unknown = stored.parts.filter(({ state }) => state === 'unknown')
  for (const { part_id, bot_uuid, reason } of unknown) {
    if (!flying.has(part_id)) faults.push(`Part ${part_id} is unknown (${reason}), but no kill met it in flight.`)
    if (proving.has(bot_uuid)) faults.push(`Part ${part_id} is unknown (${reason}), but its adapter proves delivery.`)
  }
  return { unknown_sends: unknown.length, in_flight: flying.size }
}

function told({ spoken, row, runs, parts, answers, sentences }: Case): string {
  const of = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join(', '))
  return [
    `${spoken.tag} (${spoken.bot}; row ${row?.state}/${row?.reason}, attempt ${row?.attempt}`,
    `runs ${of(runs.map(({ run_id, status, reason_code, effect }) => `${run_id.slice(0, 8)} ${status}/${reason_code} effect ${effect}`))}`,
    `parts ${of(parts.map(({ state, reason }) => `${state}/${reason}`))}`,
    `shown ${of([...answers, ...sentences].map(({ text, state }) => `"${text}" ${state}`))})`,
  ].join('; ')
}
