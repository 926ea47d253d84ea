/** Files that the other side sends (wire.md §2.1): strict checks of every chunk, limits, taking. */
import type { JsonObject } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import { overLimit } from '../errors.ts'
import type { FileStore, LinkFault, LinkLimits } from '../types.ts'
import { decodeBase64 } from './base64.ts'

/** Raw bytes of one chunk at most, and the base64 text of that many. */
export const CHUNK_BYTES = 16_384
const CHUNK_TEXT = 21_848

const KEY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/

interface Transfer {
  readonly amount: number
  received: number
  bytes: number
}

/** The files received and not yet taken. Checks and counts; the bytes are the store's. */
export class ReceivedFiles {
  readonly #store: FileStore
  readonly #limits: LinkLimits
  readonly #fault: (fault: LinkFault) => void
  readonly #transfers = new Map<string, Transfer>()
  #bytes = 0

  constructor(store: FileStore, limits: LinkLimits, fault: (fault: LinkFault) => void) {
    this.#store = store
    this.#limits = limits
    this.#fault = fault
  }

  /** Takes one chunk; null when it is stored already. Throws WireError when it does not fit; nothing changes then. */
  receive(data: JsonObject): Promise<void> | null {
    const key = fileKey(data)
    const amount = count(data, 'chunk_amount', 1)
    const index = count(data, 'chunk_index', 0)
    const bytes = chunkBytes(data)
    const transfer = this.#transfers.get(key)
    this.#checkPosition(key, index, amount, transfer)
    this.#checkLimits(key, bytes.length, transfer)
    const current = transfer ?? { amount, received: 0, bytes: 0 }
    this.#transfers.set(key, current)
    current.received++
    current.bytes += bytes.length
    this.#bytes += bytes.length
    const storing = this.#store.append(key, bytes)
    return storing instanceof Promise ? this.#stored(key, current, storing) : null
  }

  /** A chunk that could not be stored spoils the whole file: its key is free again, the sender has to start over. */
  async #stored(key: string, transfer: Transfer, storing: Promise<void>): Promise<void> {
    try {
      await storing
    } catch (cause) {
      if (this.#transfers.get(key) === transfer) {
        this.#transfers.delete(key)
        this.#bytes -= transfer.bytes
        await this.#store.take(key).catch(() => {})
      }
      this.#fault({ kind: 'file_store', detail: `A received chunk could not be stored: ${String(cause)}` })
      throw new WireError('internal', '__file_chunk: the file could not be stored.', { cause })
    }
  }

  /** Reads and deletes a finished file; undefined when there is none of that key. */
  async take(key: string): Promise<Uint8Array | undefined> {
    const transfer = this.#transfers.get(key)
    if (transfer === undefined || transfer.received < transfer.amount) return undefined
    this.#transfers.delete(key)
    try {
      return await this.#store.take(key)
    } finally {
      this.#bytes -= transfer.bytes
    }
  }

  /** The connection is gone: what nobody took is deleted. */
  async clear(): Promise<void> {
    this.#transfers.clear()
    try {
      await this.#store.clear()
    } catch (error) {
      this.#fault({ kind: 'file_store', detail: `Received files could not be deleted: ${String(error)}` })
    }
  }

  #checkPosition(key: string, index: number, amount: number, transfer: Transfer | undefined): void {
    if (transfer !== undefined && transfer.received === transfer.amount) {
      throw new WireError('conflict', `__file_chunk: the file ${key} is complete and was not taken yet.`)
    }
    if (transfer !== undefined && transfer.amount !== amount) {
      throw new WireError('invalid_params', `__file_chunk: chunk_amount was ${transfer.amount} before, now ${amount}.`)
    }
    const expected = transfer?.received ?? 0
    if (index !== expected || index >= amount) {
      throw new WireError(
        'invalid_params',
        `__file_chunk: chunk_index ${expected} of ${amount} expected, not ${index}.`,
      )
    }
  }

  #checkLimits(key: string, more: number, transfer: Transfer | undefined): void {
    const { files, fileBytes, filesBytes } = this.#limits
    const bytes = (transfer?.bytes ?? 0) + more
    if (transfer === undefined && this.#transfers.size >= files) {
      throw new WireError('limit_reached', overLimit('files', files, 'too many files were not taken').message)
    }
    if (bytes > fileBytes) {
      throw new WireError('too_large', overLimit('fileBytes', fileBytes, `the file ${key} is larger`).message)
    }
    if (this.#bytes + more > filesBytes) {
      throw new WireError('limit_reached', overLimit('filesBytes', filesBytes, 'files were not taken').message)
    }
  }
}

function fileKey(data: JsonObject): string {
  const key = data.file_key
  if (typeof key === 'string' && KEY.test(key) && !key.includes('..')) return key
  throw new WireError('invalid_params', '__file_chunk: file_key must be 1-255 of A-Z a-z 0-9 . _ - without "..".')
}

function count(data: JsonObject, name: string, least: number): number {
  const value = data[name]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw new WireError('invalid_params', `__file_chunk: ${name} must be an integer of at least ${least}.`)
}

function chunkBytes(data: JsonObject): Uint8Array {
  const text = data.chunk_base64
  if (typeof text !== 'string') throw new WireError('invalid_params', '__file_chunk: chunk_base64 must be a text.')
  if (text.length > CHUNK_TEXT) {
    throw new WireError(
      'too_large',
      `__file_chunk: a chunk has at most ${CHUNK_BYTES} bytes (${CHUNK_TEXT} characters).`,
    )
  }
  const bytes = decodeBase64(text)
  if (bytes === null) throw new WireError('invalid_params', '__file_chunk: chunk_base64 is not strict base64.')
  if (bytes.length > CHUNK_BYTES) {
    throw new WireError('too_large', `__file_chunk: a chunk has at most ${CHUNK_BYTES} bytes.`)
  }
  return bytes
}
