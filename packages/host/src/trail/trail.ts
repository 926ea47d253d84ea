/** The trail: entries as statements for other rooms' units, and the verdict that they add up to. */
import { query, type Slots, type Store, statement } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { isTrailCode, TRAIL_CODES, type TrailCode, type TrailOutcome, trailSentence } from './codes.ts'
import { withNames } from './named.ts'
import { reasonCodes } from './reasons.ts'
import { SILENCE } from './silence.ts'
import type { Trail, TrailEntry, TrailRecord, TrailStep, TrailVerdict } from './types.ts'

interface EntryValues {
  readonly workspace_uuid: string
  readonly event_id: string
  readonly processor_id: string | null
  readonly at: number
  readonly step: string
  readonly code: string
  readonly message: string
  readonly details: string | null
}

const insertEntry = statement((db, p: Slots<EntryValues>) =>
  db.insertInto('trail').values({
    workspace_uuid: p('workspace_uuid'),
    event_id: p('event_id'),
    processor_id: p('processor_id'),
    at: p('at'),
    step: p('step'),
    code: p('code'),
    message: p('message'),
    details: p('details'),
  }),
)

const entriesOf = query((db, p: Slots<{ event_id: string }>) =>
  db
    .selectFrom('trail')
    .select(['workspace_uuid', 'event_id', 'processor_id', 'at', 'step', 'code', 'message', 'details'])
    .where('event_id', '=', p('event_id'))
    .orderBy('id'),
)

const entriesOfAll = query((db, p: Slots<{ event_ids: readonly string[] }>) =>
  db
    .selectFrom('trail')
    .select(['workspace_uuid', 'event_id', 'processor_id', 'at', 'step', 'code', 'message', 'details'])
    .where('event_id', 'in', p.list('event_ids'))
    .orderBy('event_id')
    .orderBy('id'),
)

const STEPS: readonly TrailStep[] = ['intake', 'route', 'admission', 'run', 'delivery']

/** Makes the trail over a store. */
export function createTrail(options: { readonly store: Store; readonly clock: Clock }): Trail {
  const { store, clock } = options

  function entry(given: TrailEntry) {
    return insertEntry({
      workspace_uuid: given.workspace_uuid,
      event_id: given.event_id,
      processor_id: given.processor_id ?? null,
      at: clock.now(),
      step: given.step,
      code: given.code,
      message: given.message,
      details: given.details === undefined ? null : JSON.stringify(given.details),
    })
  }

  async function of(eventId: string): Promise<readonly TrailRecord[]> {
    return withNames(store, (await store.all(entriesOf({ event_id: eventId }))).map(recordOf))
  }

  return {
    entry,
    because(code: TrailCode, about) {
      const details = { processor_id: about.processor_id, ...about.details }
      return entry({ ...about, step: TRAIL_CODES[code].step, code, message: trailSentence(code, details) })
    },
    of,
    async why(eventId) {
      const entries = await of(eventId)
      return verdict(entries)
    },
    reasons: () => ({ reasons: reasonCodes(), silence: [...SILENCE] }),
    async verdicts(eventIds) {
      if (eventIds.length === 0) return new Map()
      const rows = await store.slow(entriesOfAll({ event_ids: [...new Set(eventIds)] }))
      const verdicts = new Map<string, TrailVerdict>()
      const records = await withNames(store, rows.map(recordOf))
      for (const [eventId, entries] of Map.groupBy(records, (entry) => entry.event_id)) {
        const found = verdict(entries)
        if (found !== null) verdicts.set(eventId, found)
      }
      return verdicts
    },
  }
}

function recordOf({ details, step, ...row }: EntryValues): TrailRecord {
  return {
    ...row,
    step: STEPS.find((known) => known === step) ?? 'intake',
    ...(details === null ? {} : { details: readDetails(details) }),
  }
}

/**
 * The deciding entry: an answer before anything else, then the furthest step at which the way ended; there whatever says
 * more than that a run was content (one that only watches does not hide another's failure), then the newest.
 */
export function verdict(entries: readonly TrailRecord[]): TrailVerdict | null {
  let deciding: TrailRecord | undefined
  let best = -1
  for (const entry of entries) {
    const weight = weigh(entry)
    // Not `>`: of equals the newest one decides.
    if (weight >= best) {
      best = weight
      deciding = entry
    }
  }
  if (deciding === undefined) return null
  const facts = isTrailCode(deciding.code) ? TRAIL_CODES[deciding.code] : undefined
  const outcome = facts?.decides ?? 'failed'
  return {
    code: deciding.code,
    sentence: sentenceOf(deciding, outcome),
    answered: outcome === 'answered',
    outcome,
    who: facts?.who ?? 'host',
    entries,
  }
}

/** The entry was written before it was known to decide: what follows from that is said here. */
function sentenceOf({ code, message }: TrailRecord, outcome: TrailOutcome): string {
  if (outcome === 'open') return `${message} Nothing has ended it yet.`
  return code === 'run_completed' ? `${message} It sent no answer.` : message
}

function weigh(entry: TrailRecord): number {
  const decides = isTrailCode(entry.code) ? TRAIL_CODES[entry.code].decides : 'failed'
  const step = STEPS.indexOf(entry.step)
  if (decides === 'answered') return 200 + step
  if (decides === 'open') return step
  return 100 + 2 * step + (entry.code === 'run_completed' ? 0 : 1)
}

function readDetails(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : { value }
}
