/** The part of `ws` that this package uses; @types/ws is not among the dependencies. */
declare module 'ws' {
  import type { Buffer } from 'node:buffer'
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, Server } from 'node:http'

  interface Limits {
    maxPayload?: number
    maxFragments?: number
    perMessageDeflate?: boolean
  }

  export class WebSocket extends EventEmitter {
    static readonly OPEN: 1
    constructor(url: string, options?: Limits & { headers?: Record<string, string>; handshakeTimeout?: number })
    readonly readyState: number
    readonly bufferedAmount: number
    binaryType: string
    send(data: string | Buffer, options: { binary?: boolean; fin?: boolean }, done?: (error?: Error) => void): void
    ping(): void
    pause(): void
    resume(): void
    close(code?: number, reason?: string): void
    terminate(): void
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: Limits & { port?: number; host?: string; server?: Server; noServer?: boolean })
    address(): { port: number } | string | null
    close(done?: (error?: Error) => void): void
    handleUpgrade(
      request: IncomingMessage,
      socket: import('node:stream').Duplex,
      head: Buffer,
      done: (socket: WebSocket, request: IncomingMessage) => void,
    ): void
  }
}
