/** What a former start of the host left in the outbox: sent, asked about, finished, or marked unknown. */
import { Answer } from './answer.ts'
import { finishStream } from './finish-stream.ts'
import { type LeftPart, note, said, tellUnknown } from './left-parts.ts'
import { adapterOf, chainOf, type Room, scopeOf } from './room.ts'
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
  let rest: readonly LeftPart[] = parts
  const first = parts[0]
  if (first?.state === 'sending') {
    const adapter = await adapterOf(room, first)
    if (adapter === undefined) return
    const outcome =
      adapter.outcome === undefined
        ? { status: 'unknown' as const }
        : await adapter.outcome(first.part_id).catch(() => ({ status: 'unknown' as const }))
    const now = room.clock.now()
    if (outcome.status === 'unknown') {
      const told = await tellUnknown(room, first)
      await room.store.commit([
        sql.markEnded({
          part_id: first.part_id,
          state: 'unknown',
          reason: 'host_restarted',
          error: 'the host stopped while this was being sent',
          now,
        }),
        sql.markRest({
          delivery_id: first.delivery_id,
          part: first.part,
          state: 'held',
          reason: 'behind_unknown',
          now,
        }),
        ...note(
          room,
          first,
          'delivery_unknown',
          'The host stopped while this was being sent; nobody knows whether it arrived.',
        ),
        ...told.statements,
      ])
      told.wake()
      return
    }
    if (outcome.status === 'sent') {
      rest = parts.slice(1)
      await room.store.commit([
        sql.markSent({
          part_id: first.part_id,
          message_id: outcome.message_id,
          chain: first.chain,
          reason: 'proved_after_restart',
          now,
        }),
        ...(rest.length === 0 ? said(room, first, chainOf(first), outcome.message_id) : []),
      ])
    } else {
      await room.store.commit([
        sql.markQueued({ part_id: first.part_id, due_at: now, reason: 'not_sent', error: '', now }),
      ])
      rest = [{ ...first, state: 'queued' }, ...parts.slice(1)]
    }
  }
  const head = rest[0]
  if (head !== undefined) await new Answer(room, scopeOf(head), rest, 'after_restart').run()
}

async function guarded(room: Room, row: LeftPart, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    room.logger.error({ err: error, delivery_id: row.delivery_id }, 'An answer of a former start could not be taken up')
    await room.store
      .commit([
        sql.markEnded({
          part_id: row.part_id,
          state: 'unknown',
          reason: 'host_restarted',
          error: 'taking it up after the restart failed',
          now: room.clock.now(),
        }),
      ])
      .catch((cause: unknown) => room.logger.error({ err: cause }, 'The outbox could not be written'))
  }
}
