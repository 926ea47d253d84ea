/** What a platform adapter is, and what every adapter needs. The suite and the scriptable adapter have their own entries. */
export type {
  Accepted,
  Adapter,
  AdapterCapabilities,
  AdapterInstance,
  AdapterLimits,
  AdapterServices,
  AdapterSetting,
  AdapterSocket,
  HttpRoute,
  IncomingEvent,
  LengthUnit,
  OutgoingMessage,
  OutgoingStream,
  PlatformDefinition,
  ReplyTarget,
  SentMessage,
  Settled,
  StreamTarget,
} from './adapter.ts'
export { attachmentsOf, chainSummary, chainText, isAttachment, isBlank } from './chain.ts'
export { contentKey } from './content-key.ts'
export { ADAPTER_ERROR_KINDS, AdapterError, type AdapterErrorKind, ConfigError } from './errors.ts'
export { type Measure, measureOf, textLength } from './length.ts'
export { chatFields, eventBase, groupMember, isEvent, replyTarget, user, userGroup } from './platform-events.ts'
export { splitChain, splitText } from './split.ts'
export { cutText, type TextLimit, type TextPart } from './split-text.ts'
