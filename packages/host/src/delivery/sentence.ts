/** What the host itself says to a chat user: at most once for each key. */
import { Answer } from './answer.ts'
import { newPart, type Room } from './room.ts'
import * as sql from './statements.ts'
import type { Delivery, DeliveryScope } from './types.ts'

/** See `Delivery.sentence`. */
export function sentence(
  room: Room,
  scope: DeliveryScope,
  text: string,
  once: string,
): ReturnType<Delivery['sentence']> {
  if (text.trim() === '' || scope.debug) return { statements: [], wake: () => undefined }
  const row = newPart(room, scope, {
    delivery_id: once,
    part: 1,
    parts: 0,
    chain: [{ type: 'Plain', text }],
    quote: null,
    state: 'queued',
    part_id: once,
  })
  const wake = async (): Promise<void> => {
    const stored = await room.store.first(sql.partById({ part_id: once }))
    // The row may be an older one of the same key: then it is sent already, or stands in its lane.
    if (stored?.state !== 'queued' || stored.created_at !== row.created_at) return
    const answer = new Answer(room, scope, [stored], { how: 'sentence' })
    room.lanes.add(stored.target_key, () => answer.run())
  }
  return {
    statements: [sql.insertPartOnce(row)],
    wake: () =>
      void wake().catch((error: unknown) => room.logger.error({ err: error }, 'A sentence could not be sent')),
  }
}
