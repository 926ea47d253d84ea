/**
 * Every data type of the wire, inferred from its schema. Only types: importing this loads nothing.
 * `X` is what a reader gets (all fields there); `XInput` what a writer may give (defaults left out).
 */
import type { z } from 'zod'
import type { EventId } from './events.ts'
import type { Json, JsonObject } from './json.ts'
import type { ResultType } from './names.ts'
import type * as admin from './schemas/admin-records.ts'
import type * as context from './schemas/context.ts'
import type * as entities from './schemas/entities.ts'
import type * as events from './schemas/events.ts'
import type * as interactions from './schemas/interactions.ts'
import type * as model from './schemas/model-messages.ts'
import type * as records from './schemas/records.ts'
import type * as results from './schemas/results.ts'

export type ContentElement = z.infer<typeof model.ContentElementSchema>
export type ContentElementInput = z.input<typeof model.ContentElementSchema>
export type FunctionCall = z.infer<typeof model.FunctionCallSchema>
export type ToolCall = z.infer<typeof model.ToolCallSchema>
export type Message = z.infer<typeof model.MessageSchema>
export type MessageInput = z.input<typeof model.MessageSchema>
export type MessageChunk = z.infer<typeof model.MessageChunkSchema>
export type MessageChunkInput = z.input<typeof model.MessageChunkSchema>
export type LLMTokenUsage = z.infer<typeof model.LLMTokenUsageSchema>
export type LLMInvokeResult = z.infer<typeof model.LLMInvokeResultSchema>
export type LLMStreamEvent = z.infer<typeof model.LLMStreamEventSchema>
export type LLMTool = z.infer<typeof model.LLMToolSchema>
export type Prompt = z.infer<typeof model.PromptSchema>

export type User = z.infer<typeof entities.UserSchema>
export type UserGroup = z.infer<typeof entities.UserGroupSchema>
export type UserGroupMember = z.infer<typeof entities.UserGroupMemberSchema>
export type Friend = z.infer<typeof entities.FriendSchema>
export type Group = z.infer<typeof entities.GroupSchema>
export type GroupMember = z.infer<typeof entities.GroupMemberSchema>
export type MessageResult = z.infer<typeof entities.MessageResultSchema>
export type EventLog = z.infer<typeof entities.EventLogSchema>

export type MessageReceivedEvent = z.infer<typeof events.MessageReceivedEventSchema>
export type MessageEditedEvent = z.infer<typeof events.MessageEditedEventSchema>
export type MessageDeletedEvent = z.infer<typeof events.MessageDeletedEventSchema>
export type MessageReactionEvent = z.infer<typeof events.MessageReactionEventSchema>
export type FeedbackReceivedEvent = z.infer<typeof events.FeedbackReceivedEventSchema>
export type MemberJoinedEvent = z.infer<typeof events.MemberJoinedEventSchema>
export type MemberLeftEvent = z.infer<typeof events.MemberLeftEventSchema>
export type MemberBannedEvent = z.infer<typeof events.MemberBannedEventSchema>
export type GroupInfoUpdatedEvent = z.infer<typeof events.GroupInfoUpdatedEventSchema>
export type FriendRequestReceivedEvent = z.infer<typeof events.FriendRequestReceivedEventSchema>
export type FriendAddedEvent = z.infer<typeof events.FriendAddedEventSchema>
export type FriendRemovedEvent = z.infer<typeof events.FriendRemovedEventSchema>
export type BotInvitedToGroupEvent = z.infer<typeof events.BotInvitedToGroupEventSchema>
export type BotRemovedFromGroupEvent = z.infer<typeof events.BotRemovedFromGroupEventSchema>
export type BotMutedEvent = z.infer<typeof events.BotMutedEventSchema>
export type BotUnmutedEvent = z.infer<typeof events.BotUnmutedEventSchema>
export type PlatformSpecificEvent = z.infer<typeof events.PlatformSpecificEventSchema>
export type WecomBotEnterChatEvent = z.infer<typeof events.WecomBotEnterChatEventSchema>
export type WecomBotTemplateCardEvent = z.infer<typeof events.WecomBotTemplateCardEventSchema>
export type DingTalkCardActionEvent = z.infer<typeof events.DingTalkCardActionEventSchema>
export type WecomCSEnterSessionEvent = z.infer<typeof events.WecomCSEnterSessionEventSchema>
export type WecomCSMessageSendFailedEvent = z.infer<typeof events.WecomCSMessageSendFailedEventSchema>
export type WecomCSServicerStatusChangedEvent = z.infer<typeof events.WecomCSServicerStatusChangedEventSchema>
export type WecomCSSessionStatusChangedEvent = z.infer<typeof events.WecomCSSessionStatusChangedEventSchema>
export type WecomCSRejectCustomerMessageChangedEvent = z.infer<
  typeof events.WecomCSRejectCustomerMessageChangedEventSchema
