/** Transport over a `ws` socket, either side (wire.md §1.4): one text message per JSON object, limits, pings, close codes. */
import { Buffer } from 'node:buffer'
import { WebSocket } from 'ws'
import { LinkError, overLimit } from '../errors.ts'
import { resolveLimits } from '../limits.ts'
import type { CloseReason, LinkLimits, Transport, TransportEvents } from '../types.ts'
import { cutText } from '../utf8.ts'

/** Largest fragment that is sent, in bytes; peers expect larger messages in several fragments. */
const FRAGMENT_BYTES = 65_536

/** Most fragments of one received message. */
const FRAGMENTS = 4096

/** Unsent bytes above which `send` asks for patience. */
const HIGH_WATER = 262_144

/** How long the other side may take to answer our close, in milliseconds. */
const CLOSE_MS = 2000

/** Close codes of RFC 6455. */
const NORMAL = 1000
const NOT_UTF8 = 1007
const TOO_LARGE = 1009

/** Limits, and how often the other side must show that it lives. */
export interface WebsocketOptions {
  readonly limits?: Partial<LinkLimits>
  /** Milliseconds between protocol pings; without a sign of life in between the socket is ended. Default 20,000. */
  readonly pingMs?: number
}

/** What to give to `new WebSocketServer(...)` so that its sockets refuse too large messages while they arrive. */
export function websocketServerOptions(limits: Partial<LinkLimits> = {}): {
  readonly maxPayload: number
  readonly maxFragments: number
  readonly perMessageDeflate: false
} {
  return { maxPayload: resolveLimits(limits).messageBytes, maxFragments: FRAGMENTS, perMessageDeflate: false }
}

/** Makes a transport of an open socket. Reads nothing before a peer starts it. */
export function websocketTransport(socket: WebSocket, options: WebsocketOptions = {}): Transport {
  return new WebsocketTransport(socket, resolveLimits(options.limits), options.pingMs ?? 20_000)
}

/**
 * Connects to a server; resolves once the socket is open.
 * Rejects with LinkError `closed` when it is refused, or not open within `timeoutMs` (default 10,000).
 */
export function connectWebsocket(
  url: string,
  options: WebsocketOptions & { readonly headers?: Record<string, string>; readonly timeoutMs?: number } = {},
): Promise<Transport> {
  const { headers, timeoutMs: handshakeTimeout = 10_000 } = options
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { ...websocketServerOptions(options.limits), headers, handshakeTimeout })
    const refused = (error: Error): void => {
      reject(new LinkError('closed', `No connection to ${new URL(url).host}: ${error.message}`, { cause: error }))
    }
    socket.once('error', refused)
    socket.once('open', () => {
      // The transport listens for errors before the last listener goes.
      const transport = websocketTransport(socket, options)
      socket.off('error', refused)
      resolve(transport)
    })
  })
}

class WebsocketTransport implements Transport {
  readonly kind = 'websocket'
  readonly #socket: WebSocket
  readonly #limits: LinkLimits
  readonly #pings: ReturnType<typeof setInterval>
  readonly #ended = Promise.withResolvers<void>()
  #events: TransportEvents | undefined
  /** What came before the start; the socket is paused then, so this is little. */
  #early: [Buffer, boolean][] = []
  #alive = true
  #closed = false
  #gone = false
  #reason: CloseReason | undefined

