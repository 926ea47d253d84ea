/** Between message chains of the wire and the parts that the page shows. */
import { AdapterError } from '@runbound/platform-kit'
import type { MessageChain, MessageComponent } from '@runbound/protocol'
import { decodeDataUrl } from './files.ts'
import type { Message, Part, StoredFile } from './model.ts'
import { BOT_ID, chatOf } from './model.ts'

/** Puts bytes away under a label. */
export type PutFile = (bytes: Uint8Array, name: string) => Promise<StoredFile>

/** The text of a message as a person reads it; files as `[name]`. */
export function plainText(parts: readonly Part[]): string {
  const text = (part: Part) => {
    if (part.kind === 'text') return part.text
    if (part.kind === 'mention') return `@${part.name}`
    if (part.kind === 'mention_all') return '@all'
    return part.kind === 'file' ? `[${part.file.name}]` : `[${part.label}]`
  }
  return parts.map(text).join('')
}

/**
 * The chain of a message, `Source` first. Files stand in it by id without their bytes ({@link fillFiles} adds them);
 * `quoted` is the message that this one quotes.
 */
export function toChain(message: Message, quoted: Message | undefined): MessageChain {
  const chain: MessageChain = [{ type: 'Source', id: message.id, timestamp: Math.floor(message.at / 1000) }]
  if (quoted !== undefined) {
    const { type, id } = chatOf(quoted.chat)
    const group_id = type === 'group' ? id : null
    const target_id = type === 'group' ? id : quoted.sender_id === BOT_ID ? id : BOT_ID
    chain.push({
      type: 'Quote',
      id: quoted.id,
      group_id,
      sender_id: quoted.sender_id,
      target_id,
      origin: toChain(quoted, undefined),
    })
  }
  return [...chain, ...message.parts.map(toComponent)]
}

function toComponent(part: Part): MessageComponent {
  switch (part.kind) {
    case 'text':
      return { type: 'Plain', text: part.text }
    case 'mention':
      return { type: 'At', target: part.user_id, display: part.name }
    case 'mention_all':
      return { type: 'AtAll' }
    case 'link':
      return { type: 'File', id: '', name: part.label, size: 0, url: part.url, path: '', base64: '' }
    case 'file': {
      const { id, name, size, view } = part.file
      if (view === 'image') return { type: 'Image', image_id: id, url: '', path: '', base64: '' }
      if (view === 'audio') return { type: 'Voice', voice_id: id, url: '', path: '', base64: '', length: 0 }
      return { type: 'File', id, name, size, url: '', path: '', base64: '' }
    }
  }
}

/** The chain with the bytes of its own files as data URLs. A file that is gone becomes a component that says so. */
export async function fillFiles(
  chain: MessageChain,
  dataUrl: (fileId: string) => Promise<string | null>,
): Promise<MessageChain> {
  return await Promise.all(
    chain.map(async (part): Promise<MessageComponent> => {
      if (part.type !== 'Image' && part.type !== 'Voice' && part.type !== 'File') return part
      const id = part.type === 'Image' ? part.image_id : part.type === 'Voice' ? part.voice_id : part.id
      if (!id) return part
      const base64 = await dataUrl(id)
      return base64 === null ? { type: 'Unknown', text: '[this file is gone]' } : { ...part, base64 }
    }),
  )
}

/**
 * What a chain from the host looks like on the page. Files in it are stored first. Throws AdapterError `invalid` for a
 * picture or file without content, or with an address that is neither http(s) nor data.
 */
export async function fromChain(chain: MessageChain, put: PutFile): Promise<{ parts: Part[]; quoteId: string | null }> {
  const parts: Part[] = []
  let quoteId: string | null = null
  for (const component of chain) {
    if (component.type === 'Quote') quoteId ??= component.id === null ? null : String(component.id)
    else parts.push(...(await fromComponent(component, put)))
  }
  return { parts: joinTexts(parts), quoteId }
}

async function fromComponent(component: MessageComponent, put: PutFile): Promise<Part[]> {
  switch (component.type) {
    case 'Source':
    case 'Quote':
      return []
    case 'Plain':
    case 'Unknown':
      return component.text === '' ? [] : [{ kind: 'text', text: component.text }]
    case 'At': {
      const user_id = String(component.target)
      return [{ kind: 'mention', user_id, name: component.display || user_id }]
    }
    case 'AtAll':
      return [{ kind: 'mention_all' }]
    case 'Image':
      return [await fromFile({ ...component, label: 'Picture' }, put)]
    case 'Voice':
      return [await fromFile({ ...component, label: 'Voice message' }, put)]
    case 'File':
      return [await fromFile({ ...component, label: component.name || 'File' }, put)]
    case 'Face':
      return [{ kind: 'text', text: `[${component.face_name || component.face_type}]` }]
    case 'Forward': {
      const lines: Part[] = []
      for (const node of component.node_list) {
        const { parts } = await fromChain(node.message_chain ?? [], put)
        lines.push({ kind: 'text', text: `\n> ${node.sender_name ?? 'Somebody'}: ` }, ...parts)
      }
      return [{ kind: 'text', text: component.display.title || 'Forwarded messages' }, ...lines]
    }
    default:
      return [{ kind: 'text', text: `[${component.type}]` }]
  }
}

interface FileLike {
  readonly label: string
  readonly url: string | null
  readonly base64: string | null
}

async function fromFile({ label, url, base64 }: FileLike, put: PutFile): Promise<Part> {
  const inline = base64 || (url?.startsWith('data:') ? url : '')
  if (inline) {
    const bytes = decodeDataUrl(inline.startsWith('data:') ? inline : `data:;base64,${inline}`)
    if (bytes === null) throw new AdapterError('invalid', `The content of "${label}" is not base64.`)
    return { kind: 'file', file: await put(bytes, label) }
  }
  if (url && /^https?:\/\//i.test(url) && URL.canParse(url)) return { kind: 'link', url, label }
  throw new AdapterError('invalid', `"${label}" has no content: give "base64" or an http(s) "url".`)
}

/** Neighbouring texts become one, so that Markdown over several `Plain` components is read as one text. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}

/**
 * Splits `@Name` and `@all` out of a text. A name counts only if no letter or digit stands next to it; the longest wins.
 */
export function splitMentions(text: string, people: readonly { readonly id: string; readonly name: string }[]): Part[] {
  const sorted = [...people].sort((a, b) => b.name.length - a.name.length)
  const parts: Part[] = []
  let from = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    // An @ inside a word belongs to an address.
    if (/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at))) continue
    const rest = text.slice(at + 1)
    const ends = (name: string) => rest.startsWith(name) && !/^[\p{L}\p{N}]/u.test(rest.slice(name.length))
    const person = sorted.find(({ name }) => ends(name))
    const name = person?.name ?? (ends('all') ? 'all' : null)
    if (name === null) continue
    if (at > from) parts.push({ kind: 'text', text: text.slice(from, at) })
    parts.push(person === undefined ? { kind: 'mention_all' } : { kind: 'mention', user_id: person.id, name })
    from = at + 1 + name.length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}
