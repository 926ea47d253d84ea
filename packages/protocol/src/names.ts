/**
 * The documented names that are neither methods nor errors, as tables: what manifests may say, what flags, states and
 * kinds exist. Letter for letter those of the specification (entities.md §1.10, §2-§4).
 */

/** Kinds of component that a plugin may bring (DESIGN §1). KnowledgeRetriever is the older engine kind. */
export const COMPONENT_KINDS = [
  'EventListener',
  'Command',
  'Tool',
  'Runner',
  'KnowledgeEngine',
  'KnowledgeRetriever',
  'Parser',
  'Page',
] as const
export type ComponentKind = (typeof COMPONENT_KINDS)[number]

/** What a Runner may be chosen for: an Agent or Pipeline engine, or a plugin processor. */
export const RUNNER_USAGES = ['agent', 'event'] as const
export type RunnerUsage = (typeof RUNNER_USAGES)[number]

/** `spec.capabilities` of a Runner; each is false unless declared. */
export const RUNNER_CAPABILITIES = [
  'streaming',
  'tool_calling',
  'knowledge_retrieval',
  'multimodal_input',
  'skill_authoring',
  'interrupt',
  'steering',
  'interactions',
] as const
export type RunnerCapability = (typeof RUNNER_CAPABILITIES)[number]

/** `spec.permissions` of a Runner: group to the operations that may be asked for. */
export const PERMISSIONS = {
  models: ['invoke', 'stream', 'rerank', 'count_tokens'],
  tools: ['detail', 'call'],
  knowledge_bases: ['list', 'retrieve'],
  history: ['page', 'search'],
  events: ['get', 'page'],
  storage: ['plugin', 'workspace'],
  interactions: ['request'],
} as const
export type PermissionGroup = keyof typeof PERMISSIONS
export type PermissionOf<G extends PermissionGroup> = (typeof PERMISSIONS)[G][number]
export type ModelOperation = PermissionOf<'models'>
export type ToolOperation = PermissionOf<'tools'>
export type KnowledgeBaseOperation = PermissionOf<'knowledge_bases'>
export type StorageArea = PermissionOf<'storage'>

/** Flags of `ctx.context.available_apis`. */
export const AVAILABLE_APIS = [
  'box',
  'reply_stream',
  'prompt_get',
  'history_page',
  'history_search',
  'event_get',
  'event_page',
  'state',
  'storage',
  'steering_pull',
  'run_get',
  'run_list',
  'run_events_page',
  'run_cancel',
  'run_append_result',
  'run_finalize',
] as const
export type AvailableApi = (typeof AVAILABLE_APIS)[number]

/** Permissions of plugins that the operator lets administer runs and runtimes (host configuration, never a manifest). */
export const ADMIN_PERMISSIONS = ['agent_run:admin', 'runtime:admin', 'runner:admin'] as const
export type AdminPermission = (typeof ADMIN_PERMISSIONS)[number]

