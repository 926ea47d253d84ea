/** Which object a state scope belongs to, as one key: a hash, so that no id can be built that meets another's. */
import { hash } from 'node:crypto'
import type { StateScope } from '@runbound/protocol'
import type { StateObject } from './types.ts'

/** The place of one scope: the key of its rows, and the object for erasing a person. */
export interface ScopePlace {
  readonly scope: StateScope
  readonly scope_key: string
  readonly object_id: string | null
}

const VERSION = 1

/**
 * The place of a scope, or null when the event has no such object. `runner` is shared by all runs of a processor; the
 * others are kept apart by bot as well, because ids are only unique on one account of a platform.
 */
export function scopePlace(object: StateObject, scope: StateScope): ScopePlace | null {
  switch (scope) {
    case 'runner':
      return place(object, scope, null, null, null)
    case 'conversation':
      if (object.conversation_key === null) return null
      return place(object, scope, object.bot_uuid, 'conversation', object.conversation_key)
    case 'actor':
      if (object.actor === null || object.actor.actor_id === null) return null
      return place(object, scope, object.bot_uuid, object.actor.actor_type, object.actor.actor_id)
    case 'subject':
      if (object.subject === null || object.subject.subject_id === null) return null
      return place(object, scope, object.bot_uuid, object.subject.subject_type, object.subject.subject_id)
  }
}

function place(
  object: StateObject,
  scope: StateScope,
  bot: string | null,
  kind: string | null,
  id: string | null,
): ScopePlace {
  const { workspace_uuid, processor_id, debug } = object
  const parts = [VERSION, scope, workspace_uuid, processor_id, debug, bot, kind, id]
  return { scope, scope_key: hash('sha256', JSON.stringify(parts), 'base64url'), object_id: id }
}
