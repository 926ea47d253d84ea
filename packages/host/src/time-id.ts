/** Ids that sort by the time of their making. */
import { randomUUID } from 'node:crypto'

/**
 * A UUID of version 7: `now` in milliseconds, then 74 random bits. Rows that are written together so lie together in every
 * index; with random ids each would change a page of its own. Says when it was made, so it is for nothing that is a secret.
 */
export function timeId(now: number): string {
  const time = Math.trunc(now).toString(16).padStart(12, '0')
  // The last three groups keep the variant; the version's digit is the first of the third.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** When {@link timeId} made this id, in milliseconds; null: it did not. */
export function timeOfId(id: string): number | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/.exec(id) ?? []
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16)
}
