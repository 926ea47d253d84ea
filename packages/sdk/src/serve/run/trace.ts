/** The record that a run leaves of its tool calls, replies and platform calls, by itself (wire.md §6.5). */
import type { Json, JsonObject } from '@runbound/protocol'
import { LIMITS } from '@runbound/protocol'
import { result } from '../../results.ts'
import { exceedsJsonBytes } from '../calls/json.ts'
import { errorText } from '../error-text.ts'
import type { RunOutput } from './output.ts'

/** Room for the envelope around what is recorded, in bytes. */
const ENVELOPE = 4096

/** Makes the function that runs an action between its `tool.call.started` and `tool.call.completed`. */
export function tracer(run_id: string, output: RunOutput) {
  return async function traced<T extends JsonObject | null>(
    tool_name: string,
    parameters: JsonObject,
    act: () => Promise<T>,
  ): Promise<T> {
    const id = crypto.randomUUID()
    await output.push(result.toolCallStarted(run_id, id, tool_name, recorded(parameters) ?? {}))
    try {
      const outcome = await act()
      await output.push(result.toolCallCompleted(run_id, id, tool_name, { result: recorded(outcome) }))
      return outcome
    } catch (error) {
      await output.push(result.toolCallCompleted(run_id, id, tool_name, { error: errorText(error) }))
      throw error
    }
  }
}

/** A record above the limit of a result would end the run: it is replaced by a note, the call itself is not touched. */
function recorded(value: JsonObject | null): JsonObject | null {
  if (!exceedsJsonBytes(value, LIMITS.result.value - ENVELOPE)) return value
  return { not_recorded: `larger than ${LIMITS.result.value} bytes` }
}

/** Gives a result as the object or null that records and authors get; a list is wrapped as `{items}`, others as `{value}`. */
export function asObject(value: Json | undefined): JsonObject | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return { items: value }
  // Not a list any more, but the type of arrays is readonly here and TypeScript keeps it.
  return typeof value === 'object' ? (value as JsonObject) : { value }
}
