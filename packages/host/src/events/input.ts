/** What a Runner gets as input: text, contents and attachments of a message, a summary of any other event. */
import { createHash } from 'node:crypto'
import type {
  AgentInput,
  ContentElement,
  Image,
  InputAttachment,
  MessageChain,
  MessageComponent,
  PlatformEvent,
} from '@runbound/protocol'
import { PLATFORM_EVENT_SUMMARY_FIELDS } from '@runbound/protocol'

/** The chain that an event carries; null for events without one. */
export function chainOf(event: PlatformEvent): MessageChain | null {
  if (event.type === 'message.received') return event.message_chain
  return event.type === 'message.edited' ? event.new_content : null
}

/** The plain text of a chain alone: what filters see as `message_text`. */
export function plainText(chain: MessageChain): string {
  return chain.map((part) => (part.type === 'Plain' ? part.text : '')).join('')
}

/** The text of a message as people read it: plain text and mentions. */
export function spokenText(chain: MessageChain): string {
  return chain.map(spoken).join('')
}

/** One line for records and history: the spoken text, with `[Image]` and the like where something else stands. */
export function chainSummary(chain: MessageChain): string {
  return chain.map((part) => (part.type === 'Source' ? '' : spoken(part) || placeholder(part))).join('')
}

function spoken(part: MessageComponent): string {
  switch (part.type) {
    case 'Plain':
      return part.text
    case 'At':
      return `@${part.display || String(part.target)}`
    case 'AtAll':
      return '@all'
    case 'Unknown':
      return part.text
    default:
      return ''
  }
}

function placeholder(part: MessageComponent): string {
  return part.type === 'Plain' || part.type === 'Unknown' ? '' : `[${part.type}]`
}

/** The summary of an event (entities.md §3.2): its summary field as text, and the event id where that is empty. */
export function eventSummary(event: PlatformEvent): string {
  const value: unknown = Reflect.get(event, PLATFORM_EVENT_SUMMARY_FIELDS[event.type])
  const chain = chainOf(event)
  return (chain === null ? summaryOf(value) : chainSummary(chain)) || event.type
}

function summaryOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(summaryOf).join(', ')
  if (typeof value !== 'object') return String(value)
  // Users are known by their nickname, groups by their name.
  for (const key of ['nickname', 'name', 'id']) {
    const text: unknown = Reflect.get(value, key)
    if (text !== undefined && text !== null && text !== '') return String(text)
  }
  return ''
}

/** The input of a platform event. Attachments have refs `attachment-0`, `attachment-1`, ... */
export function inputOf(event: PlatformEvent): AgentInput {
  const chain = chainOf(event)
  if (chain === null) return { text: eventSummary(event), contents: [], attachments: [], interaction: null }
  return {
    text: spokenText(chain),
    contents: chain.map(contentOf).filter((element) => element !== null),
    attachments: attachmentsOf(chain),
    interaction: null,
  }
}

const NO_CONTENT = {
  text: null,
  image_url: null,
  image_base64: null,
  file_url: null,
  file_base64: null,
  file_name: null,
}

function contentOf(part: MessageComponent): ContentElement | null {
  if (part.type === 'Image') return imageContent(part)
  const text = spoken(part)
  return text === '' ? null : { ...NO_CONTENT, type: 'text', text }
}

function imageContent(image: Image): ContentElement | null {
  if (image.base64) return { ...NO_CONTENT, type: 'image_base64', image_base64: image.base64 }
  return image.url ? { ...NO_CONTENT, type: 'image_url', image_url: { url: image.url } } : null
}

function attachmentsOf(chain: MessageChain): InputAttachment[] {
  const seen = new Set<string>()
  const attachments: InputAttachment[] = []
  for (const part of chain) {
    const attachment = attachmentOf(part)
    if (attachment === null) continue
    const same = identity(attachment, part)
    if (seen.has(same)) continue
    seen.add(same)
    attachments.push({ ...attachment, ref: `attachment-${attachments.length}` })
  }
  return attachments
}

/** Paths of the adapter's machine mean nothing to a plugin and are left out. */
function attachmentOf(part: MessageComponent): InputAttachment | null {
  switch (part.type) {
    case 'Image':
      return attachment('image', part.image_id, null, part.url, part.base64, null, true)
    case 'Voice':
      return attachment('voice', part.voice_id, null, part.url, part.base64, null, false)
    case 'File':
      return attachment('file', part.id, part.name, part.url, part.base64, part.size, false)
    case 'WeChatFile':
      return attachment('file', part.file_id, part.file_name, null, part.file_base64, part.file_size, false)
    default:
      return null
  }
}

function attachment(
  type: 'image' | 'voice' | 'file',
  id: string | null,
  name: string | null,
  url: string | null,
  base64: string | null,
  size: number | null,
  inContents: boolean,
): InputAttachment | null {
  if (!url && !base64 && !id) return null
  return {
    ref: null,
    type,
    mime_type: base64 ? (/^data:([^;,]+)[;,]/.exec(base64)?.[1] ?? null) : null,
    size: size || (base64 ? decodedSize(base64) : null),
    name: name || null,
    source: inContents && base64 ? 'base64' : inContents && url ? 'url' : 'message_chain',
    url: url || null,
    path: null,
    // An image's bytes are in `contents` already; twice would double every message.
    content: base64 && !inContents ? base64 : null,
    id: id || null,
  }
}

function decodedSize(base64: string): number {
  const data = base64.startsWith('data:') ? base64.length - base64.indexOf(',') - 1 : base64.length
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor((data * 3) / 4) - padding
}

function identity(attachment: InputAttachment, part: MessageComponent): string {
  if (attachment.id) return `${attachment.type}:id:${attachment.id}`
  if (attachment.url) return `${attachment.type}:url:${attachment.url}`
  const bytes = 'base64' in part ? part.base64 : 'file_base64' in part ? part.file_base64 : null
  return `${attachment.type}:sha256:${createHash('sha256')
    .update(bytes ?? '')
    .digest('hex')}`
}