>

/** A platform event; `type` picks the shape. */
export type PlatformEvent = z.infer<typeof events.PlatformEventSchema>
/** A platform event as an adapter may give it: `type`, what that type needs, and any other field. */
export type PlatformEventInput = z.input<typeof events.PlatformEventSchema>
/** The platform event of an id; `interaction.submitted` has none. */
export type PlatformEventOf<Id extends EventId> = Extract<PlatformEvent, { type: Id }>

export type AgentTrigger = z.infer<typeof context.AgentTriggerSchema>
export type RawEventRef = z.infer<typeof context.RawEventRefSchema>
export type AgentEventContext = z.infer<typeof context.AgentEventContextSchema>
export type ConversationContext = z.infer<typeof context.ConversationContextSchema>
export type ActorContext = z.infer<typeof context.ActorContextSchema>
export type SubjectContext = z.infer<typeof context.SubjectContextSchema>
export type InputAttachment = z.infer<typeof context.InputAttachmentSchema>
export type AgentInput = z.infer<typeof context.AgentInputSchema>
export type DeliveryContext = z.infer<typeof context.DeliveryContextSchema>
export type ModelResource = z.infer<typeof context.ModelResourceSchema>
export type ToolResource = z.infer<typeof context.ToolResourceSchema>
export type KnowledgeBaseResource = z.infer<typeof context.KnowledgeBaseResourceSchema>
export type SkillResource = z.infer<typeof context.SkillResourceSchema>
export type StorageResource = z.infer<typeof context.StorageResourceSchema>
export type AgentResources = z.infer<typeof context.AgentResourcesSchema>
export type InlineContextPolicy = z.infer<typeof context.InlineContextPolicySchema>
export type ContextAPICapabilities = z.infer<typeof context.ContextAPICapabilitiesSchema>
export type ContextAccess = z.infer<typeof context.ContextAccessSchema>
export type AgentRunState = z.infer<typeof context.AgentRunStateSchema>
export type AgentRuntimeContext = z.infer<typeof context.AgentRuntimeContextSchema>
export type AdapterContext = z.infer<typeof context.AdapterContextSchema>
export type RunnerContext = z.infer<typeof context.RunnerContextSchema>
/** A context as a host or a test may give it: only what is required, the rest by default. */
export type RunnerContextInput = z.input<typeof context.RunnerContextSchema>

export type InteractionOption = z.infer<typeof interactions.InteractionOptionSchema>
export type InteractionField = z.infer<typeof interactions.InteractionFieldSchema>
export type InteractionAction = z.infer<typeof interactions.InteractionActionSchema>
export type InteractionRequest = z.infer<typeof interactions.InteractionRequestSchema>
export type InteractionRequestInput = z.input<typeof interactions.InteractionRequestSchema>
export type InteractionSubmission = z.infer<typeof interactions.InteractionSubmissionSchema>
export type InteractionDeliveryCapabilities = z.infer<typeof interactions.InteractionDeliveryCapabilitiesSchema>

