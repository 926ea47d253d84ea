/** What an error says: a short text for records that others read, the whole of it for the plugin's own log. */
import { LIMITS } from '@runbound/protocol'

/** The text of an error for records: its message, cut where an error answer would be cut; never a stack. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const { value } = LIMITS.error_text
  return text.length > value ? `${text.slice(0, value)}...` : text
}

/** The error with its stack, for the plugin's log only. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error)
}
