/** Times as people say them, with the exact one on hover; durations and sizes with their units. */
import { type ReactNode, useSyncExternalStore } from 'react'
import { type Language, language, useLanguage } from '../words/languages.ts'

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** "3 minutes ago", "in 3 months"; under five seconds it is now. */
export function relativeTime(at: number, now: number, shown: Language = language(), short = false): string {
  const format = new Intl.RelativeTimeFormat(shown, { numeric: 'auto', style: short ? 'narrow' : 'long' })
  const past = at - now
  if (Math.abs(past) < 5_000) return format.format(0, 'second')
  const [unit, size] = STEPS.find(([, ms]) => Math.abs(past) >= ms) ?? ['second', 1_000]
  return format.format(Math.round(past / size), unit)
}

/** Date and time to the millisecond, with the zone. */
export function exactTime(at: number, shown: Language = language()): string {
  return new Intl.DateTimeFormat(shown, {
    year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit',
    fractionalSecondDigits: 3, timeZoneName: 'short', hourCycle: 'h23',
  }).format(at) // biome-ignore format: a table
}

/** Hour and minute, or the day where it is not today: for dense lists. */
export function shortTime(at: number, now: number, shown: Language = language()): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat(
    shown,
    sameDay ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { month: 'short', day: 'numeric' },
  ).format(at)
}

/** "420 ms", "3.2 s", "4 min 10 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** "3.4 MiB". */
export function byteSize(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${units[step]}`
}

const BEAT_MS = 10_000

/**
 * What `at` is told against: what just happened may lie ahead of a clock that beats every ten seconds, and is now; what lies
 * further ahead is to come.
 */
export function nowFor(at: number, now: number): number {
  return at > now && at - now <= 1.5 * BEAT_MS ? at : now
}

// One clock for every time on the page.
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    // It stood still while nobody looked.
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const one of listeners) one()
    }, BEAT_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time of the page's clock, which moves every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

export interface TimeAgoProps {
  /** Epoch milliseconds. */
  readonly at: number
  /** `short`: "14:05" or the day. */
  readonly form?: 'long' | 'narrow' | 'short'
}

export function TimeAgo({ at, form = 'long' }: TimeAgoProps): ReactNode {
  const shown = useLanguage()
  const current = nowFor(at, useNow())
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at, shown)} className="whitespace-nowrap tabular-nums">
      {form === 'short' ? shortTime(at, current, shown) : relativeTime(at, current, shown, form === 'narrow')}
    </time>
  )
}
