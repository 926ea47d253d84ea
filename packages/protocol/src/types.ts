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

/** One part of a message's content; `type` says which field holds it. */
export type ContentElement = z.infer<typeof model.ContentElementSchema>
/** A content part as a writer may give it. */
export type ContentElementInput = z.input<typeof model.ContentElementSchema>
/** Name and arguments of a tool call; `arguments` is JSON as text. */
export type FunctionCall = z.infer<typeof model.FunctionCallSchema>
/** A call that a model asks for. */
export type ToolCall = z.infer<typeof model.ToolCallSchema>
/** A whole message of a conversation with a model. */
export type Message = z.infer<typeof model.MessageSchema>
/** A model message as a writer may give it. */
export type MessageInput = z.input<typeof model.MessageSchema>
/** A streamed piece of a model's answer. */
export type MessageChunk = z.infer<typeof model.MessageChunkSchema>
/** A streamed piece as a writer may give it. */
export type MessageChunkInput = z.input<typeof model.MessageChunkSchema>
/** Tokens that a call used; null means unknown. Keys of the provider are kept. */
export type LLMTokenUsage = z.infer<typeof model.LLMTokenUsageSchema>
/** A model's answer with its usage. */
export type LLMInvokeResult = z.infer<typeof model.LLMInvokeResultSchema>
/** One item of a model stream: a piece, usage, or both. */
export type LLMStreamEvent = z.infer<typeof model.LLMStreamEventSchema>
/** A function offered to a model; `parameters` is a JSON Schema. */
export type LLMTool = z.infer<typeof model.LLMToolSchema>
/** A named list of messages. */
export type Prompt = z.infer<typeof model.PromptSchema>

/** A person on a platform. */
export type User = z.infer<typeof entities.UserSchema>
/** A group on a platform. */
export type UserGroup = z.infer<typeof entities.UserGroupSchema>
/** A person as a member of a group; `joined_at` in epoch seconds. */
export type UserGroupMember = z.infer<typeof entities.UserGroupMemberSchema>
/** A person, in the older message events. */
export type Friend = z.infer<typeof entities.FriendSchema>
/** A group with the bot's role in it, in the older message events. */
export type Group = z.infer<typeof entities.GroupSchema>
/** A member of a group, in the older message events. */
export type GroupMember = z.infer<typeof entities.GroupMemberSchema>
/** What a platform says about a message that it took. */
export type MessageResult = z.infer<typeof entities.MessageResultSchema>
/** One line of an adapter's log. */
export type EventLog = z.infer<typeof entities.EventLogSchema>

/** Somebody wrote a message. `chat_id` is the person in a private chat, the group in a group. */
export type MessageReceivedEvent = z.infer<typeof events.MessageReceivedEventSchema>
/** Somebody changed a message. */
export type MessageEditedEvent = z.infer<typeof events.MessageEditedEventSchema>
/** A message was deleted. */
export type MessageDeletedEvent = z.infer<typeof events.MessageDeletedEventSchema>
/** Somebody added a reaction to a message, or took it back (`is_add` false). */
export type MessageReactionEvent = z.infer<typeof events.MessageReactionEventSchema>
/** Somebody rated an answer: `feedback_type` 1 liked, 2 disliked, 3 withdrawn. */
export type FeedbackReceivedEvent = z.infer<typeof events.FeedbackReceivedEventSchema>
/** Somebody joined a group. */
export type MemberJoinedEvent = z.infer<typeof events.MemberJoinedEventSchema>
/** Somebody left a group, or was removed (`is_kicked`). */
export type MemberLeftEvent = z.infer<typeof events.MemberLeftEventSchema>
/** A member was muted; `duration` in seconds, null without end. */
export type MemberBannedEvent = z.infer<typeof events.MemberBannedEventSchema>
/** Facts of a group changed; `changed_fields` names them. */
export type GroupInfoUpdatedEvent = z.infer<typeof events.GroupInfoUpdatedEventSchema>
/** Somebody asks to be a friend of the bot. */
export type FriendRequestReceivedEvent = z.infer<typeof events.FriendRequestReceivedEventSchema>
/** Somebody became a friend of the bot. */
export type FriendAddedEvent = z.infer<typeof events.FriendAddedEventSchema>
/** Somebody is no friend of the bot any more. */
export type FriendRemovedEvent = z.infer<typeof events.FriendRemovedEventSchema>
/** The bot was invited into a group. */
export type BotInvitedToGroupEvent = z.infer<typeof events.BotInvitedToGroupEventSchema>
/** The bot was removed from a group. */
export type BotRemovedFromGroupEvent = z.infer<typeof events.BotRemovedFromGroupEventSchema>
/** The bot was muted; `duration` in seconds. */
export type BotMutedEvent = z.infer<typeof events.BotMutedEventSchema>
/** The bot may speak again. */
export type BotUnmutedEvent = z.infer<typeof events.BotUnmutedEventSchema>
/** Something that only this platform has; `action` names it. */
export type PlatformSpecificEvent = z.infer<typeof events.PlatformSpecificEventSchema>
/** WeCom bot: somebody opened the chat. */
export type WecomBotEnterChatEvent = z.infer<typeof events.WecomBotEnterChatEventSchema>
/** WeCom bot: somebody used a template card. */
export type WecomBotTemplateCardEvent = z.infer<typeof events.WecomBotTemplateCardEventSchema>
/** DingTalk: somebody used a card. */
export type DingTalkCardActionEvent = z.infer<typeof events.DingTalkCardActionEventSchema>
/** WeCom customer service: a customer opened a session. */
export type WecomCSEnterSessionEvent = z.infer<typeof events.WecomCSEnterSessionEventSchema>
/** WeCom customer service: a message could not be sent. */
export type WecomCSMessageSendFailedEvent = z.infer<typeof events.WecomCSMessageSendFailedEventSchema>
/** WeCom customer service: a member of staff came or went. */
export type WecomCSServicerStatusChangedEvent = z.infer<typeof events.WecomCSServicerStatusChangedEventSchema>
/** WeCom customer service: a session changed hands. */
export type WecomCSSessionStatusChangedEvent = z.infer<typeof events.WecomCSSessionStatusChangedEventSchema>
/** WeCom customer service: a customer may, or may no longer, be written to. */
export type WecomCSRejectCustomerMessageChangedEvent = z.infer<
  typeof events.WecomCSRejectCustomerMessageChangedEventSchema
