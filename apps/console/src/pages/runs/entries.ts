/** What the timeline knows of its entries: lanes, what counts as a problem, and where a bar stands in the time of the run. */
import {
  ArrowLeftRight,
  Cable,
  Compass,
  DoorOpen,
  Flag,
  type LucideIcon,
  MessageSquareText,
  ScrollText,
  ShieldCheck,
  Sparkles,
  Wrench,
} from 'lucide-react'
import type { Output } from '../../data/client.ts'
import type { RunSearchParams } from './route.tsx'

export type Entry = Output<'runTimeline'>['items'][number]
export type Lane = Entry['lane']

/** In the order in which a run goes through them. */
export const LANES: readonly Lane[] = [
  'event', 'admission', 'grant', 'model', 'tool', 'host', 'reply', 'log', 'steering', 'run',
] // biome-ignore format: a list

export const LANE_ICONS: Readonly<Record<Lane, LucideIcon>> = {
  event: Cable, admission: DoorOpen, grant: ShieldCheck, model: Sparkles, tool: Wrench, host: ArrowLeftRight,
  reply: MessageSquareText, log: ScrollText, steering: Compass, run: Flag,
} // biome-ignore format: a table

/** What became of an entry, as its colour says it. */
export type News = 'bad' | 'doubt' | 'unsent' | 'waiting' | 'good' | 'plain'

export function newsOf(entry: Entry): News {
  if (entry.way === 'unknown') return 'doubt'
  if (entry.way === 'not_sent') return 'unsent'
  if (entry.outcome === 'denied' || entry.outcome === 'failed') return 'bad'
  if (entry.outcome === 'waiting') return entry.type === 'held' ? 'doubt' : 'waiting'
  return entry.outcome === 'ok' && (entry.lane === 'reply' || entry.lane === 'run') ? 'good' : 'plain'
}

/** Refused, failed, or not arrived: what one looks for first. */
export function isProblem(entry: Entry): boolean {
  return ['bad', 'doubt', 'unsent'].includes(newsOf(entry))
}

/** True when a second line says why and who must act. */
export function hasSentence(entry: Entry): boolean {
  return isProblem(entry) && (entry.sentence !== null || entry.reason !== null)
}

/** The part of an answer that the operator decides about; `can` says what may be done with it. */
export function openDelivery(entry: Entry): { readonly id: string; readonly can: 'both' | 'resend' } | null {
  if (entry.origin !== 'outbox' || entry.delivery_id === null) return null
  if (entry.type === 'unknown' || entry.type === 'held') return { id: entry.delivery_id, can: 'both' }
  return entry.type === 'failed' ? { id: entry.delivery_id, can: 'resend' } : null
}

/** From when to when the run and what led to it took. Epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

export function spanOf(entries: readonly Entry[]): Span {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const entry of entries) {
    const bar = barOf(entry)
    from = Math.min(from, bar.from)
    to = Math.max(to, bar.to)
  }
  return Number.isFinite(from) ? { from, to: Math.max(to, from + 1) } : { from: 0, to: 1 }
}

/** An end is told when it is over: its bar lies before it. */
export function barOf(entry: Entry): Span {
  const took = entry.duration_ms ?? 0
  return entry.lane === 'run' && entry.origin === 'ledger'
    ? { from: entry.at - took, to: entry.at }
    : { from: entry.at, to: entry.at + took }
}

/** Lanes that the address shows. */
export function lanesOf(search: RunSearchParams): ReadonlySet<Lane> {
  const named = search.lanes?.split(',')
  return new Set(named === undefined ? LANES : LANES.filter((lane) => named.includes(lane)))
}
