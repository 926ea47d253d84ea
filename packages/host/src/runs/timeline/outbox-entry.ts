/** Makes entries of the timeline from the outbox: one for each part, as the platform has it. */
import { isJsonObject } from '@runbound/protocol/schemas'
import { TRAIL_CODES, type TrailCode, trailSentence } from '../../trail/codes.ts'
import { entryBase, jsonOf } from './entries.ts'
import type { Key } from './keys.ts'
import { short, wayOf } from './ledger-entry.ts'
import type { OutboxRow } from './rows.ts'
import type { TimelineEntry } from './types.ts'

const STATES: { readonly [state: string]: { readonly outcome: TimelineEntry['outcome']; readonly code?: TrailCode } } =
  {
    streaming: { outcome: 'waiting' },
    queued: { outcome: 'waiting' },
    sending: { outcome: 'waiting' },
    sent: { outcome: 'ok' },
    unknown: { outcome: 'failed', code: 'delivery_unknown' },
    failed: { outcome: 'failed', code: 'delivery_failed' },
    held: { outcome: 'waiting', code: 'delivery_held' },
    discarded: { outcome: 'cancelled', code: 'delivery_discarded' },
  }

export function outboxEntry(key: Key, row: OutboxRow | undefined): TimelineEntry {
  if (row === undefined) return entryBase(key)
  const { outcome, code } = STATES[row.state] ?? { outcome: 'info' }
  const chain = jsonOf(row.chain)
  const facts = code === undefined ? undefined : TRAIL_CODES[code]
  return {
    ...entryBase(key),
    type: row.state,
    title: short(chainText(chain)) || 'answer',
    target: row.parts > 1 ? `part ${row.part} of ${row.parts}` : null,
    duration_ms: row.sent_at === null ? null : Math.max(0, row.sent_at - row.created_at),
    outcome,
    reason: code === undefined ? null : (row.reason ?? code),
    sentence: code === undefined ? null : trailSentence(code, { error: row.error, reason: row.reason }),
    who: facts === undefined ? null : facts.who,
    way: way(row),
    delivery_id: row.delivery_id,
    message_id: row.message_id,
    input: chain,
    output: { state: row.state, attempts: row.attempts, error: row.error, sent_at: row.sent_at },
  }
}

/** Unknown outweighs how it was tried; a stream is one also while it is open. */
function way(row: OutboxRow): TimelineEntry['way'] {
  if (row.state === 'unknown') return 'unknown'
  if (row.stream_id !== null) return 'native_stream'
  const told = wayOf(row.how)
  if (told !== null && told !== 'message') return told
  if (/^(sentence|busy):/.test(row.delivery_id)) return 'host_sentence'
  return row.parts > 1 ? 'split' : 'message'
}

function chainText(chain: unknown): string {
  if (!Array.isArray(chain)) return ''
  return chain
    .map((part) => (isJsonObject(part) ? (typeof part.text === 'string' ? part.text : `[${String(part.type)}]`) : ''))
    .join('')
}
