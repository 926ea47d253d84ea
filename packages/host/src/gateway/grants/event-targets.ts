/** The parameters that the host fixes for `event_*` tools: taken from the event when the run starts, frozen until it ends. */
import type { JsonObject, PlatformTool } from '@runbound/protocol'
import type { RunFacts } from '../types.ts'

/**
 * The fixed parameters of a tool, or null when the event does not have one of them. Ids are text, as the parameters of
 * `platform_*` tools are.
 */
export function fixedParams(tool: PlatformTool, facts: RunFacts): JsonObject | null {
  const fixed: Record<string, string> = {}
  for (const name of tool.fixed) {
    const value = VALUES[name]?.(facts) ?? null
    if (value === null) return null
    fixed[name] = value
  }
  return fixed
}

const VALUES: Readonly<Record<string, (facts: RunFacts) => string | null>> = {
  target_type: ({ reply_target }) => reply_target?.target_type ?? null,
  target_id: ({ reply_target }) => reply_target?.target_id ?? null,
  chat_type: ({ reply_target }) => reply_target?.target_type ?? null,
  chat_id: ({ reply_target }) => reply_target?.target_id ?? null,
  message_id: ({ message_id }) => message_id,
  user_id: ({ actor }) => actor?.actor_id ?? null,
  group_id: groupId,
  request_id: ({ request_id }) => request_id,
}

/** The group in which it happened: the event's subject, else the chat that is answered to. */
function groupId({ subject, reply_target }: RunFacts): string | null {
  if (subject?.subject_type === 'group' && subject.subject_id !== null) return subject.subject_id
  return reply_target?.target_type === 'group' ? reply_target.target_id : null
}
