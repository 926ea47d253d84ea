/** unavailable/ owns the methods whose part is not built yet: known, checked, authorised, and answered with a typed "not available". Listed by a test. */
import { WireError } from '@runbound/protocol'
import type { Handler, HandlerTable } from '../gateway/types.ts'

/** Method to the part that will bring it; forms as in the records. */
export const NOT_AVAILABLE = {
  'knowledge bases': {
    retrieve_knowledge: ['installation'],
    retrieve_knowledge_base: ['run', 'query'],
    vector_upsert: ['installation'],
    vector_search: ['installation'],
    vector_delete: ['installation'],
    vector_list: ['installation'],
    get_knowledge_file_stream: ['installation'],
    invoke_parser: ['installation'],
    list_knowledge_bases: ['installation'],
    list_parsers: ['installation'],
  },
  boxes: {
    get_box_status: ['run', 'installation'],
    list_boxes: ['run', 'installation'],
    acquire_box: ['run', 'installation'],
    bind_box: ['run'],
    import_box_attachments: ['run'],
    export_box_files: ['run'],
  },
  pipelines: {
    reply_message: ['query'],
    get_bot_uuid: ['query'],
    set_query_var: ['query'],
    get_query_var: ['query'],
    get_query_vars: ['query'],
    create_new_conversation: ['query'],
    list_pipeline_knowledge_bases: ['query'],
  },
} as const satisfies Record<string, Record<string, readonly ('run' | 'query' | 'installation')[]>>

export function unavailableHandlers(): HandlerTable {
  const table: Record<string, Record<string, Handler>> = {}
  for (const [part, methods] of Object.entries(NOT_AVAILABLE)) {
    for (const [method, forms] of Object.entries(methods)) {
      const refuse: Handler = () => {
        throw new WireError(
          'not_available',
          `"${method}" is not available in this version of Runbound: it comes with ${part}.`,
        )
      }
      table[method] = Object.fromEntries(forms.map((form: string) => [form, refuse]))
    }
  }
  return table
}
