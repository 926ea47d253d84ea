/** The contract of the link: what a peer offers, whatever carries it (wire.md §1, §2). */
import type { JsonObject } from '@runbound/protocol'

/** One received request. `signal` aborts when the other side cancels, or when the connection goes. */
export interface IncomingRequest {
  readonly action: string
  readonly data: JsonObject
  /** The number under which the other side asked; its own number space. */
  readonly seqId: number
  /** Size of the request's JSON text in bytes, for limits per method. */
  readonly bytes: number
  readonly signal: AbortSignal
}

/**
 * Answers a request: an object for one answer, an async iterable for a stream of frames.
 * A thrown {@link import('@runbound/protocol').WireError} becomes an error answer with `data.error`; any other error
 * becomes `<Class>: <text>` without a stack.
 */
export type RequestHandler = (request: IncomingRequest) => JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>

export interface CallOptions {
  /** Aborting sends `__cancel_action` and rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Total time in milliseconds; null or absent: the peer's default (15,000); Infinity: none. */
  readonly timeoutMs?: number | null
  /** Streams: longest silence between two frames in milliseconds. Off by default. */
  readonly idleMs?: number | null
}

export interface Peer {
  /**
   * Asks and waits for the one answer.
   * Rejects with RemoteError (the peer said no), LinkError `timeout` | `closed` | `too_large` (never a hang).
   */
  call(action: string, data: JsonObject, options?: CallOptions): Promise<JsonObject>
  /**
   * Asks for a stream with flow control; the request is sent by the first `next()`. Leaving the loop early cancels at
   * the other side. Can be read once. `next()` rejects as a call does, and with LinkError `slow_consumer` | `protocol`.
   */
  stream(action: string, data: JsonObject, options?: CallOptions): AsyncIterableIterator<JsonObject, undefined>
  /** Sends bytes as `__file_chunk` requests; resolves with the file key once all chunks are answered. */
  sendFile(bytes: Uint8Array, options?: { readonly extension?: string; readonly signal?: AbortSignal }): Promise<string>
  /** Takes a received file out of the peer's store; undefined when there is none of that key. */
  takeFile(key: string): Promise<Uint8Array | undefined>
  /** Requests of ours that wait for an answer, for back-pressure and tests. */
  readonly pending: number
  /** Resolves once, when the connection is gone, with why. Never rejects. */
  readonly closed: Promise<CloseReason>
  /** Ends the connection; pending calls reject with LinkError `closed`. Idempotent. */
  close(why?: string): Promise<void>
}

export interface CloseReason {
  readonly why: 'local' | 'remote' | 'protocol' | 'error'
  readonly detail: string
}

/** Carries texts, one message each. Framing (lines, chunk lines, fragments) is the transport's business. */
export interface Transport {
  /** Name for logs: `stdio`, `websocket`, `memory`. */
  readonly kind: string
  /** Starts delivery. Called once by the peer. */
  start(events: TransportEvents): void
  /**
   * Queues one message, in order. Returns null when it went out (or was queued) at once, else a promise that resolves
   * when the transport can take more: back-pressure. Throws LinkError `too_large` before anything is sent.
   */
  send(text: string): Promise<void> | null
  close(why?: string): Promise<void>
}

export interface TransportEvents {
  /** One whole message; `bytes` its UTF-8 length. */
  message(text: string, bytes: number): void
  /** What was on the line but is no message: a print of the plugin's author, a banner. */
  noise(text: string): void
  /** A fault of the other side that the transport survived. */
  fault?(fault: LinkFault): void
  closed(reason: CloseReason): void
}

/** Receive-side limits, all named, all with a hostile test. Defaults in `limits.ts`. */
export interface LinkLimits {
  /** Largest message in bytes of UTF-8. Default 16 MiB. */
  readonly messageBytes: number
  /** Longest line of a stdio peer in bytes, noise included. Default 16 MiB + 64 KiB. */
  readonly lineBytes: number
  /** Deepest nesting of JSON. Default 128. */
  readonly depth: number
  /** Digits of one number. Default 1,024. */
  readonly digits: number
  /** Lines between `chunk_start` and `chunk_end`. Default 4,096. */
  readonly chunkLines: number
  /** Requests of the other side in work at once; the next is answered `busy`. Default 128. */
  readonly requests: number
  /** Frames of one incoming stream that wait for our consumer. Default 128. */
  readonly streamFrames: number
  /** Bytes of one stream frame. Default 1 MiB. */
  readonly frameBytes: number
  /** Bytes of one incoming stream that wait for our consumer. Default 8 MiB. */
  readonly streamBytes: number
  /** Files received and not yet taken. Default 128. */
  readonly files: number
  /** Bytes of one received file. Default 64 MiB. */
  readonly fileBytes: number
  /** Bytes of all received files not yet taken. Default 256 MiB. */
  readonly filesBytes: number
  /** Longest noise line kept for the log, in bytes. Default 8 KiB. */
  readonly noiseBytes: number
  /** Bytes that wait to be sent because the other side does not read. Default 64 MiB. */
  readonly queueBytes: number
}

export interface PeerOptions {
  readonly transport: Transport
  readonly handler: RequestHandler
  readonly limits?: Partial<LinkLimits>
  /** Default total time of a call in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
  /** Where noise lines go. Default: dropped. */
  readonly onNoise?: (text: string) => void
  /** A fault of the other side that was survived: bad frames, unknown answers. For the log. */
  readonly onFault?: (fault: LinkFault) => void
  /** Where received files wait until they are taken. Default: memory, bounded by the limits. */
  readonly files?: FileStore
}

/** A fault of the other side that was survived; `kind` is stable, `detail` is for people. */
export interface LinkFault {
  readonly kind:
    | 'unreadable'
    | 'not_a_message'
    | 'invalid_request'
    | 'invalid_answer'
    | 'late_answer'
    | 'unknown_answer'
    | 'control_refused'
    | 'line_dropped'
    | 'file_store'
  readonly detail: string
}

/** Keeps the bytes of received files; the peer does the checks and the counting. Keys are unique while they exist. */
export interface FileStore {
  /** Adds bytes at the end of a file; the first call makes it. */
  append(key: string, bytes: Uint8Array): void | Promise<void>
  /** Reads and deletes. */
  take(key: string): Promise<Uint8Array>
  /** Deletes everything: the connection is gone. */
  clear(): void | Promise<void>
}

/** What a plugin says about itself before anything runs: the manifest and those of its components, as JSON. */
export interface PackageManifest {
  /** `kind: Plugin` manifest (entities.md §1.2). */
  readonly manifest: JsonObject
  /** Component manifests (entities.md §1.9) in order of declaration. */
  readonly components: readonly JsonObject[]
  /** SDK that made it: name and version, so that an unsupported one is a clear load error. */
  readonly sdk: { readonly name: string; readonly version: string }
}

/** A plugin that serves itself over a given transport: what `definePlugin` returns and what the inline launcher takes. */
export interface ServablePlugin {
  readonly packageManifest: PackageManifest
  serve(transport: Transport, registration: { readonly capability: string; readonly debugKey?: string }): ServedPlugin
}

export interface ServedPlugin {
  readonly closed: Promise<CloseReason>
  close(): Promise<void>
}
