/** Answers for kinds of component that this plugin does not have: the documented ones, else a clear refusal. */
import type { IncomingRequest, PackageManifest, Peer } from '@runbound/link'
import type { ComponentKind, JsonObject } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'

type Answer = (request: IncomingRequest) => JsonObject | Promise<JsonObject>

/** Makes the answers. */
export function absentComponents(peer: Peer, { manifest }: PackageManifest): Readonly<Record<string, Answer>> {
  const metadata = manifest.metadata as JsonObject
  const plugin = `Plugin ${String(metadata.author)}/${String(metadata.name)}`

  function absent(kind: ComponentKind, name?: unknown): WireError {
    const called = typeof name === 'string' && name !== '' ? ` "${name}"` : ''
    return new WireError('not_found', `${plugin} has no ${kind}${called}.`, { details: { component_kind: kind } })
  }
  const refuse =
    (kind: ComponentKind, key?: string): Answer =>
    ({ data }) => {
      throw absent(kind, key === undefined ? undefined : data[key])
    }

  return {
    // The documented answer of a plugin without listeners; an error would stop the event for the others.
    emit_event: ({ data }) => ({ emitted: false, event_context: data.event_context }),
    // The documented shape: a page's errors are no errors of the call.
    page_api: ({ data }) => ({ data: null, error: absent('Page', data.page_id).message }),
    call_tool: refuse('Tool', 'tool_name'),
    execute_command: ({ data }) => {
      const { command_context: context } = data
      throw absent(
        'Command',
        typeof context === 'object' && context !== null && 'command' in context ? context.command : undefined,
      )
    },
    retrieve_knowledge: refuse('KnowledgeEngine', 'retriever_name'),
    ingest_document: refuse('KnowledgeEngine'),
    delete_document: refuse('KnowledgeEngine'),
    on_kb_create: refuse('KnowledgeEngine'),
    on_kb_delete: refuse('KnowledgeEngine'),
    get_rag_capabilities: refuse('KnowledgeEngine'),
    parse_document: async ({ data }) => {
      // The file came first and would stay in our memory.
      const { context } = data
      const key =
        typeof context === 'object' && context !== null && 'file_key' in context ? context.file_key : undefined
      if (typeof key === 'string' && key !== '') await peer.takeFile(key)
      throw absent('Parser')
    },
  }
}
