/** What a former start of the host left in the outbox: sent, asked about, finished, or marked unknown. */
import type { MessageChain } from '@runbound/protocol'
import type { TrailCode } from '../trail/codes.ts'
import { Answer } from './answer.ts'
import { bounded } from './call-adapter.ts'
import { adapterOf, chainOf, outgoing, type Room, scopeOf } from './room.ts'
import * as sql from './statements.ts'

type OpenRow = sql.PartRow & { readonly message_id: string | null }

/** The key of a run's sentence in the outbox: there is at most one per run. */
export const sentenceKey = (runId: string): string => `sentence:${runId}`

export async function recoverOutbox(room: Room): Promise<{ queued: number; unknown: number; finished: number }> {
  const rows: readonly OpenRow[] = await room.store.all(sql.openParts())
  const report = { queued: 0, unknown: 0, finished: 0 }
  const sentences = new Set(rows.filter((row) => row.state === 'queued').map((row) => row.part_id))
  const answers = new Map<string, OpenRow[]>()
  for (const row of rows) {
    if (row.state === 'streaming') {
      report.finished++
      room.lanes.add(row.target_key, () => guarded(room, row, () => finishStream(room, row, sentences)))
      continue
    }
    const parts = answers.get(row.delivery_id)
    if (parts === undefined) answers.set(row.delivery_id, [row])
    else parts.push(row)
  }
  for (const parts of answers.values()) {
    const first = parts[0]
    if (first === undefined) continue
    const provable = room.adapter(first.bot_uuid)?.capabilities.provesDelivery ?? true
    if (first.state === 'sending' && !provable) report.unknown++
    else report.queued++
    room.lanes.add(first.target_key, () => guarded(room, first, () => goOn(room, parts)))
  }
  return report
}

/** A part that was `sending` when the host died is asked about; the rest of its answer follows or is held. */
async function goOn(room: Room, parts: readonly OpenRow[]): Promise<void> {
  let rest: readonly OpenRow[] = parts
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
      ])
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

/** A native stream is finished with the last text and the sentence; where that can't be, the sentence goes out by itself. */
async function finishStream(room: Room, row: OpenRow, sentences: ReadonlySet<string>): Promise<void> {
  const adapter = await adapterOf(room, row)
  if (adapter === undefined) return
  let message_id = row.message_id
  const now = room.clock.now()
  if (message_id === null && adapter.outcome !== undefined) {
    const outcome = await adapter.outcome(row.part_id).catch(() => ({ status: 'unknown' as const }))
    if (outcome.status === 'not_sent') {
      await room.store.commit([
        sql.markEnded({ part_id: row.part_id, state: 'discarded', reason: 'host_restarted', error: null, now }),
      ])
      return
    }
    if (outcome.status === 'sent') message_id = outcome.message_id
  }
  const stream =
    adapter.resumeStream === undefined
      ? null
      : await bounded(
          () => adapter.resumeStream?.({ message: outgoing(row), message_id }) ?? Promise.resolve(null),
        ).catch(() => null)
  const text = plainText(chainOf(row))
  if (stream === null) {
    await room.store.commit([
      sql.markEnded({
        part_id: row.part_id,
        state: 'unknown',
        reason: 'host_restarted',
        error: 'the host stopped while this was being streamed',
        now,
      }),
      ...note(room, row, 'delivery_unknown', 'The host stopped in the middle of a streamed answer.'),
    ])
    return
  }
  const sentence = await room.needs.sentenceOf(row.processor_id)
  const final = sentence === '' ? text : `${text}\n\n${sentence}`
  const sent = await bounded(() => stream.finish(final))
  const key = row.run_id === null ? null : sentenceKey(row.run_id)
  await room.store.commit([
    sql.markSent({
      part_id: row.part_id,
      message_id: sent.message_id ?? message_id,
      chain: JSON.stringify([{ type: 'Plain', text: final }]),
      reason: 'finished_after_restart',
      now,
    }),
    // The sentence stands in the message now: once is enough.
    ...(key !== null && sentences.has(key) && sentence !== ''
      ? [sql.markEnded({ part_id: key, state: 'discarded', reason: 'said_in_stream', error: null, now })]
      : []),
    ...said(room, row, [{ type: 'Plain', text: final }], sent.message_id ?? message_id),
  ])
}

async function guarded(room: Room, row: OpenRow, work: () => Promise<void>): Promise<void> {
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

function said(room: Room, row: sql.PartRow, chain: MessageChain, message_id: string | null) {
  return room.needs.said({
    scope: scopeOf(row),
    delivery_id: row.delivery_id,
    text: plainText(chain),
    chain,
    message_id,
    how: 'after_restart',
  })
}

function note(room: Room, row: sql.PartRow, code: TrailCode, message: string) {
  return row.event_id === null
    ? []
    : [
        room.trail.entry({
          workspace_uuid: row.workspace_uuid,
          event_id: row.event_id,
          processor_id: row.processor_id,
          step: 'delivery',
          code,
          message,
          details: { delivery_id: row.delivery_id },
        }),
      ]
}

const plainText = (chain: MessageChain): string =>
  chain.map((component) => (component.type === 'Plain' ? component.text : '')).join('')
