/** Messages as JSON lines over a socket, for the oracle: one object a line, whole numbers of any size. */
import type { Socket } from 'node:net'

/** Reads and writes one kind of message each. The other end is our own process: shapes are not checked again. */
export class JsonLines<In, Out> {
  readonly #socket: Socket
  #rest = ''

  /** Calls `onMessage` for each line; a line that is no JSON closes the connection. */
  constructor(socket: Socket, onMessage: (message: In) => void) {
    this.#socket = socket
    socket.setEncoding('utf8')
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) {
        let message: In
        try {
          message = decodeLine(line) as In
        } catch {
          socket.destroy()
          return
        }
        onMessage(message)
      }
    })
  }

  send(message: Out): void {
    if (!this.#socket.destroyed) this.#socket.write(encodeLine(message))
  }

  get closed(): boolean {
    return this.#socket.destroyed
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener)
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** One line, with its line break. */
export function encodeLine(message: unknown): string {
  return `${JSON.stringify(message, (_key, value: unknown) => (typeof value === 'bigint' ? { $integer: String(value) } : value))}\n`
}

/** The message of a line. Throws SyntaxError. */
export function decodeLine(line: string): unknown {
  return JSON.parse(line, (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && '$integer' in value) return BigInt(String(value.$integer))
    return value
  })
}
