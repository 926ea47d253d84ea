/**
 * What the host asks of a plugin (wire.md §4). One form each; the host needs nobody's permission for them. The host makes
 * the parameters, so their schemas serve tests and docs; the results come from a plugin and are checked on every call.
 */
import * as z from 'zod'
import { type Effect, form, method } from '../method.ts'
import { RunnerContextSchema } from '../schemas/context.ts'
import {
  IngestionContextSchema,
  IngestionResultSchema,
  PageResponseSchema,
  ParseRequestSchema,
  ParseResultSchema,
  RetrievalContextSchema,
  RetrievalResponseSchema,
} from '../schemas/knowledge.ts'
import { PluginContainerSchema } from '../schemas/manifests.ts'
import { emptyResult } from '../schemas/parameters.ts'
import { EventContextAnswerSchema, EventContextSchema } from '../schemas/pipeline-events.ts'
import { BooleanSchema, IntegerSchema, JsonObjectSchema, JsonSchema } from '../schemas/primitives.ts'
import { RunnerResultSchema } from '../schemas/results.ts'
import { CommandReturnSchema, ExecuteContextSchema, SessionSchema } from '../schemas/session.ts'
import { HOST_CALL_WAITS as waits } from '../waits.ts'

type HostCallName = keyof typeof waits

/** One host call: name, sentence, shapes. `stream` calls answer frames. */
function hostCall<const N extends HostCallName, P extends z.ZodType, R extends z.ZodType>(call: {
  readonly name: N
  readonly summary: string
  readonly params: P
  readonly result: R
  readonly effect?: Effect
  readonly stream?: true
}) {
  return method({
    name: call.name,
    from: 'host',
    summary: call.summary,
    source: 'wire.md §4',
    forms: {
      installation: form('installation', {
        params: call.params,
        result: call.result,
        ...(call.stream ? { stream: call.stream } : {}),
        effect: call.effect ?? 'none',
        waits: waits[call.name],
        authorize: () => null,
      }),
    },
  })
}

const nothing = z.object({})
const fileKey = z.string().nullable()
const mimeType = z.string().nullish()
const done = z.object({ success: BooleanSchema })
const knowledgeBase = { kb_id: z.string() }

export const HOST_METHODS = {
  initialize_plugin: hostCall({
    name: 'initialize_plugin',
    summary: 'Hands over the settings; the plugin and its components are made and initialised.',
    params: z.object({
      plugin_settings: z.looseObject({ enabled: z.boolean(), priority: z.int(), plugin_config: JsonObjectSchema }),
    }),
    result: emptyResult,
    effect: 'outside',
  }),
  get_plugin_container: hostCall({
    name: 'get_plugin_container',
    summary: 'Reads what the plugin brings and how far it is.',
    params: nothing,
    result: PluginContainerSchema,
  }),
  get_plugin_icon: hostCall({
    name: 'get_plugin_icon',
    summary: 'Has the icon sent; an empty key means none.',
    params: nothing,
    result: z.object({ plugin_icon_file_key: z.string(), mime_type: mimeType }),
  }),
  get_plugin_readme: hostCall({
    name: 'get_plugin_readme',
    summary: 'Has the readme of a language sent.',
    params: z.object({ language: z.string().regex(/^[A-Za-z0-9_-]{1,16}$/) }),
    result: z.object({ plugin_readme_file_key: z.string(), mime_type: mimeType }),
  }),
  get_plugin_assets_file: hostCall({
    name: 'get_plugin_assets_file',
    summary: 'Has one asset or page file sent; a null key means none.',
    params: z.object({ file_key: z.string() }),
    result: z.object({ file_file_key: fileKey, mime_type: mimeType }),
  }),
  page_api: hostCall({
    name: 'page_api',
    summary: 'Calls the back end of a page.',
    params: z.object({
      page_id: z.string(),
      endpoint: z.string().default(''),
      method: z.string().default('POST'),
      body: JsonSchema.default(null),
      headers: z.record(z.string(), z.string()).default({}),
    }),
    result: PageResponseSchema,
    effect: 'outside',
  }),
  emit_event: hostCall({
    name: 'emit_event',
    summary: 'Hands a pipeline event to the listeners of the plugin.',
    params: z.object({ event_context: EventContextSchema }),
    result: z.object({ emitted: BooleanSchema, event_context: EventContextAnswerSchema }),
    effect: 'outside',
  }),
  plugin_diagnostic: hostCall({
    name: 'plugin_diagnostic',
    summary: 'Puts a line into the log of the plugin.',
    params: z.object({
      level: z.string().default('ERROR'),
      code: z.string(),
      message: z.string(),
      details: JsonObjectSchema.default({}),
    }),
    result: emptyResult,
  }),
  call_tool: hostCall({
    name: 'call_tool',
    summary: 'Calls a tool of the plugin.',
    params: z.object({
      tool_name: z.string(),
      tool_parameters: JsonObjectSchema,
      session: SessionSchema,
      query_id: IntegerSchema,
      query_uuid: z.string().optional(),
    }),
    result: z.object({ tool_response: JsonSchema }),
    effect: 'by-tool',
  }),
  execute_command: hostCall({
    name: 'execute_command',
    summary: 'Runs a command; one frame for each value that it gives.',
    params: z.object({ command_context: ExecuteContextSchema }),
    result: z.object({ command_response: CommandReturnSchema }),
    stream: true,
    effect: 'outside',
  }),
  run_runner: hostCall({
    name: 'run_runner',
    summary: 'Starts a run; one frame for each result.',
    params: z.object({ runner_name: z.string(), context: RunnerContextSchema }),
    result: RunnerResultSchema,
    stream: true,
    effect: 'outside',
  }),
  retrieve_knowledge: hostCall({
    name: 'retrieve_knowledge',
    summary: 'Asks a knowledge engine; an empty name is the first one.',
    params: z.object({ retriever_name: z.string(), retrieval_context: RetrievalContextSchema }),
    result: RetrievalResponseSchema,
  }),
  ingest_document: hostCall({
    name: 'ingest_document',
    summary: 'Hands a document to the knowledge engine.',
    params: z.object({ context: IngestionContextSchema }),
    result: IngestionResultSchema,
    effect: 'outside',
  }),
  delete_document: hostCall({
    name: 'delete_document',
    summary: 'Has the knowledge engine forget a document.',
    params: z.object({ ...knowledgeBase, document_id: z.string() }),
    result: done,
    effect: 'outside',
  }),
  on_kb_create: hostCall({
    name: 'on_kb_create',
    summary: 'Tells the knowledge engine about a new base.',
    params: z.object({ ...knowledgeBase, config: JsonObjectSchema.default({}) }),
    result: done,
    effect: 'outside',
  }),
  on_kb_delete: hostCall({
    name: 'on_kb_delete',
    summary: 'Tells the knowledge engine that a base is gone.',
    params: z.object(knowledgeBase),
    result: done,
    effect: 'outside',
  }),
  get_rag_capabilities: hostCall({
    name: 'get_rag_capabilities',
    summary: 'Asks what the knowledge engine can do.',
    params: nothing,
    result: z.object({ capabilities: z.array(z.string()) }),
  }),
  parse_document: hostCall({
    name: 'parse_document',
    summary: 'Has a document parsed; its bytes were sent before.',
    params: z.object({ context: ParseRequestSchema }),
    result: ParseResultSchema,
  }),
  shutdown: hostCall({
    name: 'shutdown',
    summary: 'Asks the plugin process to end.',
    params: nothing,
    result: emptyResult,
    effect: 'outside',
  }),
} as const
