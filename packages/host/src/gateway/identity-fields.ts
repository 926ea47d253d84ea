/** Identity that a payload may carry and that nobody believes: who calls is known from the connection (wire.md §1.10). */
import type { JsonObject } from '@runbound/protocol'

const IDENTITY_FIELDS = [
  'context',
  'action_context',
  'instance_uuid',
  'workspace_uuid',
  'placement_generation',
  'execution_generation',
  'installation_uuid',
  'runtime_revision',
  'artifact_digest',
  'caller_plugin_identity',
] as const

/** The payload without them. The same object when it has none, which is the usual case. */
export function withoutIdentity(data: JsonObject): JsonObject {
  if (!IDENTITY_FIELDS.some((name) => name in data)) return data
  const kept: Record<string, JsonObject[string]> = { ...data }
  for (const name of IDENTITY_FIELDS) delete kept[name]
  return kept
}
