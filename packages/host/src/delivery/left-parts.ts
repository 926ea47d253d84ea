/** Parts that a former start of the host left open, and how it is written down what became of them. */
import type { MessageChain } from '@runbound/protocol'
import type { Statement } from '@runbound/store'
import type { TrailCode } from '../trail/codes.ts'
import { type Room, scopeOf } from './room.ts'
import { sentence } from './sentence.ts'
import type * as sql from './statements.ts'
import type { Delivery } from './types.ts'

export type LeftPart = sql.PartRow & { readonly message_id: string | null; readonly reason: string | null }

/** The key of a run's sentence in the outbox: there is at most one per run. */
export const sentenceKey = (runId: string): string => `sentence:${runId}`

/** Its place in history. */
export function said(
  room: Room,
  row: sql.PartRow,
  chain: MessageChain,
  message_id: string | null,
): readonly Statement[] {
  return room.needs.said({
    scope: scopeOf(row),
    delivery_id: row.delivery_id,
    text: plainText(chain),
    chain,
    message_id,
    how: 'after_restart',
  })
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

export const plainText = (chain: MessageChain): string =>
  chain.map((component) => (component.type === 'Plain' ? component.text : '')).join('')
