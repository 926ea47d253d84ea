/** What a Runner is handed: the RunnerContext with everything in it (entities.md §4.4). */
import * as z from 'zod'
import { INLINE_POLICY_MODES, PERMISSIONS, TRIGGER_SOURCES } from '../names.ts'
import { InteractionDeliveryCapabilitiesSchema, InteractionSubmissionSchema } from './interactions.ts'
import { ContentElementSchema } from './model-messages.ts'
import { BooleanSchema, IntegerSchema, JsonObjectSchema, NumberSchema, orNull } from './primitives.ts'

const optionalText = orNull(z.string())
const openObject = JsonObjectSchema.default({})
const flag = BooleanSchema.default(false)

export const AgentTriggerSchema = z.object({
  type: z.string(),
  source: z.enum(TRIGGER_SOURCES).default('host_adapter'),
  timestamp: orNull(IntegerSchema),
})

export const RawEventRefSchema = z.object({ ref_id: optionalText, storage_key: optionalText })

/** The envelope of the event; `event_time` in whole epoch seconds. */
export const AgentEventContextSchema = z.object({
  event_id: z.string(),
  event_type: z.string(),
  event_time: orNull(IntegerSchema),
  source: z.string(),
  source_event_type: optionalText,
  raw_ref: orNull(RawEventRefSchema),
  data: openObject,
})

/** Ids are text here, also where the platform has numbers. */
export const ConversationContextSchema = z.object({
  conversation_id: optionalText,
  thread_id: optionalText,
  launcher_type: optionalText,
  launcher_id: optionalText,
  sender_id: optionalText,
  bot_id: optionalText,
  workspace_id: optionalText,
  session_id: optionalText,
})

export const ActorContextSchema = z.object({
  actor_type: z.string(),
  actor_id: optionalText,
  actor_name: optionalText,
  metadata: openObject,
})

export const SubjectContextSchema = z.object({ subject_type: z.string(), subject_id: optionalText, data: openObject })

/** A file of the input; `ref` is the handle for `import_box_attachments`. Unknown keys are refused. */
export const InputAttachmentSchema = z.strictObject({
  ref: optionalText,
  type: optionalText,
  mime_type: optionalText,
  size: orNull(IntegerSchema),
  name: optionalText,
  source: optionalText,
  url: optionalText,
  path: optionalText,
  content: optionalText,
  id: optionalText,
})

export const AgentInputSchema = z.object({
  text: optionalText,
  contents: z.array(ContentElementSchema).default([]),
  attachments: z.array(InputAttachmentSchema).default([]),
  interaction: orNull(InteractionSubmissionSchema),
})

export const DeliveryContextSchema = z.object({
  automatic_reply: flag,
  surface: z.string(),
  reply_target: orNull(JsonObjectSchema),
  supports_streaming: flag,
  supports_edit: flag,
  supports_reaction: flag,
  max_message_size: orNull(IntegerSchema),
  interactions: orNull(InteractionDeliveryCapabilitiesSchema),
  platform_capabilities: openObject,
})

/** An empty `operations` list means all operations to the Python SDK: a host never sends one for "nothing". */
export const ModelResourceSchema = z.object({
  model_id: z.string(),
  model_type: optionalText,
  provider: optionalText,
  operations: z.array(z.enum(PERMISSIONS.models)).default([]),
})
export const ToolResourceSchema = z.object({
  tool_name: z.string(),
  tool_type: optionalText,
  description: optionalText,
  operations: z.array(z.enum(PERMISSIONS.tools)).default([]),
  parameters: orNull(JsonObjectSchema),
})
export const KnowledgeBaseResourceSchema = z.object({
  kb_id: z.string(),
  kb_name: optionalText,
  kb_type: optionalText,
  operations: z.array(z.enum(PERMISSIONS.knowledge_bases)).default([]),
})
export const SkillResourceSchema = z.object({
  skill_name: z.string(),
  display_name: optionalText,
  description: optionalText,
})
export const StorageResourceSchema = z.object({ plugin_storage: flag, workspace_storage: flag })

export const AgentResourcesSchema = z.object({
  models: z.array(ModelResourceSchema).default([]),
  tools: z.array(ToolResourceSchema).default([]),
  knowledge_bases: z.array(KnowledgeBaseResourceSchema).default([]),
  skills: z.array(SkillResourceSchema).default([]),
  storage: StorageResourceSchema.prefault({}),
  platform_capabilities: openObject,
})

export const InlineContextPolicySchema = z.object({
  mode: z.enum(INLINE_POLICY_MODES).default('current_event'),
  delivered_count: IntegerSchema.default(0),
  source_total_count: orNull(IntegerSchema),
  messages_complete: flag,
  reason: optionalText,
})

/** One flag per API: true says that a call of this run succeeds. */
export const ContextAPICapabilitiesSchema = z.object({
  box: flag,
  reply_stream: flag,
  prompt_get: flag,
  history_page: flag,
  history_search: flag,
  event_get: flag,
  event_page: flag,
  state: flag,
  storage: flag,
  steering_pull: flag,
  run_get: flag,
  run_list: flag,
  run_events_page: flag,
  run_cancel: flag,
  run_append_result: flag,
  run_finalize: flag,
})

export const ContextAccessSchema = z.object({
  conversation_id: optionalText,
  thread_id: optionalText,
  latest_cursor: optionalText,
  event_seq: orNull(IntegerSchema),
  transcript_seq: orNull(IntegerSchema),
  has_history_before: flag,
  inline_policy: InlineContextPolicySchema.prefault({}),
  available_apis: ContextAPICapabilitiesSchema.prefault({}),
})

/** The values of each scope when the run started. */
export const AgentRunStateSchema = z.object({
  conversation: openObject,
  actor: openObject,
  subject: openObject,
  runner: openObject,
})

/** `deadline_at` in epoch seconds, with fraction. */
export const AgentRuntimeContextSchema = z.object({
  langbot_version: optionalText,
  trace_id: optionalText,
  deadline_at: orNull(NumberSchema),
  metadata: openObject,
})

export const AdapterContextSchema = z.object({ extra: openObject })

export const RunnerContextSchema = z.object({
  run_id: z.string(),
  trigger: AgentTriggerSchema,
  event: AgentEventContextSchema,
  conversation: orNull(ConversationContextSchema),
  actor: orNull(ActorContextSchema),
  subject: orNull(SubjectContextSchema),
  input: AgentInputSchema,
  delivery: DeliveryContextSchema,
  resources: AgentResourcesSchema,
  context: ContextAccessSchema.prefault({}),
  state: AgentRunStateSchema.prefault({}),
  runtime: AgentRuntimeContextSchema,
  variables: openObject,
  config: openObject,
  adapter: orNull(AdapterContextSchema),
  metadata: openObject,
})
