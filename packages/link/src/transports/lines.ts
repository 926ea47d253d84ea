/**
 * Bytes of a stdio peer to messages (wire.md §1.2, §1.3): lines, chunk lines, and the prints of plugin authors in
 * between. Bytes are decoded only as whole lines, so a character that spans two reads survives [D117].
 */
import { Buffer } from 'node:buffer'
import { overLimit } from '../errors.ts'
import { beginsFrame, splitGlued } from '../glue.ts'
import type { LinkLimits, TransportEvents } from '../types.ts'
import { cutText } from '../utf8.ts'
import { ChunkReader } from './chunks.ts'

const NEWLINE = 10
const OPEN = 123
const CLOSE = 125

/** A buffer for line starts up to this size is kept for the next line. */
const KEPT_BYTES = 262_144

/** The events of a reader; it never closes by itself, it throws. */
export type LineEvents = Pick<TransportEvents, 'message' | 'noise' | 'fault'>

/** Reads one side of a stdio connection. */
export class LineReader {
  readonly #events: LineEvents
  readonly #limits: LinkLimits
  readonly #chunks: ChunkReader
  /** The start of a line; grows by doubling, so that a trickle of single bytes costs no more than a block. */
  #rest = Buffer.alloc(0)
  #restBytes = 0
  /** A print that is too long is being dropped up to its end. */
  #dropping = false

  constructor(events: LineEvents, limits: LinkLimits) {
    this.#events = events
    this.#limits = limits
    this.#chunks = new ChunkReader(limits)
  }

  /** Takes the next bytes. Throws LinkError when the other side broke a rule after which nothing can be trusted. */
  push(bytes: Buffer): void {
    const last = bytes.lastIndexOf(NEWLINE)
    if (last === -1) {
      this.#keep(bytes)
      return
    }
    const first = this.#restBytes > 0 || this.#dropping ? this.#finishRest(bytes) : 0
    if (first <= last) this.#split(bytes, first, last)
    if (last + 1 < bytes.length) this.#keep(bytes.subarray(last + 1))
  }

  /** The stream has ended: what is left without line end is a line too. */
  end(): void {
    if (this.#restBytes === 0) return
    this.#lineOfRest()
  }

  /** Joins the rest with the start of `bytes`; returns where the next line begins. */
  #finishRest(bytes: Buffer): number {
    const end = bytes.indexOf(NEWLINE)
    if (this.#dropping) {
      const detail = `A print of more than ${this.#limits.lineBytes} bytes was dropped.`
      this.#events.fault?.({ kind: 'line_dropped', detail })
      this.#dropping = false
      return end + 1
    }
    this.#keep(bytes.subarray(0, end))
    if (this.#dropping) return this.#finishRest(bytes)
    this.#lineOfRest()
    return end + 1
  }

  /** All whole lines between `first` and the newline at `last`: decoded in one go where every byte is one unit. */
  #split(bytes: Buffer, first: number, last: number): void {
    const text = bytes.toString('utf8', first, last)
    if (text.length !== last - first) {
      this.#splitWide(bytes, first, last)
      return
    }
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#line(text.slice(start, end), end - start)
      start = end + 1
    }
    this.#line(start === 0 ? text : text.slice(start), text.length - start)
  }

  #splitWide(bytes: Buffer, first: number, last: number): void {
    for (let start = first; start <= last; ) {
      const end = bytes.indexOf(NEWLINE, start)
      this.#line(bytes.toString('utf8', start, end), end - start)
      start = end + 1
    }
  }

  /** Keeps the start of a line; too long, a frame is refused and a print is dropped to its end. */
  #keep(bytes: Buffer): void {
    if (this.#dropping) return
    const { lineBytes } = this.#limits
    const needed = this.#restBytes + bytes.length
    if (needed > lineBytes) {
      this.#refuseRest(bytes, lineBytes)
      return
    }
    if (needed > this.#rest.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#rest.length * 2))
      this.#rest.copy(larger, 0, 0, this.#restBytes)
      this.#rest = larger
    }
    bytes.copy(this.#rest, this.#restBytes)
    this.#restBytes = needed
  }

  #refuseRest(more: Buffer, lineBytes: number): void {
    const start = this.#restBytes > 0 ? this.#rest.subarray(0, this.#restBytes) : more
    if (start[0] === OPEN) throw overLimit('lineBytes', lineBytes, 'a line has no end')
    this.#noise(start.toString('utf8', 0, this.#limits.noiseBytes))
    this.#dropping = true
    this.#forgetRest()
  }

  #lineOfRest(): void {
    const bytes = this.#restBytes
    const line = this.#rest.toString('utf8', 0, bytes)
    this.#forgetRest()
    this.#line(line, bytes)
  }

  #forgetRest(): void {
    this.#restBytes = 0
    if (this.#rest.length > KEPT_BYTES) this.#rest = Buffer.alloc(0)
  }

  #line(raw: string, rawBytes: number): void {
    let line = raw
    let bytes = rawBytes
    if (line.charCodeAt(0) !== OPEN || line.charCodeAt(line.length - 1) !== CLOSE) {
      line = raw.trim()
      if (line === '') return
      if (line.charCodeAt(line.length - 1) !== CLOSE) {
        this.#print(line)
        return
      }
      bytes = Buffer.byteLength(line)
    }
    if (bytes > this.#limits.lineBytes)
      throw overLimit('lineBytes', this.#limits.lineBytes, `a line has ${bytes} bytes`)
    if (beginsFrame(line)) this.#frame(line, bytes)
    else this.#search(line, bytes)
  }

  /** A line that does not begin like a frame: a frame of unusual order, a print, or a print with a frame behind it. */
  #search(line: string, bytes: number): void {
    const object = line.charCodeAt(0) === OPEN
    // An unknown object is the peer's to judge, unless a chunk line hides behind it, which only we can read.
    if (object && !line.includes('"chunk_')) {
      this.#frame(line, bytes)
      return
    }
    const glued = splitGlued(line)
    if (glued === null || (object && !glued.frame.includes('"chunk_'))) {
      if (object) this.#frame(line, bytes)
      else this.#print(line)
      return
    }
    this.#print(glued.noise)
    this.#frame(glued.frame, Buffer.byteLength(glued.frame))
  }

  #frame(line: string, bytes: number): void {
    const step = this.#chunks.take(line)
    if (step === 'other') this.#events.message(line, bytes)
    else if (step === 'stray') this.#noise(line)
    else if (step !== 'swallowed') this.#events.message(step.text, step.bytes)
  }

  /** A print counts as a line of an open run of chunks, so that a flood of prints ends too. */
  #print(line: string): void {
    if (this.#chunks.open) this.#chunks.take(line)
    this.#noise(line)
  }

  #noise(line: string): void {
    this.#events.noise(cutText(line, this.#limits.noiseBytes))
  }
}
