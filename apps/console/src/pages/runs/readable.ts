/** Finds in stored JSON what people said: message chains, model messages, texts; and leaves the rest to the JSON view. */

export type Part =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'mention'; readonly name: string }
  | { readonly is: 'quote'; readonly parts: readonly Part[] }
  /** `src` null: it lies elsewhere, at `name`. */
  | { readonly is: 'image'; readonly src: string | null; readonly name: string }
  | { readonly is: 'file'; readonly name: string }

export interface Said {
  /** `user`, `assistant`, `system`, `tool`; null where it is not told. */
  readonly role: string | null
  readonly parts: readonly Part[]
}

/** Under these names messages lie, in the order in which they are looked for. */
const HOLDERS = [
  'messages', 'message_chain', 'chain', 'message', 'content', 'reply', 'delta', 'chunk', 'text', 'data', 'parameters', 'result',
] as const // biome-ignore format: a list
const DEEPEST = 4
const CHAIN_TYPES = new Set([
  'Source', 'Plain', 'Quote', 'At', 'AtAll', 'Image', 'Voice', 'File', 'Face', 'Forward', 'Unknown',
]) // biome-ignore format: a list

/** Empty where nothing in it is a message. */
export function saidIn(value: unknown, depth = 0): readonly Said[] {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    if (isChain(value)) return withParts(null, chainParts(value))
    return value.flatMap((item) => (hasRole(item) ? modelMessage(item) : []))
  }
  if (hasRole(value)) return modelMessage(value)
  for (const name of HOLDERS) {
    const inner: unknown = Reflect.get(value, name)
    if (typeof inner === 'string' && inner.trim() !== '' && name !== 'data' && name !== 'result')
      return withParts(null, [{ is: 'text', text: inner }])
    const found = saidIn(inner, depth + 1)
    if (found.length > 0) return found
  }
  return []
}

function withParts(role: string | null, parts: readonly Part[]): readonly Said[] {
  return parts.length === 0 ? [] : [{ role, parts }]
}

function isChain(value: readonly unknown[]): boolean {
  return value.length > 0 && value.every((item) => CHAIN_TYPES.has(text(item, 'type') ?? ''))
}

function chainParts(chain: readonly unknown[]): readonly Part[] {
  return chain.flatMap((item): readonly Part[] => {
    switch (text(item, 'type')) {
      case 'Plain':
      case 'Unknown':
        return [{ is: 'text', text: text(item, 'text') ?? '' }]
      case 'At':
        return [{ is: 'mention', name: text(item, 'display') || (text(item, 'target') ?? '') }]
      case 'AtAll':
        return [{ is: 'mention', name: '*' }]
      case 'Image':
        return [imageOf(text(item, 'base64'), text(item, 'url') || text(item, 'path') || text(item, 'image_id'))]
      case 'Voice':
      case 'File':
      case 'Face':
      case 'Forward':
        return [{ is: 'file', name: text(item, 'name') || text(item, 'url') || (text(item, 'type') ?? '') }]
      case 'Quote': {
        const origin = field(item, 'origin')
        return Array.isArray(origin) ? [{ is: 'quote', parts: chainParts(origin) }] : []
      }
      default:
        return []
    }
  })
}

function hasRole(value: unknown): value is object {
  return text(value, 'role') !== null && field(value, 'content') !== undefined
}

function modelMessage(message: object): readonly Said[] {
  const content = field(message, 'content')
  const role = text(message, 'role')
  if (typeof content === 'string') return content === '' ? [] : withParts(role, [{ is: 'text', text: content }])
  if (!Array.isArray(content)) return []
  return withParts(
    role,
    content.flatMap((part): readonly Part[] => {
      const words = text(part, 'text')
      if (words !== null) return [{ is: 'text', text: words }]
      const url = text(field(part, 'image_url'), 'url')
      const base64 = text(part, 'image_base64')
      if (url !== null || base64 !== null) return [imageOf(base64, url)]
      return [{ is: 'file', name: text(part, 'file_name') ?? text(part, 'type') ?? '' }]
    }),
  )
}

/** Only bytes that are here are shown: the page fetches nothing foreign. */
function imageOf(base64: string | null, place: string | null): Part {
  const inline = base64 || (place?.startsWith('data:image/') === true ? place : null)
  if (!inline) return { is: 'image', src: null, name: place ?? '' }
  const src = inline.startsWith('data:') ? inline : `data:image/png;base64,${inline}`
  return { is: 'image', src: src.startsWith('data:image/') ? src : null, name: '' }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function text(value: unknown, name: string): string | null {
  const inner = field(value, name)
  return typeof inner === 'string' ? inner : typeof inner === 'number' ? String(inner) : null
}
