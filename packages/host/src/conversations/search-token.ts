/**
 * Every indexed entry starts with a word that stands for its conversation. A search asks for that word too, so the index
 * itself leaves the other conversations out: its cost follows this conversation's size, not the database's.
 */
import { createHash } from 'node:crypto'

const RECENT_MAX = 2_000
const recent = new Map<string, string>()

/** A word of letters and digits that no person types, always the same for a key. */
export function conversationToken(conversationKey: string): string {
  const known = recent.get(conversationKey)
  if (known !== undefined) return known
  const token = `rbc${createHash('sha256').update(conversationKey).digest('hex').slice(0, 20)}`
  if (recent.size >= RECENT_MAX) recent.clear()
  recent.set(conversationKey, token)
  return token
}