>

/** A platform event; `type` picks the shape. */
export type PlatformEvent = z.infer<typeof events.PlatformEventSchema>
/** A platform event as an adapter may give it: `type`, what that type needs, and any other field. */
export type PlatformEventInput = z.input<typeof events.PlatformEventSchema>
/** The platform event of an id; `interaction.submitted` has none. */
export type PlatformEventOf<Id extends EventId> = Extract<PlatformEvent, { type: Id }>

/** What started the run; `timestamp` in whole epoch seconds. */
export type AgentTrigger = z.infer<typeof context.AgentTriggerSchema>
/** Where the raw event lies. */
export type RawEventRef = z.infer<typeof context.RawEventRefSchema>
/** The envelope of the event that started the run. */
export type AgentEventContext = z.infer<typeof context.AgentEventContextSchema>
/** Where it happened. Ids are text here, also where the platform has numbers. */
export type ConversationContext = z.infer<typeof context.ConversationContextSchema>
/** Who caused it. */
export type ActorContext = z.infer<typeof context.ActorContextSchema>
/** What it is about. */
export type SubjectContext = z.infer<typeof context.SubjectContextSchema>
/** A file of the input; `ref` is the handle that brings it into a box. */
export type InputAttachment = z.infer<typeof context.InputAttachmentSchema>
/** What the run is to work on: text, parts, files, or an interaction's answer. */
export type AgentInput = z.infer<typeof context.AgentInputSchema>
/** How answers go out, and what the platform can show. */
export type DeliveryContext = z.infer<typeof context.DeliveryContextSchema>
/** A model that this run may use; an empty `operations` means all. */
export type ModelResource = z.infer<typeof context.ModelResourceSchema>
/** A tool that this run may use; an empty `operations` means all. */
export type ToolResource = z.infer<typeof context.ToolResourceSchema>
/** A knowledge base that this run may use; an empty `operations` means all. */
export type KnowledgeBaseResource = z.infer<typeof context.KnowledgeBaseResourceSchema>
/** A skill that this run may use. */
export type SkillResource = z.infer<typeof context.SkillResourceSchema>
/** Which storage this run may use. */
export type StorageResource = z.infer<typeof context.StorageResourceSchema>
/** What this run was granted. Editing a copy grants nothing. */
export type AgentResources = z.infer<typeof context.AgentResourcesSchema>
/** How much of the conversation the input holds. */
export type InlineContextPolicy = z.infer<typeof context.InlineContextPolicySchema>
/** One flag for each API: true says that a call of this run succeeds. */
export type ContextAPICapabilities = z.infer<typeof context.ContextAPICapabilitiesSchema>
/** Cursors into the conversation, and the APIs that are there. */
export type ContextAccess = z.infer<typeof context.ContextAccessSchema>
/** The values of each state scope when the run started. */
export type AgentRunState = z.infer<typeof context.AgentRunStateSchema>
/** Host version, trace id, and the deadline in epoch seconds. */
export type AgentRuntimeContext = z.infer<typeof context.AgentRuntimeContextSchema>
/** Extra data of the entry adapter. */
export type AdapterContext = z.infer<typeof context.AdapterContextSchema>
/** What a Runner is handed. */
export type RunnerContext = z.infer<typeof context.RunnerContextSchema>
/** A context as a host or a test may give it: only what is required, the rest by default. */
export type RunnerContextInput = z.input<typeof context.RunnerContextSchema>

