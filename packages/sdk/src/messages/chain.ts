/** Chains: putting components together, and reading them as text. */
import type { MessageChain, MessageComponentInput } from '@runbound/protocol'
import { complete } from './defaults.ts'

/**
 * Makes a message chain. A text counts as a `Plain`; fields that a component leaves out get their documented default.
 *
 * @example
 * ```ts
 * import { at, chain, image, text } from '@runbound/sdk'
 *
 * export const welcome = chain(at('u-1'), text(' welcome! '), image({ url: 'https://example.org/hello.png' }))
 * ```
 */
export function chain(...parts: readonly (string | MessageComponentInput)[]): MessageChain {
  return parts.map((part) => (typeof part === 'string' ? { type: 'Plain', text: part } : complete(part)))
}

/**
 * Gives the text of a chain: `Plain` its text, `At` `@name`, `AtAll` `@All`, media in brackets (`[Image]`,
 * `[File]name`), `Source` nothing. Parts are joined without separator.
 *
 * @example
 * ```ts
 * import { at, chain, chainText } from '@runbound/sdk'
 *
 * export const line = chainText(chain(at(5, { display: 'Ann' }), ' look')) // '@Ann look'
 * ```
 */
export function chainText(parts: readonly MessageComponentInput[]): string {
  return parts.map(componentText).join('')
}

function componentText(part: MessageComponentInput): string {
  switch (part.type) {
    case 'Source':
      return ''
    case 'Plain':
      return part.text
    case 'At':
      return `@${part.display || String(part.target)}`
    case 'AtAll':
      return '@All'
    case 'Image':
    case 'Voice':
      return `[${part.type}]`
    case 'File':
      return `[File]${part.name ?? ''}`
    case 'Forward':
      return '[Chat history]'
    case 'Quote':
      return `[Quote]${chainText(part.origin)}`
    case 'Face':
      return `[${part.face_name || part.face_type || 'face'}]`
    case 'Unknown':
      return `Unknown Message: ${part.text ?? ''}`
    case 'WeChatForwardMiniPrograms':
    case 'WeChatForwardLink':
    case 'WeChatForwardImage':
    case 'WeChatForwardFile':
      return part.xml_data
    case 'WeChatAppMsg':
    case 'WeChatForwardQuote':
      return part.app_msg
    default:
      return `[${part.type}]`
  }
}
