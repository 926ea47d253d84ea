/** Parts that a former start of the host left open, and how it is written down what became of them. */
import { type AdapterInstance, chainSummary } from '@runbound/platform-kit'
import type { MessageChain } from '@runbound/protocol'
import type { Statement } from '@runbound/store'
import type { TrailCode } from '../trail/codes.ts'
import { historyKey, sentBefore } from './earlier.ts'
import { type Room, scopeOf } from './room.ts'
import { sentence } from './sentence.ts'
import * as sql from './statements.ts'
import type { Delivery } from './types.ts'

export type LeftPart = sql.PartRow & { readonly message_id: string | null; readonly reason: string | null }

/** The key of a run's sentence in the outbox: there is at most one per run. */
export const sentenceKey = (runId: string): string => `sentence:${runId}`

/** What the platform can prove about a part. */
export async function outcomeOf(adapter: AdapterInstance, { part_id }: Pick<sql.PartRow, 'part_id'>) {
  const nobodyKnows = { status: 'unknown' } as const
  return (await adapter.outcome?.(part_id).catch(() => nobodyKnows)) ?? nobodyKnows
}

/** Its place in history, with what was said of the same answer before. */
export function said(
  room: Room,
  row: sql.PartRow,
  chain: MessageChain,
  message_id: string | null,
): readonly Statement[] {
  const how = 'after_restart'
  const { delivery_id } = row
  const key = historyKey(delivery_id, how)
  return room.needs.said({ scope: scopeOf(row), delivery_id, key, text: chainSummary(chain), chain, message_id, how })
}

/** History of an answer that stays cut off: the parts before this one were said, and are not told again later. */
export async function saidInPart(room: Room, row: sql.PartRow): Promise<readonly Statement[]> {
  const { chains, message_id } = await sentBefore(room, row)
  if (chains.length === 0) return []
  const { delivery_id } = row
  return [...said(room, row, chains.flat(), message_id), sql.markSaid({ delivery_id, now: room.clock.now() })]
}

/** Its entry in the trail; none for what answered no event. */
export function note(room: Room, row: sql.PartRow, code: TrailCode, message: string): readonly Statement[] {
  const { event_id, workspace_uuid, processor_id, delivery_id } = row
  if (event_id === null) return []
  const entry = {
    workspace_uuid,
    event_id,
    processor_id,
    step: 'delivery',
    code,
    message,
    details: { delivery_id },
  } as const
  return [room.trail.entry(entry)]
}

/**
 * The chat user reads the sentence once for an answer of which nobody knows whether it arrived: statements for its unit, and
 * what to call after it. A run that was interrupted has said it already; the host's own sentences have none.
 */
export async function tellUnknown(room: Room, row: sql.PartRow): Promise<ReturnType<Delivery['sentence']>> {
  const { run_id, processor_id } = row
  if (run_id === null || row.part_id === sentenceKey(run_id)) return { statements: [], wake: () => undefined }
  return sentence(room, scopeOf(row), await room.needs.sentenceOf(processor_id), sentenceKey(run_id))
}

/**
 * Nobody knows whether this part arrived: it is not repeated, the rest of its answer waits for a decision, history has what
 * was said before, and the chat user is told. Rejects, and changes nothing, when the part is no longer under way.
 */
export async function leaveUnknown(
  room: Room,
  row: sql.PartRow,
  why: { readonly error: string; readonly note: string },
  told: ReturnType<Delivery['sentence']>,
): Promise<void> {
  const { part_id, delivery_id, part } = row
  const now = room.clock.now()
  await room.store.commit([
    sql.markLeftUnknown({ part_id, error: why.error, now }),
    sql.markRest({ delivery_id, part, state: 'held', reason: 'behind_unknown', now }),
    ...(await saidInPart(room, row)),
    ...note(room, row, 'delivery_unknown', why.note),
    ...told.statements,
  ])
  told.wake()
}

export const plainText = (chain: MessageChain): string =>
  chain.map((component) => (component.type === 'Plain' ? component.text : '')).join('')
