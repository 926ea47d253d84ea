/** What an answer had said before its host died, or before an operator had the rest of it sent: it belongs to history too. */
import { randomUUID } from 'node:crypto'
import type { MessageChain } from '@runbound/protocol'
import { chainOf, type Room } from './room.ts'
import * as sql from './statements.ts'

export interface Earlier {
  /** Parts that the platform has and history has not, in order. */
  readonly chains: readonly MessageChain[]
  /** Of the first of them. */
  readonly message_id: string | null
}

export const NOTHING_EARLIER: Earlier = { chains: [], message_id: null }

/** The sent parts before this one, less those that stand in history already. */
export async function sentBefore(
  room: Room,
  { delivery_id, part }: Pick<sql.PartRow, 'delivery_id' | 'part'>,
): Promise<Earlier> {
  if (part <= 1) return NOTHING_EARLIER
  const rows = await room.store.all(sql.partsOf({ delivery_id }))
  const sent = rows.filter((row) => row.part < part && row.state === 'sent' && row.reason !== sql.SAID)
  return { chains: sent.map(chainOf), message_id: sent[0]?.message_id ?? null }
}

/**
 * The key of an answer's entry in history. Its first life has one that can't be written twice; later lives, which may find
 * an entry of the first, write in the unit that marks the part as sent, and that happens once.
 */
export function historyKey(delivery_id: string, how: string): string {
  return how === 'resent' || how === 'after_restart' ? `${delivery_id}:${randomUUID()}` : delivery_id
}
