/** The table of processors, owned by the room `runs/`: agents, plugin processors and pipelines as the operator set them up. */
import { filled, flag, integer, oneOf, type TableOf, text } from './column.ts'

export const processorsTables = {
  processors: {
    processor_id: text,
    workspace_uuid: text,
    kind: oneOf('agent', 'plugin_processor', 'pipeline'),
    name: text,
    runner_id: text,
    config: filled(text),
    grants: filled(text),
    options: filled(text),
    enabled: filled(flag),
    created_at: integer,
    updated_at: integer,
  },
} as const

export type ProcessorsTable = TableOf<typeof processorsTables.processors>

export interface ProcessorsTables {
  processors: ProcessorsTable
}
