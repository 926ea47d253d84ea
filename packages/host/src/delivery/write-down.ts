/** Writing down what was done or is about to be done with a message, however long the disk stays full. */
import { type Statement, StoreError } from '@runbound/store'
import { pause, type Room } from './room.ts'

/** Pauses between tries: what the platform already has must not be forgotten. */
const RETRY_MS = 1_000

/**
 * Commits until it is written. False: refused, the row is no longer ours (discarded meanwhile). Rejects with the StoreError
 * when the store is closed, the statement is wrong, or the host stops while it waits.
 */
export async function writeDown(room: Room, delivery_id: string, statements: readonly Statement[]): Promise<boolean> {
  for (;;) {
    try {
      await room.store.commit(statements)
      return true
    } catch (error) {
      if (!StoreError.is(error) || error.code === 'closed' || error.code === 'invalid') throw error
      if (error.code === 'refused') return false
      room.logger.error({ err: error, delivery_id }, 'The outbox could not be written; trying again')
      if (!(await pause(room, RETRY_MS))) throw error
    }
  }
}