/** Statuses of a run; a record may hold others. */
export const RUN_STATUSES = [
  'created',
  'queued',
  'claimed',
  'running',
  'completed',
  'failed',
  'cancelled',
  'timeout',
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** Statuses that a run never leaves. */
export const TERMINAL_RUN_STATUSES = ['completed', 'failed', 'cancelled', 'timeout'] as const
export type TerminalRunStatus = (typeof TERMINAL_RUN_STATUSES)[number]

/** True for a status that a run never leaves. */
export function isTerminalRunStatus(status: string): status is TerminalRunStatus {
  return TERMINAL_RUN_STATUSES.some((terminal) => terminal === status)
}

/** Documented `type`s of a RunnerResult; other types are kept as records without effect. */
export const RESULT_TYPES = [
  'message.delta',
  'message.completed',
  'tool.call.started',
  'tool.call.completed',
  'state.updated',
  'action.requested',
  'run.completed',
  'run.failed',
  'processor.log',
] as const
export type ResultType = (typeof RESULT_TYPES)[number]

/** The `action` of an `action.requested` result that shows an interaction. */
export const INTERACTION_REQUESTED = 'interaction.requested'

/** Codes of `run.failed` that the SDK or the host sets by itself (entities.md §5.2); authors may use others. */
export const RUN_FAILURE_CODES = [
  'runner.error',
  'runner.timeout',
  'runner.exception',
  'runner.context_invalid',
  'runner.not_found',
  'runner.not_initialized',
  'runner.plugin_not_found',
  'runner.plugin_disabled',
  'runner.plugin_not_initialized',
  'runner.handler_not_found',
  'runner.forward_exception',
  'plugin.disabled',
] as const
export type RunFailureCode = (typeof RUN_FAILURE_CODES)[number]

/** Levels of a log entry. */
export const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Scopes of state: who shares a value. */
export const STATE_SCOPES = ['conversation', 'actor', 'subject', 'runner'] as const
export type StateScope = (typeof STATE_SCOPES)[number]

/** Where the trigger of a run came from. */
export const TRIGGER_SOURCES = ['platform', 'webui', 'api', 'scheduler', 'system', 'host_adapter'] as const
export type TriggerSource = (typeof TRIGGER_SOURCES)[number]

/** How much of a conversation an input may hold. */
export const INLINE_POLICY_MODES = ['none', 'current_event', 'recent_tail', 'summary_tail'] as const
export type InlinePolicyMode = (typeof INLINE_POLICY_MODES)[number]

/** Chats say `private`; launchers and reply targets say `person`. */
export const CHAT_TYPES = ['private', 'group'] as const
export type ChatType = (typeof CHAT_TYPES)[number]
/** Who started a session, and what kind of target a message has. */
export const LAUNCHER_TYPES = ['person', 'group'] as const
export type LauncherType = (typeof LAUNCHER_TYPES)[number]

/** Roles of platform events are lower case; those of the older message events upper case. */
export const MEMBER_ROLES = ['owner', 'admin', 'member'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]
/** Roles of the older message events. */
export const LEGACY_PERMISSIONS = ['MEMBER', 'ADMINISTRATOR', 'OWNER'] as const
export type LegacyPermission = (typeof LEGACY_PERMISSIONS)[number]

/** What an interaction looks like. */
export const INTERACTION_KINDS = ['form', 'confirmation', 'choice'] as const
export type InteractionKind = (typeof INTERACTION_KINDS)[number]
/** Fields of an interaction. */
export const INTERACTION_FIELD_TYPES = [
  'text',
  'textarea',
  'select',
  'multiselect',
  'number',
  'boolean',
  'file',
] as const
export type InteractionFieldType = (typeof INTERACTION_FIELD_TYPES)[number]
/** Looks of an interaction's buttons. */
export const INTERACTION_ACTION_STYLES = ['default', 'primary', 'danger'] as const
export type InteractionActionStyle = (typeof INTERACTION_ACTION_STYLES)[number]

/** Modes of `steering_pull`; the two spellings of "one" mean the same. */
export const STEERING_MODES = ['all', 'one', 'one-at-a-time'] as const
export type SteeringMode = (typeof STEERING_MODES)[number]

/** Newest first, or oldest first. */
export const PAGE_DIRECTIONS = ['backward', 'forward'] as const
export type PageDirection = (typeof PAGE_DIRECTIONS)[number]

/** What can be done to a reply stream. */
export const REPLY_STREAM_OPERATIONS = ['update', 'finish', 'abort'] as const
export type ReplyStreamOperation = (typeof REPLY_STREAM_OPERATIONS)[number]

/** How much a model should think. */
export const REASONING_LEVELS = [
  'provider_default',
  'disabled',
  'enabled',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const
export type ReasoningLevel = (typeof REASONING_LEVELS)[number]

/** How a vector search looks. */
export const SEARCH_TYPES = ['vector', 'full_text', 'hybrid'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

/** How far the ingestion of a document is. */
export const DOCUMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'deleted'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

/** Locales of `metadata.label` and `metadata.description`; `en_US` is required there. */
export const LOCALES = ['en_US', 'zh_Hans', 'zh_Hant', 'ja_JP', 'th_TH', 'vi_VN', 'es_ES'] as const
export type Locale = (typeof LOCALES)[number]

/** Known `type`s of a configuration item; any other name is kept and shown as plain text. */
export const CONFIG_ITEM_TYPES = [
  'string',
  'secret',
  'text',
  'integer',
  'float',
  'number',
  'boolean',
  'array[string]',
  'select',
  'file',
  'array[file]',
  'llm-model-selector',
  'select-llm-model',
  'embedding-model-selector',
  'rerank-model-selector',
  'model-fallback-selector',
  'knowledge-base-selector',
  'knowledge-base-multi-selector',
  'select-knowledge-bases',
  'bot-selector',
  'plugin-selector',
  'tools-selector',
  'rich-tools-selector',
  'resources-selector',
  'prompt-editor',
  'json',
  'webhook-url',
  'embed-code',
  'qr-code-login',
  'download-link',
] as const
export type ConfigItemType = (typeof CONFIG_ITEM_TYPES)[number]

/** Operators of `show_if` and `disable_if`. */
export const CONDITION_OPERATORS = ['eq', 'neq', 'in'] as const
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number]

/** The 21 pipeline events; the host emits the last eight. */
export const PIPELINE_EVENT_NAMES = [
  'MessageReceived',
  'MessageEdited',
  'MessageDeleted',
  'MessageReactionReceived',
  'FeedbackReceived',
  'GroupMemberJoined',
  'GroupMemberLeft',
  'GroupMemberBanned',
  'BotInvitedToGroup',
  'BotRemovedFromGroup',
  'BotMuted',
  'BotUnmuted',
  'PlatformSpecificEventReceived',
  'PersonMessageReceived',
  'GroupMessageReceived',
  'PersonNormalMessageReceived',
  'GroupNormalMessageReceived',
  'PersonCommandSent',
  'GroupCommandSent',
  'NormalMessageResponded',
  'PromptPreProcessing',
] as const
export type PipelineEventName = (typeof PIPELINE_EVENT_NAMES)[number]
