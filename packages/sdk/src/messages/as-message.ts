/** What a handler gives back as text or chain, as the message of a `message.completed` (entities.md §2.2). */
import type { ContentElement, Message, MessageComponentInput } from '@runbound/protocol'
import type { Content } from '../define/handler.ts'
import { SdkError } from '../errors.ts'
import { chainText } from './chain.ts'

/**
 * Gives the assistant's message. Texts and mentions become text, pictures and files their own parts; a message cannot
 * carry other components. Throws SdkError `invalid_argument` for those: send them with `ctx.reply`.
 */
export function contentMessage(content: Content): Message {
  return {
    role: 'assistant',
    name: null,
    content: typeof content === 'string' ? content : parts(content),
    tool_calls: null,
    tool_call_id: null,
    resp_message_id: null,
    provider_specific_fields: null,
  }
}

function parts(chain: readonly MessageComponentInput[]): ContentElement[] {
  const found: ContentElement[] = []
  for (const component of chain) {
    const next = part(component)
    if (next === null) continue
    const last = found.at(-1)
    // Neighbouring texts are one part, so that a mention does not cut a sentence.
    if (last?.type === 'text' && next.type === 'text') last.text = `${last.text ?? ''}${next.text ?? ''}`
    else found.push({ ...EMPTY, ...next })
  }
  return found
}

const EMPTY = { text: null, image_url: null, image_base64: null, file_url: null, file_base64: null, file_name: null }

function part(component: MessageComponentInput): (Partial<ContentElement> & { type: string }) | null {
  switch (component.type) {
    case 'Source':
      return null
    case 'Plain':
    case 'At':
    case 'AtAll':
      return { type: 'text', text: chainText([component]) }
    case 'Image':
      if (component.url) return { type: 'image_url', image_url: { url: component.url } }
      if (component.base64) return { type: 'image_base64', image_base64: component.base64 }
      break
    case 'File':
      if (component.url) return { type: 'file_url', file_url: component.url, file_name: component.name ?? '' }
      if (component.base64)
        return { type: 'file_base64', file_base64: component.base64, file_name: component.name ?? '' }
      break
    default:
  }
  throw new SdkError(
    'invalid_argument',
    `A message that is given back cannot carry this ${component.type}: use text, mentions, and pictures or files with url or base64. Send the rest with ctx.reply().`,
  )
}
