/** Bytes as base64 text and back. Node's own codec where there is one: a megabyte at a time is what storage moves. */
import { malformed } from './failures.ts'

const NODE = typeof Buffer === 'function' ? Buffer : undefined

/** Units that `String.fromCharCode` takes at once without a stack overflow. */
const STEP = 8192

/** Gives standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  if (NODE !== undefined) return NODE.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  let binary = ''
  for (let at = 0; at < bytes.length; at += STEP) binary += String.fromCharCode(...bytes.subarray(at, at + STEP))
  return btoa(binary)
}

/** Gives the bytes of an answer. Throws AgentAPIException `host.malformed_response` for a value that is no text. */
export function fromBase64(action: string, text: unknown): Uint8Array {
  if (typeof text !== 'string') throw malformed(action, 'the answer holds no bytes.')
  // A copy: Node's small buffers share one memory block with others.
  if (NODE !== undefined) return new Uint8Array(NODE.from(text, 'base64'))
  return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))
}
