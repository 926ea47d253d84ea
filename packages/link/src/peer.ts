/** The two-way peer: reads messages, hands requests to the handler and answers to our calls, ends with its transport. */
import type { Json } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import { Calls } from './calls.ts'
import { parse } from './codec/parse.ts'
import { peekHead } from './envelope.ts'
import { isObject, LinkError, overLimit } from './errors.ts'
import { memoryFiles } from './files/memory-files.ts'
import { ReceivedFiles } from './files/received.ts'
import { sendFile } from './files/send-file.ts'
import { splitGlued } from './glue.ts'
import { resolveLimits } from './limits.ts'
import { Requests } from './requests.ts'
import type { CloseReason, LinkFault, Peer, PeerOptions, Transport } from './types.ts'
import { cutText, utf8Length } from './utf8.ts'

/** How long a call waits for its answer unless told otherwise, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 15_000

/** How much of a message that is none goes into the log. */
const STRAY_UNITS = 200

/**
 * Joins a transport and a handler to a peer and starts it.
 * Throws LinkError `invalid` for a limit that is no whole number above 0.
 *
 * @example
 * const peer = createPeer({ transport, handler: ({ action, data }) => ({ echo: data }) })
 * await peer.call('__ping', {}) // { alive: true }
 */
export function createPeer(options: PeerOptions): Peer {
  return new LinkPeer(options)
}

class LinkPeer implements Peer {
  readonly closed: Promise<CloseReason>
  readonly #options: PeerOptions
  readonly #transport: Transport
  readonly #limits: ReturnType<typeof resolveLimits>
  readonly #calls: Calls
  readonly #requests: Requests
  readonly #files: ReceivedFiles
  #settle: ((reason: CloseReason) => void) | undefined

  constructor(options: PeerOptions) {
    this.#options = options
    this.#transport = options.transport
    this.#limits = resolveLimits(options.limits)
    const fault = (met: LinkFault): void => this.#fault(met)
    this.#calls = new Calls(options.transport, this.#limits, options.timeoutMs ?? DEFAULT_TIMEOUT_MS, fault)
    this.#files = new ReceivedFiles(options.files ?? memoryFiles(), this.#limits, fault)
    this.#requests = new Requests({
      transport: options.transport,
      handler: options.handler,
      limits: this.#limits,
      files: this.#files,
      fault,
      onStuck: (error) => this.#end({ why: 'protocol', detail: error.message }),
    })
    this.closed = new Promise((resolve) => {
      this.#settle = resolve
    })
    options.transport.start({
      message: (text, bytes) => this.#message(text, bytes),
      noise: (text) => this.#noise(text),
      fault,
      closed: (reason) => this.#gone(reason),
    })
  }

  get pending(): number {
    return this.#calls.size
  }

  call: Peer['call'] = (action, data, options) => this.#calls.call(action, data, options)

  stream: Peer['stream'] = (action, data, options) => this.#calls.stream(action, data, options)

  sendFile: Peer['sendFile'] = (bytes, options) => sendFile(this.call, bytes, options)

  takeFile: Peer['takeFile'] = (key) => this.#files.take(key)

  async close(why = 'closed by this side'): Promise<void> {
    await this.#end({ why: 'local', detail: why })
  }

  async #end(reason: CloseReason): Promise<void> {
    // First our own callers, so that nobody waits for the transport's good-bye.
    this.#gone(reason)
    await this.#transport.close(reason.detail)
  }

  #gone(reason: CloseReason): void {
    const settle = this.#settle
    if (settle === undefined) return
    this.#settle = undefined
    const error = new LinkError('closed', `The connection is gone: ${reason.detail}.`)
    this.#calls.closeAll(error)
    this.#requests.closeAll(error)
    void this.#files.clear()
    settle(reason)
  }

  #message(text: string, bytes: number): void {
    if (this.#settle === undefined) return
    let value: Json
    try {
      const { messageBytes } = this.#limits
      if (bytes > messageBytes) throw overLimit('messageBytes', messageBytes, `a message has ${bytes} bytes`)
      value = parse(text, this.#limits)
    } catch (error) {
      if (!LinkError.is(error)) throw error
      this.#unreadable(text, error)
      return
    }
    // A message with a code is an answer, whatever else it holds (wire.md §1.5).
    if (isObject(value) && value.code !== undefined) this.#calls.receive(value, bytes)
    else if (isObject(value) && value.action !== undefined) this.#requests.receive(value, bytes)
    else this.#stray(text)
  }

  /** A message that must not or cannot be parsed. Its head often tells who waits for it: nobody is left waiting. */
  #unreadable(text: string, error: LinkError): void {
    const glued = error.code === 'protocol' && this.#transport.kind === 'stdio' ? splitGlued(text) : null
    if (glued !== null) {
      this.#noise(glued.noise)
      this.#message(glued.frame, utf8Length(glued.frame))
      return
    }
    const head = peekHead(text)
    if (head === null) {
      if (error.code === 'protocol') this.#stray(text)
      else this.#fault({ kind: 'unreadable', detail: error.message })
      return
    }
    this.#fault({ kind: 'unreadable', detail: `Message ${head.seqId}: ${error.message}` })
    const reason = error.code === 'too_large' ? 'too_large' : 'invalid_params'
    if (head.request) this.#requests.refuse(head.seqId, new WireError(reason, error.message))
    else this.#calls.failOne(head.seqId, error)
  }

  /** On stdio a print of the plugin's author; anywhere else a fault of the other side. */
  #stray(text: string): void {
    if (this.#transport.kind === 'stdio') this.#noise(text)
    else this.#fault({ kind: 'not_a_message', detail: `Not a message: ${cutText(text, STRAY_UNITS)}` })
  }

  #noise(text: string): void {
    this.#options.onNoise?.(cutText(text, this.#limits.noiseBytes))
  }

  #fault(met: LinkFault): void {
    this.#options.onFault?.(met)
  }
}
