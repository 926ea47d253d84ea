/**
 * Transport over a readable and a writable byte stream: pipes to a child process, or our own stdin and stdout.
 * The first message of a tick is written at once, the rest of the tick in one write.
 */
import { Buffer } from 'node:buffer'
import type { Readable, Writable } from 'node:stream'
import { LinkError, overLimit } from '../errors.ts'
import { resolveLimits } from '../limits.ts'
import type { CloseReason, LinkLimits, Transport, TransportEvents } from '../types.ts'
import { chunkLines, PIECE_BYTES } from './chunks.ts'
import { LineReader } from './lines.ts'

export { folderFiles } from '../files/folder-files.ts'

/** Units that are gathered in one tick before they are written without waiting for its end. */
const BATCH_UNITS = 65_536

/** Unwritten units from which `send` asks for patience. */
const HIGH_WATER = 65_536

/** How long the output of the other side is still read after its input is gone, in milliseconds. */
const LAST_WORDS_MS = 200

/** How long closing waits for the last bytes to be written, in milliseconds. */
const CLOSE_MS = 1000

/** The two streams; default: this process's stdin and stdout, which then belong to the link. */
export interface StdioOptions {
  readonly input?: Readable
  readonly output?: Writable
  readonly limits?: Partial<LinkLimits>
}

/** Makes a stdio transport. Nothing is read before a peer starts it. */
export function stdioTransport(options: StdioOptions = {}): Transport {
  return new StdioTransport(
    options.input ?? process.stdin,
    options.output ?? process.stdout,
    resolveLimits(options.limits),
  )
}

class StdioTransport implements Transport {
  readonly kind = 'stdio'
  readonly #input: Readable
  readonly #output: Writable
  readonly #limits: LinkLimits
  #events: TransportEvents | undefined
  #reader: LineReader | undefined
  #closed = false
  #lastWords: ReturnType<typeof setTimeout> | undefined
  #inTick = false
  #sentSinceRead = 0
  #batch: string[] = []
  #batchUnits = 0
  #drained: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  constructor(input: Readable, output: Writable, limits: LinkLimits) {
    this.#input = input
    this.#output = output
    this.#limits = limits
    // An error without a listener would end the process; the end is reported by the events below.
    output.on('error', (error: Error) => this.#onOutputGone(`writing failed: ${error.message}`))
    output.on('close', () => this.#onOutputGone('the other side closed its input'))
  }

  start(events: TransportEvents): void {
    this.#events = events
    const reader = new LineReader(events, this.#limits)
    this.#reader = reader
    this.#input.on('data', (bytes: Buffer) => this.#read(() => reader.push(bytes)))
    this.#input.on('end', () => this.#onEnd())
    this.#input.on('close', () => this.#onEnd())
    this.#input.on('error', (error: Error) => this.#leave({ why: 'error', detail: `reading failed: ${error.message}` }))
  }

  send(text: string): Promise<void> | null {
    if (this.#closed || this.#lastWords !== undefined) throw new LinkError('closed', 'The connection is closed.')
    const lines = this.#lines(text)
    const { queueBytes } = this.#limits
    if (this.#output.writableLength + this.#batchUnits + lines.length > queueBytes) {
      throw overLimit('queueBytes', queueBytes, 'the other side does not read')
    }
    if (this.#inTick) this.#gather(lines)
    else {
      // One message for each read is a conversation in turns: no tick to gather for, and none to pay for.
      if (this.#sentSinceRead > 0) {
        this.#inTick = true
        setImmediate(this.#endTick)
      }
      this.#sentSinceRead++
      this.#write(lines)
    }
    return this.#drained?.promise ?? null
  }

  /** Resolves once everything is written, or after a second when the other side does not read. */
  async close(why = 'closed'): Promise<void> {
    if (this.#closed) return
    this.#flush()
    const written = Promise.withResolvers<void>()
    const patience = setTimeout(written.resolve, CLOSE_MS)
    this.#output.once('finish', written.resolve)
    this.#output.once('close', written.resolve)
    this.#leave({ why: 'local', detail: why })
    if (!this.#output.destroyed && !this.#output.writableFinished) await written.promise
    clearTimeout(patience)
  }

  #lines(text: string): string {
    // Three bytes a unit at most: short texts need no counting.
    if (text.length * 3 <= PIECE_BYTES) return `${text}\n`
    const bytes = Buffer.byteLength(text)
    const { messageBytes } = this.#limits
    if (bytes > messageBytes) throw overLimit('messageBytes', messageBytes, `a message has ${bytes} bytes`)
    return bytes <= PIECE_BYTES ? `${text}\n` : chunkLines(text, bytes)
  }

  #gather(lines: string): void {
    this.#batch.push(lines)
    this.#batchUnits += lines.length
    if (this.#batchUnits >= BATCH_UNITS) this.#flush()
  }

  readonly #endTick = (): void => {
    this.#inTick = false
    this.#flush()
  }

  #flush(): void {
    if (this.#batchUnits === 0 || this.#closed) return
    const lines = this.#batch.join('')
    this.#batch = []
    this.#batchUnits = 0
    this.#write(lines)
  }

  #write(lines: string): void {
    const output = this.#output
    if (output.writableLength + lines.length < HIGH_WATER) {
      output.write(lines)
      return
    }
    // The stream's own 'drain' waits until all is written, which never comes while others keep writing.
    output.write(lines, this.#onWritten)
    if (output.writableLength >= HIGH_WATER && !this.#closed) this.#drained ??= Promise.withResolvers<void>()
  }

  readonly #onWritten = (): void => {
    if (this.#output.writableLength >= HIGH_WATER && !this.#closed) return
    this.#drained?.resolve()
    this.#drained = undefined
  }

  #read(step: () => void): void {
    if (this.#closed) return
    this.#sentSinceRead = 0
    try {
      step()
    } catch (error) {
      if (!LinkError.is(error)) throw error
      this.#leave({ why: 'protocol', detail: error.message })
    }
  }

  /**
   * A child that exits closes its input before we have read all its output: its last words still count. But whoever
   * holds the output open, a grandchild perhaps, must not keep our callers waiting.
   */
  #onOutputGone(detail: string): void {
    if (this.#closed || this.#lastWords !== undefined) return
    this.#lastWords = setTimeout(() => this.#leave({ why: 'remote', detail }), LAST_WORDS_MS)
  }

  #onEnd(): void {
    this.#read(() => this.#reader?.end())
    this.#leave({ why: 'remote', detail: 'the other side closed its output' })
  }

  /** Ends both directions; a child notices that its stdin is closed. */
  #leave(reason: CloseReason): void {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#lastWords)
    this.#batch = []
    this.#onWritten()
    this.#input.destroy()
    this.#output.end()
    this.#events?.closed(reason)
  }
}
