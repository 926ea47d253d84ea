/** Builders of message components, in the spelling of the wire (entities.md §2.1). */
import type {
  At,
  AtAll,
  Face,
  File,
  Forward,
  ForwardNode,
  Image,
  MessageChain,
  MessageComponentInput,
  Plain,
  PlatformId,
  Quote,
  Voice,
} from '@runbound/protocol'
import { SdkError } from '../errors.ts'
import { chain } from './chain.ts'

/** Where the bytes of a picture, voice or file come from: exactly one of both. */
export type MediaSource =
  | { readonly url: string; readonly base64?: undefined }
  /** `data:<mime>;base64,<data>`. */
  | { readonly base64: string; readonly url?: undefined }

function source(
  kind: string,
  media: { readonly url?: string; readonly base64?: string },
): { url: string; base64: string } {
  if ((media.url === undefined) === (media.base64 === undefined)) {
    throw new SdkError('invalid_argument', `${kind}: give either url or base64.`)
  }
  if (media.base64 !== undefined && !/^data:[^,]*;base64,/.test(media.base64)) {
    throw new SdkError('invalid_argument', `${kind}: base64 has the form data:<mime>;base64,<data>.`)
  }
  return { url: media.url ?? '', base64: media.base64 ?? '' }
}

/** Makes a piece of text. */
export function text(content: string): Plain {
  return { type: 'Plain', text: content }
}

/** Mentions a member. Default: shown as `target`. */
export function at(target: PlatformId, options: { readonly display?: string } = {}): At {
  return { type: 'At', target, display: options.display ?? '' }
}

/** Mentions everybody. */
export function atAll(): AtAll {
  return { type: 'AtAll' }
}

/** Makes a picture. Throws SdkError `invalid_argument` for a source that is none. */
export function image(media: MediaSource): Image {
  return { type: 'Image', image_id: '', ...source('image', media), path: '' }
}

/** Makes a voice message; `length` in seconds, default 0 (unknown). Throws as {@link image} does. */
export function voice(media: MediaSource & { readonly length?: number }): Voice {
  return { type: 'Voice', voice_id: '', ...source('voice', media), path: '', length: media.length ?? 0 }
}

/** Makes a file; `size` in bytes, default 0 (unknown). Throws as {@link image} does. */
export function file(media: MediaSource & { readonly name: string; readonly size?: number }): File {
  return { type: 'File', id: '', name: media.name, size: media.size ?? 0, ...source('file', media), path: '' }
}

/** Quotes a message: its chain, and its ids as far as they are known. */
export function quote(
  origin: readonly (string | MessageComponentInput)[],
  ids: Partial<Pick<Quote, 'id' | 'group_id' | 'sender_id' | 'target_id'>> = {},
): Quote {
  return { type: 'Quote', id: null, group_id: null, sender_id: null, target_id: null, ...ids, origin: chain(...origin) }
}

/** Makes a built-in face. Default: kind `face`, without a name. */
export function face(
  face_id: number,
  options: { readonly face_type?: 'face' | 'dice' | 'rps'; readonly face_name?: string } = {},
): Face {
  return { type: 'Face', face_type: options.face_type ?? 'face', face_id, face_name: options.face_name ?? '' }
}

/** One forwarded message of {@link forward}. */
export interface ForwardedMessage {
  readonly sender_id?: PlatformId
  readonly sender_name?: string
  readonly message_chain: readonly (string | MessageComponentInput)[]
  /** A whole number, unlike every other message id. */
  readonly message_id?: number
}

/**
 * Makes forwarded messages, in order. `Source` components inside are left out: no Python plugin can read them there.
 * Few platforms can show them.
 */
export function forward(messages: readonly ForwardedMessage[], display: Partial<Forward['display']> = {}): Forward {
  return {
    type: 'Forward',
    display: {
      title: 'Chat history of the group',
      brief: '[Chat history]',
      source: 'Chat history',
      preview: [],
      summary: 'View x forwarded messages',
      ...display,
    },
    node_list: messages.map(
      (message): ForwardNode => ({
        sender_id: message.sender_id ?? '',
        sender_name: message.sender_name ?? '',
        message_chain: withoutSource(chain(...message.message_chain)),
        message_id: message.message_id ?? 0,
      }),
    ),
  }
}

function withoutSource(parts: MessageChain): MessageChain {
  return parts.filter((part) => part.type !== 'Source')
}
