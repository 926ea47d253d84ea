/** Reads the context that a host sends: what must be there is there, the rest has its documented default (entities.md §4.4). */
import type { Json, JsonObject, RunnerContext } from '@runbound/protocol'
import { AVAILABLE_APIS } from '@runbound/protocol'
import { dataOf } from '../calls/wire.ts'

const OPEN: JsonObject = {}

/** Defaults of every field; what has no entry is null or is kept as it came. */
const DEFAULTS: JsonObject = {
  trigger: { source: 'host_adapter', timestamp: null },
  event: { event_time: null, source_event_type: null, raw_ref: null, data: OPEN },
  conversation: null,
  actor: null,
  subject: null,
  input: { text: null, contents: [], attachments: [], interaction: null },
  delivery: {
    automatic_reply: false,
    reply_target: null,
    supports_streaming: false,
    supports_edit: false,
    supports_reaction: false,
    max_message_size: null,
    interactions: null,
    platform_capabilities: OPEN,
  },
  resources: {
    models: [],
    tools: [],
    knowledge_bases: [],
    skills: [],
    storage: { plugin_storage: false, workspace_storage: false },
    platform_capabilities: OPEN,
  },
  context: {
    conversation_id: null,
    thread_id: null,
    latest_cursor: null,
    event_seq: null,
    transcript_seq: null,
    has_history_before: false,
    inline_policy: {
      mode: 'current_event',
      delivered_count: 0,
      source_total_count: null,
      messages_complete: false,
      reason: null,
    },
    available_apis: Object.fromEntries(AVAILABLE_APIS.map((name) => [name, false])),
  },
  state: { conversation: OPEN, actor: OPEN, subject: OPEN, runner: OPEN },
  runtime: { langbot_version: null, trace_id: null, deadline_at: null, metadata: OPEN },
  variables: OPEN,
  config: OPEN,
  adapter: null,
  metadata: OPEN,
}

/** Fields without which there is no run, with the type that they have. */
const REQUIRED: readonly (readonly [path: string, type: 'string' | 'object'])[] = [
  ['run_id', 'string'],
  ['trigger', 'object'],
  ['trigger.type', 'string'],
  ['event', 'object'],
  ['event.event_id', 'string'],
  ['event.event_type', 'string'],
  ['event.source', 'string'],
  ['input', 'object'],
  ['delivery', 'object'],
  ['delivery.surface', 'string'],
  ['resources', 'object'],
  ['runtime', 'object'],
]

/** Lists whose entries need these texts; their `operations` default to all. */
const RESOURCES = { models: 'model_id', tools: 'tool_name', knowledge_bases: 'kb_id' } as const

/** A context, or what is wrong with it; never a part of the input, which may be private. */
export type ReadContext =
  | { readonly ok: true; readonly context: RunnerContext }
  | { readonly ok: false; readonly run_id: string; readonly problem: string }

/** Reads a context. */
export function readContext(given: Json | undefined): ReadContext {
  const run_id = isObject(given) && typeof given.run_id === 'string' ? given.run_id : ''
  const problem = isObject(given) ? problemOf(given) : 'context is no object'
  if (problem !== undefined || !isObject(given))
    return { ok: false, run_id, problem: problem ?? 'context is no object' }
  const filled = fill(DEFAULTS, given)
  // Checked above, and by the host with its schema before it was sent.
  return { ok: true, context: filled as unknown as RunnerContext }
}

function problemOf(given: JsonObject): string | undefined {
  for (const [path, type] of REQUIRED) {
    const value = path.split('.').reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), given)
    const fits = type === 'string' ? typeof value === 'string' && value !== '' : isObject(value)
    if (!fits) return `${path} must be ${type === 'string' ? 'a text' : 'an object'}`
  }
  const { resources, runtime } = given
  if (isObject(runtime) && !isNullable(runtime.deadline_at, 'number'))
    return 'runtime.deadline_at must be a number or null'
  for (const [list, key] of Object.entries(RESOURCES)) {
    const entries = isObject(resources) ? resources[list] : undefined
    if (entries === undefined) continue
    if (!Array.isArray(entries)) return `resources.${list} must be a list`
    if (entries.some((entry) => !isObject(entry) || typeof entry[key] !== 'string'))
      return `resources.${list}: each entry needs ${key}`
  }
  return undefined
}

function fill(defaults: JsonObject, given: JsonObject): JsonObject {
  const filled: Record<string, Json | undefined> = { ...given }
  for (const [key, fallback] of Object.entries(defaults)) {
    const value = given[key]
    if (value === undefined) filled[key] = structuredClone(fallback)
    else if (isObject(value) && isObject(fallback)) filled[key] = fill(fallback, value)
  }
  for (const list of Object.keys(RESOURCES)) {
    const entries = filled[list]
    if (Array.isArray(entries))
      filled[list] = entries.map((entry) => dataOf({ operations: [], ...entryDefaults(list), ...dataOf(entry) }))
  }
  return filled
}

function entryDefaults(list: string): JsonObject {
  if (list === 'models') return { model_type: null, provider: null }
  if (list === 'tools') return { tool_type: null, description: null, parameters: null }
  return { kb_name: null, kb_type: null }
}

function isNullable(value: Json | undefined, type: string): boolean {
  return value === undefined || value === null || typeof value === type
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
