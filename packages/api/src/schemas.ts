/** What the HTTP API shows and takes, by subject. Records of runs, events and history keep the documented names (entities.md §4.7). */
export {
  ApiErrorSchema,
  JsonObjectSchema,
  JsonSchema,
  NameSchema,
  OkSchema,
  PageQuerySchema,
  pageOf,
  params,
  RangeQuerySchema,
  SECRET_IS_SET,
} from './schemas/basics.ts'
export { AdapterSettingSchema, BotDetailSchema, BotInputSchema, BotSchema, PlatformSchema } from './schemas/bots.ts'
export {
  ChatMessageSchema,
  ConversationSchema,
  ConversationsQuerySchema,
  MessagesQuerySchema,
} from './schemas/chats.ts'
export { DeliverySchema } from './schemas/deliveries.ts'
export {
  DebugEventSchema,
  DebugOptionsSchema,
  EventDetailSchema,
  EventItemSchema,
  EventsQuerySchema,
  EventTypeSchema,
  ReasonSchema,
  SilenceSchema,
  TrailEntrySchema,
  WhySchema,
} from './schemas/events.ts'
export {
  AccountSchema,
  ApiKeyInputSchema,
  ApiKeySchema,
  MeSchema,
  NewApiKeySchema,
  PASSWORD_MAX,
  PASSWORD_MIN,
  PasswordSchema,
  SessionSchema,
  SignedInSchema,
  SignInSchema,
} from './schemas/identity.ts'
export { LIVE_KINDS, LiveChangeSchema, LiveQuerySchema } from './schemas/live.ts'
export {
  InstallationGrantSchema,
  InstallationSchema,
  LogLineSchema,
  PluginPermissionSchema,
  PluginStatusSchema,
  RunnerDetailSchema,
  RunnerSchema,
} from './schemas/plugins.ts'
export {
  ExplainedGrantSchema,
  ExplainGrantInputSchema,
  GrantThingSchema,
  OperatorGrantsSchema,
  ProcessorDetailSchema,
  ProcessorInputSchema,
  ProcessorOptionsSchema,
  ProcessorSchema,
  ProcessorUseSchema,
} from './schemas/processors.ts'
export {
  DryRunInputSchema,
  DryRunSchema,
  RouteFilterSchema,
  RouteInputSchema,
  RouteSchema,
  SubscriptionSchema,
} from './schemas/routes.ts'
export {
  GrantLineSchema,
  LANES,
  RunEventSchema,
  RunGrantSchema,
  RunSchema,
  RunsQuerySchema,
  RunViewSchema,
  TimelineEntrySchema,
  TimelineQuerySchema,
} from './schemas/runs.ts'
export { FactsSchema, StatusSchema } from './schemas/status.ts'
