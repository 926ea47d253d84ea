/** What a message chain says as text, and what in it is an attachment. */
import type { MessageChain, MessageComponent } from '@runbound/protocol'

const ATTACHMENTS: ReadonlySet<MessageComponent['type']> = new Set<MessageComponent['type']>([
  'Image',
  'Voice',
  'File',
  'Forward',
  'WeChatEmoji',
  'WeChatFile',
  'WeChatForwardFile',
  'WeChatForwardImage',
  'WeChatMiniPrograms',
  'WeChatForwardMiniPrograms',
])

/** True for a component that a platform shows beside the text: images, voices, files, forwarded messages. */
export function isAttachment(component: MessageComponent): boolean {
  return ATTACHMENTS.has(component.type)
}

/** The attachments of a chain, in order. */
export function attachmentsOf(chain: MessageChain): MessageComponent[] {
  return chain.filter(isAttachment)
}

/**
 * The text that a platform shows for a chain: `Plain`, mentions, faces and links, joined without separators. `Source`,
 * `Quote` and attachments are not in it: adapters send those in their own way. `chainSummary` names them.
 */
export function chainText(chain: MessageChain): string {
  let text = ''
  for (const component of chain) text += shownText(component)
  return text
}

/** The chain in one line for people: as {@link chainText}, with attachments as `[Image]`, `[File] a.txt`, ... */
export function chainSummary(chain: MessageChain): string {
  let text = ''
  for (const component of chain) text += isAttachment(component) ? attachmentName(component) : shownText(component)
  return text
}

/** True if a platform would show anything for the chain. Platforms refuse empty messages. */
export function isBlank(chain: MessageChain): boolean {
  return !chain.some((component) => isAttachment(component) || /\S/.test(shownText(component)))
}

function shownText(component: MessageComponent): string {
  switch (component.type) {
    case 'Plain':
      return component.text
    case 'At':
      return `@${component.display || component.target}`
    case 'AtAll':
      return '@All'
    case 'Face':
      return `[${component.face_name || component.face_type}]`
    case 'Unknown':
      return component.text === '' ? '' : `Unknown Message: ${component.text}`
    case 'WeChatLink':
      return [component.link_title, component.link_desc, component.link_url].filter((line) => line !== '').join('\n')
    case 'WeChatForwardLink':
      return component.xml_data
    case 'WeChatAppMsg':
    case 'WeChatForwardQuote':
      return component.app_msg
    default:
      return ''
  }
}

function attachmentName(component: MessageComponent): string {
  if (component.type === 'File') return `[File]${component.name === '' ? '' : ` ${component.name}`}`
  if (component.type === 'WeChatFile') return `[File]${component.file_name === '' ? '' : ` ${component.file_name}`}`
  return `[${component.type}]`
}
