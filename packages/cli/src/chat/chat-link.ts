/** A web chat over its WebSocket: says hello, keeps who and what is there, sends commands and waits for their answers. */
import type { ClientFrame, ServerFrame } from '@runbound/platform-webchat'
import { WebSocket } from 'ws'
import { CliError } from '../errors.ts'
import type { FoundHost } from '../place/connect.ts'

/** Who and what is there. */
export type Welcome = Extract<ServerFrame, { type: 'welcome' }>
/** The host has taken a command. */
export type Ack = Extract<ServerFrame, { type: 'ack' }>
/** A message as the web chat shows it. */
export type ChatMessage = Extract<ServerFrame, { type: 'message' }>['message']
/** `private:<person>` or `group:<group>`. */
export type ChatKey = ChatMessage['chat']
type Command = Extract<ClientFrame, { readonly uuid: string }>

/** How long the host may take to open the chat, and to take a message in. Milliseconds. */
const PATIENCE_MS = 30_000

/** An open web chat. */
export class ChatLink {
  readonly welcome: Welcome
  readonly #socket: WebSocket
  readonly #listeners = new Set<(frame: ServerFrame) => void>()
  readonly #ended: Promise<never>

  private constructor(socket: WebSocket, welcome: Welcome, ended: Promise<never>) {
    this.#socket = socket
    this.welcome = welcome
    this.#ended = ended
    socket.on('message', (data) => {
      const frame = frameOf(data.toString())
      for (const listener of this.#listeners) listener(frame)
    })
  }

  /** Opens the chat of a bot. CliError `failed` with the host's reason when it is refused. */
  static async open(host: FoundHost, botUuid: string): Promise<ChatLink> {
    const socket = new WebSocket(`${host.url.replace(/^http/, 'ws')}/bots/${botUuid}/ws`, {
      headers: { authorization: `Bearer ${host.key}` },
      handshakeTimeout: PATIENCE_MS,
    })
    const ended = endOf(socket)
    const welcomed = new Promise<Welcome>((resolve) => {
      const listen = (data: { toString(): string }): void => {
        const frame = frameOf(data.toString())
        if (frame.type !== 'welcome') return
        socket.off('message', listen)
        resolve(frame)
      }
      socket.on('message', listen)
      socket.once('open', () => socket.send(JSON.stringify({ type: 'hello', v: 1 } satisfies ClientFrame)))
    })
    return new ChatLink(socket, await Promise.race([welcomed, ended]), ended)
  }

  /** Every frame from now on; returns what ends it. */
  onFrame(listener: (frame: ServerFrame) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves when the host has taken the command; CliError `refused` says why it has not. */
  async command(frame: Command): Promise<Ack> {
    const answered = new Promise<Ack>((resolve, reject) => {
      const off = this.onFrame((answer) => {
        if ((answer.type !== 'ack' && answer.type !== 'error') || answer.uuid !== frame.uuid) return
        off()
        if (answer.type === 'ack') resolve(answer)
        else
          reject(
            new CliError('refused', `${answer.message}${answer.reason === undefined ? '' : ` (${answer.reason})`}`),
          )
      })
    })
    this.#socket.send(JSON.stringify(frame))
    return this.whileOpen(within(answered, PATIENCE_MS, 'The host did not take the message in time.'))
  }

  /** Resolves when everything that the host has sent until now is here. */
  async flushed(): Promise<void> {
    const pong = new Promise<void>((resolve) => {
      const off = this.onFrame((frame) => {
        if (frame.type !== 'pong') return
        off()
        resolve()
      })
    })
    this.#socket.send(JSON.stringify({ type: 'ping' } satisfies ClientFrame))
    return this.whileOpen(pong)
  }

  /** The same promise, but rejected as soon as the connection has gone. */
  whileOpen<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#ended])
  }

  close(): void {
    this.#socket.close()
  }
}

/** Rejects with CliError `failed` when the promise has not settled in time. */
export async function within<T>(promise: Promise<T>, ms: number, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CliError('failed', late)), ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** The text of a message as a terminal can show it. */
export function textOf(message: ChatMessage): string {
  return message.parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
          return part.text
        case 'mention':
          return `@${part.name}`
        case 'mention_all':
          return '@all'
        case 'file':
          return `[${part.file.name}]`
        case 'link':
          return `${part.label} <${part.url}>`
        default:
          return ''
      }
    })
    .join('')
}

/** The host validates what it sends; its frames are taken as they are. */
function frameOf(text: string): ServerFrame {
  return JSON.parse(text) as ServerFrame
}

function endOf(socket: WebSocket): Promise<never> {
  const ended = new Promise<never>((_resolve, reject) => {
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (data: Buffer) => {
        body += data.toString()
      })
      response.on('end', () =>
        reject(new CliError('failed', `The chat can't be opened: ${body || response.statusCode}`)),
      )
    })
    socket.on('error', (error) => reject(new CliError('failed', `The chat broke off: ${error.message}`)))
    socket.once('close', (_code, why) =>
      reject(new CliError('failed', `The host has closed the chat${why.length > 0 ? `: ${why}` : '.'}`)),
    )
  })
  ended.catch(() => undefined)
  return ended
}