/** One choice of a field. */
export type InteractionOption = z.infer<typeof interactions.InteractionOptionSchema>
/** One field of an interaction. */
export type InteractionField = z.infer<typeof interactions.InteractionFieldSchema>
/** One button of an interaction. */
export type InteractionAction = z.infer<typeof interactions.InteractionActionSchema>
/** A form, confirmation or choice that a run shows. */
export type InteractionRequest = z.infer<typeof interactions.InteractionRequestSchema>
/** An interaction as an author may give it. */
export type InteractionRequestInput = z.input<typeof interactions.InteractionRequestSchema>
/** What the user answered; `values` by field id. */
export type InteractionSubmission = z.infer<typeof interactions.InteractionSubmissionSchema>
/** Which interactions this platform can show. */
export type InteractionDeliveryCapabilities = z.infer<typeof interactions.InteractionDeliveryCapabilitiesSchema>

/** Payload of `message.delta`. */
export type MessageDeltaPayload = z.infer<typeof results.MessageDeltaPayloadSchema>
/** Payload of `message.completed`; `file_ids` are handles of exported files. */
export type MessageCompletedPayload = z.infer<typeof results.MessageCompletedPayloadSchema>
/** Payload of `tool.call.started`. */
export type ToolCallStartedPayload = z.infer<typeof results.ToolCallStartedPayloadSchema>
/** Payload of `tool.call.completed`; `result` is an object or null. */
export type ToolCallCompletedPayload = z.infer<typeof results.ToolCallCompletedPayloadSchema>
/** Payload of `state.updated`. */
export type StateUpdatedPayload = z.infer<typeof results.StateUpdatedPayloadSchema>
/** Payload of `action.requested`. */
export type ActionRequestedPayload = z.infer<typeof results.ActionRequestedPayloadSchema>
/** Payload of `run.completed`. */
export type RunCompletedPayload = z.infer<typeof results.RunCompletedPayloadSchema>
/** Payload of `run.failed`. */
export type RunFailedPayload = z.infer<typeof results.RunFailedPayloadSchema>
/** Payload of `processor.log`. */
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

/** One message of a conversation's history. */
export type TranscriptItem = z.infer<typeof records.TranscriptItemSchema>
/** A page of history. `next_cursor` and `prev_cursor` are opaque. */
export type HistoryPage = z.infer<typeof records.HistoryPageSchema>
/** What a history search found. */
export type HistorySearchResult = z.infer<typeof records.HistorySearchResultSchema>
/** One event of a conversation, as it was kept. */
export type AgentEventRecord = z.infer<typeof records.AgentEventRecordSchema>
/** A page of events. */
export type EventPage = z.infer<typeof records.EventPageSchema>
/** The record of a run; times in whole epoch seconds. */
export type AgentRun = z.infer<typeof records.AgentRunSchema>
/** One entry of a run's ledger; `sequence` counts from 1 without holes. */
export type AgentRunEvent = z.infer<typeof records.AgentRunEventSchema>
/** A page of runs. */
export type RunPage = z.infer<typeof records.RunPageSchema>
/** A page of a run's ledger. */
export type RunEventPage = z.infer<typeof records.RunEventPageSchema>
/** An input that arrived while the run was active. */
export type SteeringInputItem = z.infer<typeof records.SteeringInputItemSchema>
/** The inputs that a pull took. */
export type SteeringPullResult = z.infer<typeof records.SteeringPullResultSchema>
/** Whether boxes are there, and how many are left; null means unknown. */
export type BoxStatus = z.infer<typeof records.BoxStatusSchema>
/** A box. */
export type BoxSession = z.infer<typeof records.BoxSessionSchema>
/** The box of a run, and where its files go out. */
export type BoxBinding = z.infer<typeof records.BoxBindingSchema>
/** A file in a box, or a handle of an exported one; `size` in bytes. */
export type BoxFile = z.infer<typeof records.BoxFileSchema>

/** An outside runtime that administrators registered. */
export type AgentRuntime = z.infer<typeof admin.AgentRuntimeSchema>
/** A page of runtimes. */
export type RuntimePage = z.infer<typeof admin.RuntimePageSchema>
/** Counts and times of runs. */
export type RunStats = z.infer<typeof admin.RunStatsSchema>
/** Counts of runtimes. */
export type RuntimeStats = z.infer<typeof admin.RuntimeStatsSchema>
/** Counts and times of one Runner. */
export type RunnerStats = z.infer<typeof admin.RunnerStatsSchema>
/** A page of Runner statistics. */
export type RunnerStatsPage = z.infer<typeof admin.RunnerStatsPageSchema>

/** What the state calls answer (entities.md §4.7). */
export interface StateValue {
  /** Null when the key is not there. */
  value: Json
}
/** What `state_list` answers. */
export interface StateKeys {
  keys: string[]
  has_more: boolean
}
