/** A native stream whose host died: finished with the last text, proved, or marked unknown. */
import type { AdapterInstance, OutgoingStream } from '@runbound/platform-kit'
import type { Statement } from '@runbound/store'
import { bounded, failureOf } from './call-adapter.ts'
import { type LeftPart, note, plainText, said, sentenceKey, tellUnknown } from './left-parts.ts'
import { adapterOf, chainOf, outgoing, pause, type Room } from './room.ts'
import * as sql from './statements.ts'

/**
 * `sentences`: keys of the sentences that wait in the outbox. Where the message can still be written, the sentence goes into
 * it; else it goes out by itself. A message whose final text was on its way gets that text and nothing else.
 */
export async function finishStream(room: Room, row: LeftPart, sentences: ReadonlySet<string>): Promise<void> {
  const adapter = await adapterOf(room, row)
  if (adapter === undefined) return
  let { message_id } = row
  if (message_id === null && adapter.outcome !== undefined) {
    const outcome = await outcomeOf(adapter, row)
    if (outcome.status === 'not_sent') return discard(room, row)
    if (outcome.status === 'sent') message_id = outcome.message_id
  }
  const shown = plainText(chainOf(row))
  const sentence = row.reason === sql.CLOSING ? '' : await room.needs.sentenceOf(row.processor_id)
  const final = sentence === '' ? shown : `${shown}\n\n${sentence}`
  const stream = await resumed(adapter, row, message_id)
  if (stream !== null && (await finished(room, stream, final))) {
    const key = row.run_id === null ? null : sentenceKey(row.run_id)
    // The sentence stands in the message now: once is enough.
    const said_in_stream =
      key !== null && sentence !== '' && sentences.has(key) ? [discarded(room, key, 'said_in_stream')] : []
    return sent(room, row, { message_id, text: final, reason: 'finished_after_restart' }, said_in_stream)
  }
  const outcome = await outcomeOf(adapter, row)
  if (outcome.status === 'not_sent') return discard(room, row)
  // It is there and closed: by us with the text that was on its way, or by the platform with what it showed.
  if (outcome.status === 'sent')
    return sent(room, row, { message_id: outcome.message_id, text: shown, reason: 'proved_after_restart' }, [])
  const told = await tellUnknown(room, row)
  await room.store.commit([
    sql.markEnded({
      part_id: row.part_id,
      state: 'unknown',
      reason: 'host_restarted',
      error: 'the host stopped while this was being streamed',
      now: room.clock.now(),
    }),
    ...note(room, row, 'delivery_unknown', 'The host stopped in the middle of a streamed answer.'),
    ...told.statements,
  ])
  told.wake()
}

function resumed(adapter: AdapterInstance, row: LeftPart, message_id: string | null): Promise<OutgoingStream | null> {
  return bounded(() => adapter.resumeStream?.({ message: outgoing(row), message_id }) ?? Promise.resolve(null)).catch(
    () => null,
  )
}

/** False: it can't be written any more. What the platform asks to wait for is waited for. */
async function finished(room: Room, stream: OutgoingStream, text: string): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      await bounded(() => stream.finish(text))
      return true
    } catch (error) {
      const failure = failureOf(error, attempt)
      if (failure.kind !== 'retry' || !(await pause(room, failure.afterMs))) return false
    }
  }
}

async function outcomeOf(adapter: AdapterInstance, row: LeftPart) {
  const unknown = { status: 'unknown' } as const
  return (await adapter.outcome?.(row.part_id).catch(() => unknown)) ?? unknown
}

async function sent(
  room: Room,
  row: LeftPart,
  { message_id, text, reason }: { readonly message_id: string | null; readonly text: string; readonly reason: string },
  more: readonly Statement[],
): Promise<void> {
  const chain = [{ type: 'Plain', text }] as const
  const now = room.clock.now()
  await room.store.commit([
    sql.markSent({ part_id: row.part_id, message_id, chain: JSON.stringify(chain), reason, now }),
    ...more,
    ...said(room, row, [...chain], message_id),
  ])
}

async function discard(room: Room, row: LeftPart): Promise<void> {
  await room.store.commit([discarded(room, row.part_id, 'host_restarted')])
}

function discarded(room: Room, part_id: string, reason: string): Statement {
  return sql.markEnded({ part_id, state: 'discarded', reason, error: null, now: room.clock.now() })
}
