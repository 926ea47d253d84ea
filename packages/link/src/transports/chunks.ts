/** Chunk lines of stdio (wire.md §1.2): how a large message is cut into lines, and how such lines become one again. */
import { Buffer } from 'node:buffer'
import { LinkError, overLimit } from '../errors.ts'
import type { LinkLimits } from '../types.ts'

/** Largest message in one line, and largest piece of a message, in bytes of UTF-8. */
export const PIECE_BYTES = 16_384

/** All lines of a message that is too large for one, in order; a single text, so that nothing can come in between. */
export function chunkLines(text: string, bytes: number): string {
  const lines = [`{"type": "chunk_start", "total_size": ${bytes}}\n`]
  const ascii = bytes === text.length
  const buffer = ascii ? null : Buffer.from(text, 'utf8')
  for (let offset = 0; offset < bytes; ) {
    const end = buffer === null ? Math.min(offset + PIECE_BYTES, bytes) : pieceEnd(buffer, offset)
    const piece = buffer === null ? text.slice(offset, end) : buffer.toString('utf8', offset, end)
    lines.push(`{"type": "chunk_data", "data": ${JSON.stringify(piece)}, "offset": ${offset}}\n`)
    offset = end
  }
  lines.push('{"type": "chunk_end"}\n')
  return lines.join('')
}

/** The plugin's reader dies of half a character, so pieces end between code points. */
function pieceEnd(buffer: Buffer, offset: number): number {
  let end = Math.min(offset + PIECE_BYTES, buffer.length)
  while (end < buffer.length && ((buffer[end] ?? 0) & 0xc0) === 0x80) end--
  return end
}

/** What became of a line: a whole message, swallowed in an open run, or not a chunk line at all. */
export type ChunkStep = { readonly text: string; readonly bytes: number } | 'swallowed' | 'stray' | 'other'

const START = /^\{"type": ?"chunk_/

/** Puts chunk lines together. Every broken rule throws LinkError: the connection must be closed then. */
export class ChunkReader {
  readonly #limits: Pick<LinkLimits, 'messageBytes' | 'chunkLines'>
  #total = -1
  #bytes = 0
  #lines = 0
  #pieces: string[] = []

  constructor(limits: Pick<LinkLimits, 'messageBytes' | 'chunkLines'>) {
    this.#limits = limits
  }

  /** True between chunk_start and chunk_end: every line belongs to the reader then. */
  get open(): boolean {
    return this.#total !== -1
  }

  /** Takes one trimmed line. */
  take(line: string): ChunkStep {
    const frame = START.test(line) ? readObject(line) : null
    if (this.open && frame?.type !== 'chunk_end' && ++this.#lines > this.#limits.chunkLines) {
      throw overLimit('chunkLines', this.#limits.chunkLines, 'a chunked message has more lines')
    }
    switch (frame?.type) {
      case 'chunk_start':
        return this.open ? 'stray' : this.#start(frame.total_size)
      case 'chunk_data':
        return this.open ? this.#data(frame.data, frame.offset) : 'stray'
      case 'chunk_end':
        return this.open ? this.#end() : 'stray'
      default:
        return this.open ? 'stray' : 'other'
    }
  }

  #start(total: unknown): ChunkStep {
    const { messageBytes } = this.#limits
    if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0) {
      throw new LinkError('protocol', 'chunk_start has no valid total_size.')
    }
    if (total > messageBytes) throw overLimit('messageBytes', messageBytes, `a chunked message has ${total} bytes`)
    this.#total = total
    this.#bytes = 0
    this.#lines = 0
    return 'swallowed'
  }

  #data(data: unknown, offset: unknown): ChunkStep {
    if (typeof data !== 'string') throw new LinkError('protocol', 'chunk_data has no text.')
    if (offset !== this.#bytes) {
      throw new LinkError('protocol', `chunk_data has offset ${String(offset)} where ${this.#bytes} was expected.`)
    }
    this.#bytes += Buffer.byteLength(data)
    if (this.#bytes > this.#total) {
      throw new LinkError('protocol', `Chunks hold more than the announced ${this.#total} bytes.`)
    }
    this.#pieces.push(data)
    return 'swallowed'
  }

  #end(): ChunkStep {
    if (this.#bytes !== this.#total) {
      throw new LinkError('protocol', `Chunks hold ${this.#bytes} of the announced ${this.#total} bytes.`)
    }
    const whole = { text: this.#pieces.join(''), bytes: this.#bytes }
    this.#pieces = []
    this.#total = -1
    return whole
  }
}

function readObject(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
