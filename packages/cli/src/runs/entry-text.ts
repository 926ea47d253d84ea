/** One entry of a ledger as one line. */
import { paint } from '../terminal/terminal.ts'

/** Longest data of an entry on a line, in characters. */
const MOST = 200

/** Sequence, type and data of an entry. */
export function entryText(entry: {
  readonly sequence: number
  readonly type: string
  readonly data?: unknown
  readonly source?: unknown
}): string {
  const data = JSON.stringify(entry.data ?? {})
  const shown = data.length > MOST ? `${data.slice(0, MOST)}...` : data
  const source = typeof entry.source === 'string' ? ` ${entry.source}` : ''
  return `${String(entry.sequence).padStart(4)} ${entry.type}${paint('dim', `${source} ${shown}`)}`
}
