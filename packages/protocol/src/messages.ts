/**
 * What a message consists of, as an author reads and writes it (entities.md §2.1). Written by hand and not inferred,
 * because components nest in each other; `schemas/messages.ts` checks against these.
 */

/** An id of a platform. The JSON type that came in is kept; whole numbers beyond 2^53 are bigint. */
export type PlatformId = string | number | bigint

/** Which message this is. Time in whole epoch seconds. */
export interface Source {
  type: 'Source'
  id: PlatformId
  timestamp: number
}

/** Text. */
export interface Plain {
  type: 'Plain'
  text: string
}

/** A quoted message with its own chain. */
export interface Quote {
  type: 'Quote'
  id: PlatformId | null
  /** Chat of the quoted message. */
  group_id: PlatformId | null
  sender_id: PlatformId | null
  /** Receiver of the quoted message. */
  target_id: PlatformId | null
  origin: MessageChain
}

/** A mention of one member. */
export interface At {
  type: 'At'
  target: PlatformId
  /** Text to show; empty shows `target`. */
  display: string | null
}

/** A mention of everybody. */
export interface AtAll {
  type: 'AtAll'
}

/** A picture: one of `url`, `base64` (`data:<mime>;base64,<data>`) and `path` is set. */
export interface Image {
  type: 'Image'
  image_id: string | null
  url: string | null
  path: string | null
  base64: string | null
}

/** A component that its reader does not know. */
export interface Unknown {
  type: 'Unknown'
  text: string
}

/** A voice message; `length` in seconds. */
export interface Voice {
  type: 'Voice'
  voice_id: string | null
  url: string | null
  path: string | null
  base64: string | null
  length: number | null
}

/** How forwarded messages are announced. */
export interface ForwardDisplay {
  title: string
  brief: string
  source: string
  preview: string[]
  summary: string
}

/** One forwarded message. */
export interface ForwardNode {
  sender_id: PlatformId | null
  sender_name: string | null
  message_chain: MessageChain | null
  /** A whole number, unlike every other message id. */
  message_id: number | bigint | null
}

/** Forwarded messages, in order. */
export interface Forward {
  type: 'Forward'
  display: ForwardDisplay
  node_list: ForwardNode[]
}

/** A file; `size` in bytes. */
export interface File {
  type: 'File'
  id: string
  name: string
  size: number
  url: string
  path: string | null
  base64: string | null
}

/** A built-in face, dice or rock-paper-scissors. */
export interface Face {
  type: 'Face'
  /** `face`, `dice` or `rps`; a free string. */
  face_type: string
  face_id: number
  face_name: string
}

/** WeChat: a mini program. */
export interface WeChatMiniPrograms {
  type: 'WeChatMiniPrograms'
  mini_app_id: string
  user_name: string
  display_name: string | null
  page_path: string | null
  title: string | null
  image_url: string | null
}

/** WeChat: a forwarded mini program. */
export interface WeChatForwardMiniPrograms {
  type: 'WeChatForwardMiniPrograms'
  xml_data: string
  image_url: string | null
}

/** WeChat: an emoji; `emoji_size` in bytes. */
export interface WeChatEmoji {
  type: 'WeChatEmoji'
  emoji_md5: string
  emoji_size: number
}

/** WeChat: a link with picture. */
export interface WeChatLink {
  type: 'WeChatLink'
  link_title: string
  link_desc: string
  link_url: string
  link_thumb_url: string
}

/** WeChat: a forwarded link. */
export interface WeChatForwardLink {
  type: 'WeChatForwardLink'
  xml_data: string
}

/** WeChat: a forwarded picture. */
export interface WeChatForwardImage {
  type: 'WeChatForwardImage'
  xml_data: string
}

/** WeChat: a forwarded file. */
export interface WeChatForwardFile {
  type: 'WeChatForwardFile'
  xml_data: string
}

/** WeChat: an app message. */
export interface WeChatAppMsg {
  type: 'WeChatAppMsg'
  app_msg: string
}

/** WeChat: a forwarded quote. */
export interface WeChatForwardQuote {
  type: 'WeChatForwardQuote'
  app_msg: string
}

/** WeChat: a file; `file_size` in bytes. */
export interface WeChatFile {
  type: 'WeChatFile'
  file_id: string
  file_name: string
  file_size: number
  file_path: string
  file_base64: string
}

/** One part of a message; `type` picks the shape. */
export type MessageComponent =
  | Source
  | Plain
  | Quote
  | At
  | AtAll
  | Image
  | Unknown
  | Voice
  | Forward
  | File
  | Face
  | WeChatMiniPrograms
  | WeChatForwardMiniPrograms
  | WeChatEmoji
  | WeChatLink
  | WeChatForwardLink
  | WeChatForwardImage
  | WeChatForwardFile
  | WeChatAppMsg
  | WeChatForwardQuote
  | WeChatFile

/** The `type` of a component. */
export type MessageComponentType = MessageComponent['type']

/** A message: components in order, in the spelling of the wire. */
export type MessageChain = MessageComponent[]

/** Fields that a writer must give; the others take their documented default when read. */
interface RequiredFields {
  Source: 'id' | 'timestamp'
  Plain: 'text'
  Quote: 'origin'
  At: 'target'
  WeChatMiniPrograms: 'mini_app_id' | 'user_name'
  WeChatForwardMiniPrograms: 'xml_data'
  WeChatEmoji: 'emoji_md5' | 'emoji_size'
  WeChatForwardLink: 'xml_data'
  WeChatForwardImage: 'xml_data'
  WeChatForwardFile: 'xml_data'
  WeChatAppMsg: 'app_msg'
  WeChatForwardQuote: 'app_msg'
}

type Writable<C extends MessageComponent> = C extends { type: infer T extends keyof RequiredFields }
  ? Pick<C, 'type' | (RequiredFields[T] & keyof C)> & Partial<C>
  : Pick<C, 'type'> & Partial<C>

/** A component as a writer may give it: `type`, what that type needs, and any of its other fields. */
export type MessageComponentInput = {
  [T in MessageComponentType]: Writable<Extract<MessageComponent, { type: T }>>
}[MessageComponentType]

/** A chain as a writer may give it. */
export type MessageChainInput = readonly MessageComponentInput[]

/** Known component types, in documented order. Anything else is read as {@link Unknown}. */
export const MESSAGE_COMPONENT_TYPES = [
  'Source',
  'Plain',
  'Quote',
  'At',
  'AtAll',
  'Image',
  'Unknown',
  'Voice',
  'Forward',
  'File',
  'Face',
  'WeChatMiniPrograms',
  'WeChatForwardMiniPrograms',
  'WeChatEmoji',
  'WeChatLink',
  'WeChatForwardLink',
  'WeChatForwardImage',
  'WeChatForwardFile',
  'WeChatAppMsg',
  'WeChatForwardQuote',
  'WeChatFile',
] as const satisfies readonly MessageComponentType[]
