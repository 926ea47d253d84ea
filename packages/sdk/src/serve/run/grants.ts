/** What a run was granted, checked before a call leaves the plugin. The host checks again; this only saves the way. */
import type {
  AvailableApi,
  KnowledgeBaseOperation,
  ModelOperation,
  RunnerContext,
  StorageArea,
  ToolOperation,
} from '@runbound/protocol'
import { PermissionDeniedError } from '../../errors.ts'

/** The grant of one run; lists are frozen when the run starts, flags are read when a call is made. */
export interface Grants {
  flag(name: AvailableApi): void
  tool(name: string, operation: ToolOperation): void
  model(id: string, operation: ModelOperation): void
  knowledgeBase(id: string, operation: KnowledgeBaseOperation): void
  storage(area: StorageArea): void
}

interface Granted<O> {
  readonly operations: readonly O[]
}

/** True if the operation is granted: an empty list means all of them (entities.md §1.10). */
export function allows<O>(entry: Granted<O>, operation: O): boolean {
  return entry.operations.length === 0 || entry.operations.includes(operation)
}

/** Reads the grant off the context. Each check throws PermissionDeniedError. */
export function grantsOf(context: RunnerContext): Grants {
  const { resources } = context
  const tools = index('Tool', resources.tools, (tool) => tool.tool_name)
  const models = index('Model', resources.models, (model) => model.model_id)
  const bases = index('Knowledge base', resources.knowledge_bases, (base) => base.kb_id)
  const areas = { plugin: resources.storage.plugin_storage, workspace: resources.storage.workspace_storage }
  return {
    flag(name) {
      if (context.context.available_apis[name]) return
      throw new PermissionDeniedError(
        `${name} is not available for this run: ctx.context.available_apis.${name} is false. Ask for it in the Runner's permissions, and see that the operator and the event allow it.`,
      )
    },
    tool: tools,
    model: models,
    knowledgeBase: bases,
    storage(area) {
      if (areas[area]) return
      throw new PermissionDeniedError(
        `Storage of the ${area} is not granted to this run. Ask for it with permissions: { storage: ['${area}'] }, and see that the operator allows it.`,
      )
    },
  }
}

function index<T extends Granted<O>, O>(kind: string, entries: readonly T[], key: (entry: T) => string) {
  const byKey = new Map(entries.map((entry) => [key(entry), { operations: [...entry.operations] }]))
  return (id: string, operation: O): void => {
    const entry = byKey.get(id)
    if (entry === undefined) {
      throw new PermissionDeniedError(
        `${kind} '${id}' is not granted to this run. Granted: ${[...byKey.keys()].join(', ') || 'none'}.`,
      )
    }
    if (!allows(entry, operation)) {
      throw new PermissionDeniedError(
        `${kind} '${id}' is granted for ${entry.operations.join(', ')}, not for ${String(operation)}.`,
      )
    }
  }
}