export type MessageDeltaPayload = z.infer<typeof results.MessageDeltaPayloadSchema>
export type MessageCompletedPayload = z.infer<typeof results.MessageCompletedPayloadSchema>
export type ToolCallStartedPayload = z.infer<typeof results.ToolCallStartedPayloadSchema>
export type ToolCallCompletedPayload = z.infer<typeof results.ToolCallCompletedPayloadSchema>
export type StateUpdatedPayload = z.infer<typeof results.StateUpdatedPayloadSchema>
export type ActionRequestedPayload = z.infer<typeof results.ActionRequestedPayloadSchema>
export type RunCompletedPayload = z.infer<typeof results.RunCompletedPayloadSchema>
export type RunFailedPayload = z.infer<typeof results.RunFailedPayloadSchema>
export type ProcessorLogPayload = z.infer<typeof results.ProcessorLogPayloadSchema>

/** `data` of a result by its `type`. */
export interface ResultPayloads {
  'message.delta': MessageDeltaPayload
  'message.completed': MessageCompletedPayload
  'tool.call.started': ToolCallStartedPayload
  'tool.call.completed': ToolCallCompletedPayload
  'state.updated': StateUpdatedPayload
  'action.requested': ActionRequestedPayload
  'run.completed': RunCompletedPayload
  'run.failed': RunFailedPayload
  'processor.log': ProcessorLogPayload
}

/** `data` of a result as an author may give it. */
export interface ResultPayloadInputs {
  'message.delta': z.input<typeof results.MessageDeltaPayloadSchema>
  'message.completed': z.input<typeof results.MessageCompletedPayloadSchema>
  'tool.call.started': z.input<typeof results.ToolCallStartedPayloadSchema>
  'tool.call.completed': z.input<typeof results.ToolCallCompletedPayloadSchema>
  'state.updated': z.input<typeof results.StateUpdatedPayloadSchema>
  'action.requested': z.input<typeof results.ActionRequestedPayloadSchema>
  'run.completed': z.input<typeof results.RunCompletedPayloadSchema>
  'run.failed': z.input<typeof results.RunFailedPayloadSchema>
  'processor.log': z.input<typeof results.ProcessorLogPayloadSchema>
}

/** One result as it travels; `data` is not looked at here. */
export interface RunnerResult {
  run_id: string
  type: string
  data: JsonObject
  usage: LLMTokenUsage | null
  sequence: number | null
  timestamp: number | null
}

/** One result of a documented kind, with its payload typed. */
export interface RunnerResultOf<T extends ResultType> extends Omit<RunnerResult, 'type' | 'data'> {
  type: T
  data: ResultPayloads[T]
}

export type TranscriptItem = z.infer<typeof records.TranscriptItemSchema>
export type HistoryPage = z.infer<typeof records.HistoryPageSchema>
export type HistorySearchResult = z.infer<typeof records.HistorySearchResultSchema>
export type AgentEventRecord = z.infer<typeof records.AgentEventRecordSchema>
export type EventPage = z.infer<typeof records.EventPageSchema>
export type AgentRun = z.infer<typeof records.AgentRunSchema>
export type AgentRunEvent = z.infer<typeof records.AgentRunEventSchema>
export type RunPage = z.infer<typeof records.RunPageSchema>
export type RunEventPage = z.infer<typeof records.RunEventPageSchema>
export type SteeringInputItem = z.infer<typeof records.SteeringInputItemSchema>
export type SteeringPullResult = z.infer<typeof records.SteeringPullResultSchema>
export type BoxStatus = z.infer<typeof records.BoxStatusSchema>
export type BoxSession = z.infer<typeof records.BoxSessionSchema>
export type BoxBinding = z.infer<typeof records.BoxBindingSchema>
export type BoxFile = z.infer<typeof records.BoxFileSchema>

export type AgentRuntime = z.infer<typeof admin.AgentRuntimeSchema>
export type RuntimePage = z.infer<typeof admin.RuntimePageSchema>
export type RunStats = z.infer<typeof admin.RunStatsSchema>
export type RuntimeStats = z.infer<typeof admin.RuntimeStatsSchema>
export type RunnerStats = z.infer<typeof admin.RunnerStatsSchema>
export type RunnerStatsPage = z.infer<typeof admin.RunnerStatsPageSchema>

/** What the state calls answer (entities.md §4.7). */
export interface StateValue {
  /** Null when the key is not there. */
  value: Json
}
export interface StateKeys {
  keys: string[]
  has_more: boolean
}
