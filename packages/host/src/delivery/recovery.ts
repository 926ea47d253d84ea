/** What a former start of the host left in the outbox: sent, asked about, finished, or marked unknown. */
import { StoreError } from '@runbound/store'
import { Answer } from './answer.ts'
import { sentBefore } from './earlier.ts'
import { finishStream } from './finish-stream.ts'
import { type LeftPart, leaveUnknown, outcomeOf, tellUnknown } from './left-parts.ts'
import { adapterOf, type Room, scopeOf } from './room.ts'
import * as sql from './statements.ts'

export async function recoverOutbox(room: Room): Promise<{ queued: number; unknown: number; finished: number }> {
  const rows: readonly LeftPart[] = await room.store.all(sql.openParts())
  const report = { queued: 0, unknown: 0, finished: 0 }
  // In the order of the table: what was said first is taken up first, stream or not.
  for (const parts of Map.groupBy(rows, ({ delivery_id, state, part_id }) =>
    state === 'streaming' ? part_id : delivery_id,
  ).values()) {
    const first = parts[0]
    if (first === undefined) continue
    const { target_key, bot_uuid, state } = first
    if (state === 'streaming') {
      report.finished++
      room.lanes.add(target_key, () => guarded(room, first, () => finishStream(room, first)))
      continue
    }
    const provable = room.adapter(bot_uuid)?.capabilities.provesDelivery ?? true
    if (state === 'sending' && !provable) report.unknown++
    else report.queued++
    room.lanes.add(target_key, () => guarded(room, first, () => goOn(room, parts)))
  }
  return report
}

/** A part that was `sending` when the host died is asked about; the rest of its answer follows or is held. */
async function goOn(room: Room, parts: readonly LeftPart[]): Promise<void> {
  const first = parts[0]
  if (first === undefined) return
  const earlier = await sentBefore(room, first)
  const answer = (rows: readonly LeftPart[], proved?: { readonly message_id: string | null }) =>
    new Answer(room, scopeOf(first), rows, { how: 'after_restart', earlier, ...(proved && { proved }) }).run()
  if (first.state !== 'sending') return answer(parts)
  const adapter = await adapterOf(room, first)
  if (adapter === undefined) return
  const outcome = await outcomeOf(adapter, first)
  if (outcome.status === 'sent') return answer(parts, { message_id: outcome.message_id })
  if (outcome.status === 'unknown') {
    const error = 'the host stopped while this was being sent'
    const note = 'The host stopped while this was being sent; nobody knows whether it arrived.'
    return leaveUnknown(room, first, { error, note }, await tellUnknown(room, first))
  }
  const now = room.clock.now()
  const { part_id } = first
  await room.store.commit([sql.markQueued({ part_id, due_at: now, reason: 'not_sent', error: '', now })])
  return answer([{ ...first, state: 'queued' }, ...parts.slice(1)])
}

/** An answer that can't be taken up: what was under way is unknown, what was not stays for the next start. */
async function guarded(room: Room, row: LeftPart, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const about = { delivery_id: row.delivery_id }
    room.logger.error({ err: error, ...about }, 'An answer of a former start could not be taken up')
    const why = { error: 'taking it up after the restart failed', note: 'It could not be taken up after a restart.' }
    const told = await tellUnknown(room, row).catch(() => ({ statements: [], wake: () => undefined }))
    await leaveUnknown(room, row, why, told).catch((cause: unknown) => {
      // Refused: it was not under way any more, so nothing about it is unknown.
      if (StoreError.is(cause) && cause.code === 'refused') return
      room.logger.error({ err: cause, ...about }, 'The outbox could not be written')
    })
  }
}
