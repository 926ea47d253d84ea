/** Makes entries of the timeline from rows: what people read, and what was stored. */
import { parse } from '@runbound/link'
import type { Json } from '@runbound/protocol'
import { REASONS, type Reason } from '@runbound/protocol'
import { isTrailCode, TRAIL_CODES } from '../../trail/codes.ts'
import type { Key } from './keys.ts'
import { ORIGINS } from './keys.ts'
import { laneOf } from './lanes.ts'
import type { EventRow, GrantRow, MailboxRow, TraceRow, TrailRow } from './rows.ts'
import type { TimelineEntry } from './types.ts'

/** What all entries have; each kind overwrites what it knows better. */
export function entryBase(key: Key): TimelineEntry {
  const origin = ORIGINS[key.rank] ?? 'run'
  return {
    id: key.pos === 0 ? origin : `${origin}:${key.pos}`,
    lane: laneOf(key),
    origin,
    at: key.at,
    duration_ms: null,
    type: key.kind,
    title: key.kind,
    target: key.target,
    outcome: 'info',
    reason: null,
    sentence: null,
    who: null,
    way: null,
    delivery_id: null,
    message_id: null,
    input: null,
    output: null,
    claimed: false,
  }
}

export function eventEntry(key: Key, row: EventRow | undefined): TimelineEntry {
  return {
    ...entryBase(key),
    title: row?.input_summary || key.kind,
    outcome: 'ok',
    target: row?.actor_name ?? row?.actor_id ?? null,
    message_id: row?.message_id ?? null,
    input: row === undefined ? null : { event_id: row.event_id, source: row.source, text: row.input_summary },
  }
}

/** From the acceptance to the start of the run: how long it waited for its turn. */
export function mailboxEntry(key: Key, row: MailboxRow | undefined): TimelineEntry {
  if (row === undefined) return entryBase(key)
  return {
    ...entryBase(key),
    type: row.kind ?? 'run',
    title: row.attempt > 1 ? `waited, attempt ${row.attempt}` : 'waited for its turn',
    duration_ms: Math.max(0, row.started_at - row.accepted_at),
    outcome: 'ok',
    input: { lane: row.lane, accepted_at: row.accepted_at, admitted_at: row.admitted_at, attempt: row.attempt },
  }
}

export function trailEntry(key: Key, row: TrailRow | undefined): TimelineEntry {
  if (row === undefined) return entryBase(key)
  const facts = isTrailCode(row.code) ? TRAIL_CODES[row.code] : undefined
  const refused = facts?.decides === 'failed' ? 'failed' : facts?.decides === 'silent' ? 'denied' : 'ok'
  return {
    ...entryBase(key),
    type: row.code,
    title: row.code.replaceAll('_', ' '),
    outcome: refused,
    reason: refused === 'ok' ? null : row.code,
    sentence: row.message,
    who: facts === undefined || facts.who === 'nobody' ? null : facts.who,
    way: row.code === 'produced_not_sent' ? 'not_sent' : null,
    input: row.details === null ? null : jsonOf(row.details),
  }
}

/** The grant as a whole; its lines are the output. */
export function grantEntry(key: Key, row: GrantRow | undefined): TimelineEntry {
  const lines = row === undefined ? [] : jsonOf(row.run_grant)
  const all = Array.isArray(lines) ? lines : []
  const allowed = all.filter(
    (line) => typeof line === 'object' && line !== null && Reflect.get(line, 'allowed') === true,
  )
  return {
    ...entryBase(key),
    title: `${allowed.length} of ${all.length} things allowed`,
    outcome: 'ok',
    output: all,
  }
}

/** A call that the host saw, with the sentence who must act when it was refused. */
export function traceEntry(key: Key, row: TraceRow | undefined): TimelineEntry {
  if (row === undefined) return entryBase(key)
  const reason = row.reason !== null && Object.hasOwn(REASONS, row.reason) ? REASONS[row.reason as Reason] : undefined
  const name = row.target === null ? row.method : `${row.method} ${row.target}`
  const capped = row.method === '(trace)'
  return {
    ...entryBase(key),
    type: row.method,
    title: capped ? (row.reason ?? '') : name,
    duration_ms: capped ? null : row.micros / 1_000,
    outcome: capped ? 'info' : row.outcome,
    reason: capped || row.outcome === 'ok' ? null : row.reason,
    sentence: reason === undefined || row.outcome === 'ok' ? null : refusalSentence(name, reason),
    who: reason === undefined || row.outcome === 'ok' ? null : reason.who,
    output: row.details === null ? null : jsonOf(row.details),
  }
}

const ACTS: { readonly [who: string]: string } = {
  author: 'the author of the plugin changes it',
  operator: 'the operator allows or sets it',
  user: 'the person in the chat acts',
  host: 'the host is at fault; see its log',
  platform: 'the platform is at fault; try again later',
}

function refusalSentence(name: string, { means, who }: (typeof REASONS)[Reason]): string {
  return `${name} was refused: ${means}. So that it works next time, ${ACTS[who] ?? `${who} acts`}.`
}

/** Stored JSON; ids beyond 2^53 stay whole. */
export function jsonOf(text: string): Json {
  return parse(text)
}
