/** What must hold in the host's tables once everything has settled, whatever was killed when. */
import type { OracleEntry } from '@runbound/platform-kit/oracle'
import type { Spoken } from './load.ts'
import type { Shown } from './shown.ts'
import type { Stored } from './stored.ts'

export interface Audited {
  readonly stored: Stored
  readonly bots: Readonly<Record<string, string>>
  readonly shown: readonly Shown[]
  readonly accepted: ReadonlyMap<string, string>
  readonly load: readonly Spoken[]
  readonly log: readonly OracleEntry[]
}

/** One sentence for each thing that does not hold. */
export function audit(audited: Audited): string[] {
  return [
    ...openWork(audited.stored),
    ...oneRowEach(audited),
    ...noRepeatAfterEffect(audited.stored),
    ...ledgers(audited.stored),
    ...histories(audited),
    ...counters(audited),
  ]
}

function openWork({ rows, runs, parts, integrity }: Stored): string[] {
  const faults: string[] = []
  if (integrity !== 'ok') faults.push(`The database is damaged: ${integrity}.`)
  for (const { row_id, state } of rows) if (state !== 'done') faults.push(`Row ${row_id} is still ${state}.`)
  for (const { run_id, status } of runs) if (status === 'running') faults.push(`Run ${run_id} is still running.`)
  for (const { part_id, state } of parts)
    if (state === 'queued' || state === 'sending' || state === 'streaming')
      faults.push(`Part ${part_id} is still ${state}.`)
  return faults
}

/** Each accepted message has exactly one row at its agent, and one at the plugin processor where there is one. */
function oneRowEach({ stored, accepted, load }: Audited): string[] {
  const faults: string[] = []
  const counts = Map.groupBy(stored.rows, ({ event_id, processor_id }) => `${event_id} ${processor_id}`)
  for (const { dedupe_key, bot, tag } of load) {
    const event_id = accepted.get(dedupe_key)
    if (event_id === undefined) continue
    for (const processor of bot.startsWith('echo') ? [bot, 'note'] : [bot]) {
      const rows = counts.get(`${event_id} ${processor}`)?.length ?? 0
      if (rows !== 1) faults.push(`${tag} has ${rows} rows at ${processor}.`)
    }
  }
  return faults
}

/** What had an effect is not run again. */
function noRepeatAfterEffect({ runs }: Stored): string[] {
  const faults: string[] = []
  for (const attempts of Map.groupBy(runs, ({ event_id, processor_id }) => `${event_id} ${processor_id}`).values()) {
    if (attempts.length > 2) faults.push(`Event ${attempts[0]?.event_id} was run ${attempts.length} times.`)
    for (const { run_id, effect } of attempts.slice(0, -1))
      if (effect === 1) faults.push(`Run ${run_id} had an effect and was repeated all the same.`)
  }
  return faults
}

/** Sequences from 1 without holes. */
function ledgers({ runs, ledgers: found }: Stored): string[] {
  const byRun = new Map(found.map((ledger) => [ledger.run_id, ledger]))
  return runs.flatMap(({ run_id, last_sequence }) => {
    const { entries = 0, last = 0 } = byRun.get(run_id) ?? {}
    return entries === last && last === last_sequence
      ? []
      : [`The ledger of run ${run_id} has ${entries} entries, the last is ${last}, the run says ${last_sequence}.`]
  })
}

/** History positions without holes; each message once; what was shown to a person stands there once. */
function histories({ stored, shown }: Audited): string[] {
  const faults: string[] = []
  for (const [key, items] of Map.groupBy(stored.transcript, ({ conversation_key }) => conversation_key)) {
    items.forEach(({ seq }, index) => {
      if (seq !== index + 1) faults.push(`The history of ${key} has ${seq} at place ${index + 1}.`)
    })
    const said = Map.groupBy(
      items.filter(({ role }) => role === 'user'),
      ({ event_id }) => event_id,
    )
    for (const [event_id, entries] of said)
      if (entries.length > 1) faults.push(`Event ${event_id} stands ${entries.length} times in ${key}.`)
  }
  const told = Map.groupBy(
    stored.transcript.filter(({ role }) => role === 'assistant'),
    ({ content }) => content ?? '',
  )
  const states = new Map(stored.parts.map(({ part_id, state }) => [part_id, state]))
  for (const { text, delivery_key } of shown) {
    // The sentence is the same text everywhere.
    if (!/^c\d+m\d+ /.test(text)) continue
    const times = told.get(text)?.length ?? 0
    const wanted = states.get(delivery_key) === 'sent' ? 1 : 0
    if (times !== wanted && !(states.get(delivery_key) === 'unknown' && times <= 1))
      faults.push(`"${text}" (${states.get(delivery_key)}) stands ${times} times in history.`)
  }
  return faults
}

/** A counter goes up by one for each run that wrote it, and nobody reads a number twice. */
function counters({ stored, shown, load, accepted }: Audited): string[] {
  const faults: string[] = []
  const chats = Map.groupBy(
    load.filter(({ bot }) => bot.startsWith('counter')),
    ({ bot, chat }) => `${bot}/${chat}`,
  )
  const values = new Map(stored.counts.map(({ object_id, value }) => [object_id, Number(JSON.parse(value))]))
  for (const [chat, said] of chats) {
    const events = new Set(said.map(({ dedupe_key }) => accepted.get(dedupe_key)))
    const runs = stored.runs.filter(
      ({ event_id, processor_id, effect }) => effect === 1 && events.has(event_id) && processor_id !== 'note',
    )
    const key = runs[0]?.conversation_key ?? ''
    if ((values.get(key) ?? 0) !== runs.length)
      faults.push(`The counter of ${chat} says ${values.get(key) ?? 0}; ${runs.length} runs have written it.`)
    const numbers = said.flatMap(({ tag }) =>
      shown.flatMap(({ text }) =>
        text.startsWith(`${tag} number `) ? [Number(text.slice(text.lastIndexOf(' ') + 1))] : [],
      ),
    )
    if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0)))
      faults.push(`The numbers in ${chat} do not rise: ${numbers.join(', ')}.`)
  }
  return faults
}