  constructor(socket: WebSocket, limits: LinkLimits, pingMs: number) {
    this.#socket = socket
    this.#limits = limits
    socket.binaryType = 'nodebuffer'
    socket.on('message', (data: Buffer, binary: boolean) => this.#receive(data, binary))
    socket.on('pong', () => {
      this.#alive = true
    })
    socket.on('error', (error: Error) => this.#onError(error))
    socket.on('close', (code: number, reason: Buffer) => this.#onClose(code, reason.toString('utf8')))
    socket.pause()
    this.#pings = setInterval(() => this.#ping(), pingMs)
    this.#pings.unref()
  }

  start(events: TransportEvents): void {
    this.#events = events
    const early = this.#early
    this.#early = []
    for (const [data, binary] of early) this.#receive(data, binary)
    if (this.#gone) events.closed(this.#reason ?? { why: 'remote', detail: 'closed before the start' })
    else this.#socket.resume()
  }

  send(text: string): Promise<void> | null {
    const socket = this.#socket
    if (this.#closed || socket.readyState !== WebSocket.OPEN) throw new LinkError('closed', 'The WebSocket is closed.')
    const bytes = Buffer.byteLength(text)
    const { messageBytes, queueBytes } = this.#limits
    if (bytes > messageBytes) throw overLimit('messageBytes', messageBytes, `a message has ${bytes} bytes`)
    if (socket.bufferedAmount + bytes > queueBytes) {
      throw overLimit('queueBytes', queueBytes, 'the other side does not read')
    }
    if (socket.bufferedAmount + bytes <= HIGH_WATER) {
      this.#write(text, bytes)
      return null
    }
    // Resolved also when writing fails: the close event tells the rest.
    return new Promise((resolve) => this.#write(text, bytes, () => resolve()))
  }

  async close(why = 'closed'): Promise<void> {
    this.#leave({ why: 'local', detail: why }, NORMAL)
    await this.#ended.promise
  }

  #write(text: string, bytes: number, done?: () => void): void {
    if (bytes <= FRAGMENT_BYTES) {
      this.#socket.send(text, { binary: false }, done)
      return
    }
    const whole = Buffer.from(text, 'utf8')
    for (let at = 0; at < bytes; at += FRAGMENT_BYTES) {
      const fin = at + FRAGMENT_BYTES >= bytes
      this.#socket.send(whole.subarray(at, at + FRAGMENT_BYTES), { binary: false, fin }, fin ? done : undefined)
    }
  }

  #receive(data: Buffer, binary: boolean): void {
    this.#alive = true
    if (this.#closed) return
    if (this.#events === undefined) {
      this.#early.push([data, binary])
      return
    }
    const { messageBytes } = this.#limits
    if (data.length > messageBytes) {
      const { message } = overLimit('messageBytes', messageBytes, `a message has ${data.length} bytes`)
      this.#leave({ why: 'protocol', detail: message }, TOO_LARGE)
      return
    }
    const text = binary ? utf8(data) : data.toString('utf8')
    if (text === null) this.#leave({ why: 'protocol', detail: 'a binary message is not UTF-8' }, NOT_UTF8)
    else this.#events.message(text, data.length)
  }

  #ping(): void {
    if (!this.#alive) {
      this.#reason ??= { why: 'remote', detail: 'the other side did not answer a ping' }
      this.#socket.terminate()
      return
    }
    this.#alive = false
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  /** Errors of `ws` about limits name its own options; ours are what people can set. It closes by itself, with 1009. */
  #onError(error: Error & { code?: string }): void {
    const { messageBytes } = this.#limits
    const limits: Record<string, string> = {
      WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: overLimit('messageBytes', messageBytes, 'a message is larger').message,
      WS_ERR_TOO_MANY_BUFFERED_PARTS: `More than ${FRAGMENTS} fragments in one message.`,
    }
    const detail = limits[error.code ?? '']
    if (detail !== undefined) this.#reason ??= { why: 'protocol', detail }
    else if (error.code?.startsWith('WS_ERR_')) this.#reason ??= { why: 'protocol', detail: error.message }
    else this.#reason ??= { why: 'error', detail: error.message }
  }

  #onClose(code: number, text: string): void {
    clearInterval(this.#pings)
    this.#closed = true
    this.#gone = true
    this.#reason ??= {
      why: 'remote',
      detail: text === '' ? `closed with code ${code}` : `closed with code ${code}: ${text}`,
    }
    this.#events?.closed(this.#reason)
    this.#ended.resolve()
  }

  #leave(reason: CloseReason, code: number): void {
    if (this.#closed) return
    this.#closed = true
    this.#reason ??= reason
    // A close reason has at most 123 bytes; 40 units always fit.
    this.#socket.close(code, cutText(reason.detail, 40))
    this.#socket.resume()
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref()
  }
}

function utf8(data: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    return null
  }
}
