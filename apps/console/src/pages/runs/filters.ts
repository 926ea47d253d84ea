/** From the address of the list to the question that the host is asked. */
import type { Input } from '../../data/client.ts'
import type { RunsSearch } from './route.tsx'

export const STATUSES = ['running', 'completed', 'failed', 'cancelled', 'timeout', 'queued'] as const
export type KnownStatus = (typeof STATUSES)[number]

const HOUR_MS = 3_600_000
/** How far back each choice of time looks. */
export const RANGES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const
export type RangeName = keyof typeof RANGES
export const RANGE_NAMES = Object.keys(RANGES) as readonly RangeName[]

export type RunsQuery = NonNullable<Input<'listRuns'>['query']>

/** The beginning of a run id that is long enough to mean one. */
const ID_START = /^[0-9a-f-]{1,3}$/i

/** `now` is when the filter was chosen: it stays, so that the pages of one list belong together. */
export function queryOf(search: RunsSearch, now: number): RunsQuery {
  const range = RANGE_NAMES.find((name) => name === search.range)
  const from = range === undefined ? time(search.from) : now - RANGES[range]
  const until = range === undefined ? time(search.until) : undefined
  const q = search.q?.trim()
  return {
    ...(search.bot === undefined ? {} : { bot_uuid: search.bot }),
    ...(search.processor === undefined ? {} : { processor_id: search.processor }),
    ...(search.plugin === undefined ? {} : { installation_uuid: search.plugin }),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.person === undefined ? {} : { actor_id: search.person }),
    ...(search.conversation === undefined ? {} : { conversation_key: search.conversation }),
    ...(search.event === undefined ? {} : { event_id: search.event }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...(q === undefined || q === '' ? {} : { q }),
  }
}

/** True when anything narrows the list. */
export function isFiltered(search: RunsSearch): boolean {
  return Object.values(search).some((value) => value !== undefined)
}

/** True for text that is on its way to a run id but means none yet. */
export function tooShort(text: string): boolean {
  return ID_START.test(text.trim()) && /\d/.test(text)
}

/** Chosen statuses of the address. */
export function statusesOf(search: RunsSearch): readonly string[] {
  return search.status === undefined ? [] : search.status.split(',').filter((one) => one !== '')
}

function time(text: string | undefined): number | undefined {
  const value = Number(text)
  return text !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
