/** Sends bytes as `__file_chunk` requests (wire.md §2.1); each chunk is answered before the next, as peers expect. */
import type { JsonObject } from '@runbound/protocol'
import { LinkError } from '../errors.ts'
import type { CallOptions } from '../types.ts'
import { encodeBase64 } from './base64.ts'
import { CHUNK_BYTES } from './received.ts'

const EXTENSION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/

/** Asks the other side, as `Peer.call` does. */
export type Ask = (action: string, data: JsonObject, options?: CallOptions) => Promise<JsonObject>

/**
 * Sends a file and resolves with its key, `ft1_` + 64 hex digits + extension. An empty file is one empty chunk.
 * Rejects with LinkError `invalid` for an extension that the key cannot carry, else as the call does.
 */
export async function sendFile(
  ask: Ask,
  bytes: Uint8Array,
  options: { readonly extension?: string; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const key = newKey(options.extension)
  const amount = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES))
  for (let index = 0; index < amount; index++) {
    const chunk = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
    const data = {
      file_key: key,
      file_length: bytes.length,
      chunk_base64: encodeBase64(chunk),
      chunk_index: index,
      chunk_amount: amount,
      chunk_size: chunk.length,
    }
    await ask('__file_chunk', data, { signal: options.signal })
  }
  return key
}

function newKey(extension: string | undefined): string {
  if (extension !== undefined && !EXTENSION.test(extension)) {
    throw new LinkError('invalid', 'A file extension is 1-32 of A-Z a-z 0-9 _ -, without a dot.')
  }
  const random = crypto.getRandomValues(new Uint8Array(32))
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return extension === undefined ? `ft1_${hex}` : `ft1_${hex}.${extension}`
}
