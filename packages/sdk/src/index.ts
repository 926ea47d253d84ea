/** What plugin authors import. Loads neither zod nor anything of Node: the host validates, the transport is given. */
export type {
  ActorContext,
  AdapterContext,
  AgentEventContext,
  AgentEventRecord,
  AgentInput,
  AgentResources,
  AgentRun,
  AgentRunEvent,
  AgentRunState,
  AgentRuntimeContext,
  AgentTrigger,
  At,
  AtAll,
  BotInvitedToGroupEvent,
  BotMutedEvent,
  BotRemovedFromGroupEvent,
  BotUnmutedEvent,
  BoxBinding,
  BoxFile,
  BoxSession,
  BoxStatus,
  ContentElement,
  ContentElementInput,
  ContextAccess,
  ContextAPICapabilities,
  ConversationContext,
  DeliveryContext,
  DingTalkCardActionEvent,
  EventId,
  EventPage,
  EventPattern,
  Face,
  FeedbackReceivedEvent,
  File,
  Forward,
  FriendAddedEvent,
  FriendRemovedEvent,
  FriendRequestReceivedEvent,
  GroupInfoUpdatedEvent,
  HistoryPage,
  HistorySearchResult,
  Image,
  InputAttachment,
  InteractionRequest,
  InteractionRequestInput,
  InteractionSubmission,
  Json,
  JsonObject,
  KnowledgeBaseResource,
  LLMInvokeResult,
  LLMStreamEvent,
  LLMTokenUsage,
  LLMTool,
  LogLevel,
  MemberBannedEvent,
  MemberJoinedEvent,
  MemberLeftEvent,
  Message,
  MessageChain,
  MessageChainInput,
  MessageChunk,
  MessageChunkInput,
  MessageComponent,
  MessageComponentInput,
  MessageDeletedEvent,
  MessageEditedEvent,
  MessageInput,
  MessageReactionEvent,
  MessageReceivedEvent,
  ModelResource,
  Plain,
  PlatformEvent,
  PlatformEventOf,
  PlatformId,
  PlatformSpecificEvent,
  Quote,
  ReasoningLevel,
  RunEventPage,
  RunnerResult,
  RunnerUsage,
  RunPage,
  RunStatus,
  SkillResource,
  Source,
  StateKeys,
  StateScope,
  StateValue,
  SteeringInputItem,
  SteeringMode,
  SteeringPullResult,
  StorageResource,
  SubjectContext,
  ToolResource,
  TranscriptItem,
  Unknown,
  User,
  UserGroup,
  UserGroupMember,
  Voice,
  WecomBotEnterChatEvent,
  WecomBotTemplateCardEvent,
  WecomCSEnterSessionEvent,
  WecomCSMessageSendFailedEvent,
  WecomCSRejectCustomerMessageChangedEvent,
  WecomCSServicerStatusChangedEvent,
  WecomCSSessionStatusChangedEvent,
  WireErrorData,
} from '@runbound/protocol'
export type {
  Condition,
  ConfigFile,
  ConfigOf,
  Field,
  FieldOptions,
  Fields,
  ModelFallback,
  PromptEntry,
  ValueOptions,
} from './config/field.ts'
export { type Choice, field } from './config/fields.ts'
export type { CanUseBox } from './context/box.ts'
export type {
  CanGetEvents,
  CanGetPrompt,
  CanPageEvents,
  CanPageHistory,
  CanSearchHistory,
  CanSteer,
  HistoryPageOptions,
} from './context/history.ts'
export type {
  CanDescribeTools,
  HostBasics,
  HostBoxes,
  HostListings,
  ListedKnowledgeBase,
  ListedTool,
  RunHost,
} from './context/host.ts'
export type { CanRetrieveKnowledge, RetrievalResult } from './context/knowledge.ts'
export type {
  CanCountTokens,
  CanInvokeModels,
  CanRerank,
  CanStreamModels,
  ModelOptions,
  RerankResult,
  WaitingModelOptions,
} from './context/models.ts'
export type { CanCallPlatform } from './context/platform.ts'
export type { ListedParser, ParsedFile, PluginHost } from './context/plugin-host.ts'
export type { ActionResult, CanLog, CanReply, ReplyStream } from './context/replies.ts'
export type { CanReplyByApi, RunApi, RunGrants } from './context/run-api.ts'
export type { RunData, RunInput } from './context/run-data.ts'
export type { HasRunRecords } from './context/run-records.ts'
export type { FullRunnerContext, RunnerContext } from './context/runner-context.ts'
export type { HasState, StateChange } from './context/state.ts'
export type { PluginStorage, WorkspaceStorage } from './context/storage.ts'
export type { AvailableTool, CanCallTools, CanListTools } from './context/tools.ts'
export type { Content, HandlerReturn, HandlerValue } from './define/handler.ts'
export { definePlugin, isPlugin, manifestOf, type Plugin, type PluginSpec } from './define/plugin.ts'
export { defineRunner, type Handlers, type Runner, type RunnerSpec } from './define/runner.ts'
export { AgentAPIException, PermissionDeniedError, SdkError, type SdkErrorCode } from './errors.ts'
export { chain, chainText } from './messages/chain.ts'
export {
  at,
  atAll,
  type ForwardedMessage,
  face,
  file,
  forward,
  image,
  type MediaSource,
  quote,
  text,
  voice,
} from './messages/components.ts'
export { result } from './results.ts'
export type { Capabilities, Permissions } from './rights.ts'
export type { PluginSession, ServeOptions } from './serve/session.ts'
export type { GuardedRun, PackageFiles, PluginLog, ReadFile, RunGuard } from './serve/surroundings.ts'
export type { LocalText } from './text.ts'
export { SDK_VERSION } from './version.ts'
