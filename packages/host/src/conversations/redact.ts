/** Copies of data for records: without the bytes of images and files, which are marked as left out. */
import type { Json, JsonObject } from '@runbound/protocol'

/** Keys that hold bytes as base64 or data URLs in messages, contents and attachments. */
const BINARY_KEYS: ReadonlySet<string> = new Set(['base64', 'image_base64', 'file_base64', 'content'])
/** `content` is text as well: only a data URL, or much text without a space in it, is taken for bytes. */
const BYTES = /^(data:[^,]{0,200},|[A-Za-z0-9+/_-]{256})/

/** A copy in which bytes are null and their object says `content_redacted: true`. */
export function redactBinary(value: object): JsonObject {
  const copy: Record<string, Json | undefined> = {}
  let redacted = false
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string' && isBinary(key, item)) {
      copy[key] = null
      redacted = true
    } else copy[key] = redactJson(item)
  }
  return redacted ? { ...copy, content_redacted: true } : copy
}

function redactJson(value: unknown): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
    case 'object':
      if (value === null) return null
      return Array.isArray(value) ? value.map((item) => redactJson(item) ?? null) : redactBinary(value)
    default:
      return undefined
  }
}

function isBinary(key: string, text: string): boolean {
  if (text === '' || !BINARY_KEYS.has(key)) return false
  return key !== 'content' || BYTES.test(text)
}
