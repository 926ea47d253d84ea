/** Makes entries of the timeline from the ledger: what the Runner said, and how the run began and ended. */
import type { Json, JsonObject } from '@runbound/protocol'
import { isJsonObject } from '@runbound/protocol/schemas'
import { isTrailCode, TRAIL_CODES } from '../../trail/codes.ts'
import { entryBase, jsonOf } from './entries.ts'
import type { Key } from './keys.ts'
import type { LedgerRow } from './rows.ts'
import type { TimelineEntry } from './types.ts'

const TITLE_MAX = 120

export function ledgerEntry(key: Key, row: LedgerRow | undefined): TimelineEntry {
  if (row === undefined) return entryBase(key)
  const json = jsonOf(row.data)
  const data = isJsonObject(json) ? json : {}
  const base = {
    ...entryBase(key),
    output: json,
    input: row.usage === null ? null : { usage: jsonOf(row.usage) },
    claimed: row.source === 'runner' && row.type.startsWith('tool.call.'),
  }
  if (row.type.startsWith('run.')) return { ...base, ...endOf(row, key, data) }
  if (row.type === 'result.rejected') return { ...base, ...rejected(data) }
  if (row.type.startsWith('message.')) return { ...base, ...said(data) }
  if (row.type.startsWith('delivery.')) return { ...base, ...delivered(row.type, data) }
  if (row.type === 'processor.log') return { ...base, ...logged(data) }
  const name = text(data.tool_name) ?? text(data.key) ?? text(data.action)
  return { ...base, title: name === null ? row.type : `${row.type} ${name}`, target: name, outcome: 'ok' }
}

const ENDS: { readonly [type: string]: { readonly outcome: TimelineEntry['outcome']; readonly code: string } } = {
  'run.completed': { outcome: 'ok', code: 'run_completed' },
  'run.failed': { outcome: 'failed', code: 'run_failed' },
  'run.cancelled': { outcome: 'cancelled', code: 'run_cancelled' },
  'run.timeout': { outcome: 'failed', code: 'run_timeout' },
}

function endOf(row: LedgerRow, key: Key, data: JsonObject): Partial<TimelineEntry> {
  const end = ENDS[row.type]
  if (end === undefined)
    return { title: row.type.slice(4).replaceAll('_', ' '), outcome: 'info', sentence: text(data.reason) }
  const facts = isTrailCode(end.code) ? TRAIL_CODES[end.code] : undefined
  const why = text(data.error) ?? text(data.reason)
  const bad = end.outcome !== 'ok'
  return {
    title: row.type.slice(4),
    duration_ms: Math.max(0, key.at - row.started_at),
    outcome: end.outcome,
    reason: bad ? (text(data.code) ?? end.code) : null,
    sentence: bad ? (why ?? facts?.says ?? null) : null,
    who: bad && facts !== undefined && facts.who !== 'nobody' ? facts.who : null,
  }
}

const rejected = (data: JsonObject): Partial<TimelineEntry> => ({
  title: `${text(data.type) ?? 'result'} refused`,
  target: text(data.type),
  outcome: 'denied',
  reason: text(data.reason),
  sentence: text(data.message),
  who: 'author',
})

/** Returned and not sent: agents and plugin processors speak through reply. A pipeline's answers stand in the outbox. */
function said(data: JsonObject): Partial<TimelineEntry> {
  const content = messageText(data)
  return { title: short(content) || 'message', outcome: 'info', way: 'not_sent', target: null }
}

function delivered(type: string, data: JsonObject): Partial<TimelineEntry> {
  const way = type === 'delivery.simulated' ? 'simulated' : wayOf(text(data.how))
  return {
    title: short(text(data.text) ?? '') || (type === 'delivery.simulated' ? 'simulated answer' : 'answer'),
    outcome: 'ok',
    way,
    delivery_id: text(data.delivery_id),
    message_id: text(data.message_id),
  }
}

/** From what delivery wrote of the way. */
export function wayOf(how: string | null): TimelineEntry['way'] {
  if (how === null) return null
  if (how.startsWith('stream:')) return 'native_stream'
  switch (how) {
    case 'buffered':
    case 'resent':
    case 'after_restart':
    case 'simulated':
      return how
    case 'sentence':
      return 'host_sentence'
    default:
      return 'message'
  }
}

function logged(data: JsonObject): Partial<TimelineEntry> {
  const level = text(data.level)
  return {
    title: short(text(data.message) ?? text(data.text) ?? 'log'),
    target: level,
    outcome: level === 'error' ? 'failed' : 'info',
  }
}

/** The text of a returned message: a text, or the texts of its parts. */
function messageText(data: JsonObject): string {
  const message: Json | undefined = data.message ?? data.delta ?? data.chunk ?? data
  const content = isJsonObject(message) ? message.content : message
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return text(data.text) ?? ''
  return content
    .map((part) => (isJsonObject(part) ? (text(part.text) ?? `[${text(part.type) ?? 'part'}]`) : ''))
    .join('')
}

export const short = (words: string): string => {
  const line = words.replace(/\s+/g, ' ').trim()
  return line.length > TITLE_MAX ? `${line.slice(0, TITLE_MAX)}…` : line
}

const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)
