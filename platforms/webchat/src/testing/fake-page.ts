/** A page without a browser, for tests: speaks the frames over a socket in memory and remembers what it heard. */
import { randomUUID } from 'node:crypto'
import type { AdapterInstance, AdapterSocket } from '@runbound/platform-kit'
import type { ClientFrame, CommandFrame, ServerFrame } from '../frames.ts'

type Of<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>
type WithoutUuid<F> = F extends { uuid: string } ? Omit<F, 'uuid'> & { uuid?: string } : never

export class FakePage {
  readonly frames: ServerFrame[] = []
  /** Code of the close, once the server has closed the connection. */
  closed: number | null = null
  #receive: (text: string) => void = () => {}
  #close: () => void = () => {}
  readonly #waiting = new Set<() => void>()

  constructor(adapter: AdapterInstance) {
    const socket: AdapterSocket = {
      account_id: 'account-1',
      send: (text) => {
        if (this.closed !== null) return
        const frame: ServerFrame = JSON.parse(text)
        this.frames.push(frame)
        for (const check of [...this.#waiting]) check()
      },
      close: (code) => {
        this.closed ??= code ?? 1000
        this.#close()
        for (const check of [...this.#waiting]) check()
      },
      onMessage: (listener) => {
        this.#receive = listener
      },
      onClose: (listener) => {
        this.#close = listener
      },
    }
    adapter.socket?.(socket, new Request('http://127.0.0.1/bots/bot-1/ws'))
  }

  /** A page that has said hello. */
  static async open(adapter: AdapterInstance): Promise<FakePage> {
    const page = new FakePage(adapter)
    page.send({ type: 'hello', v: 1 })
    await page.wait('welcome')
    return page
  }

  send(frame: ClientFrame): void {
    this.raw(JSON.stringify(frame))
  }

  raw(text: string): void {
    this.#receive(text)
  }

  /** The connection breaks. */
  drop(): void {
    this.closed = 1006
    this.#close()
  }

  /** Sends a command and resolves with what it was answered. */
  async command(frame: WithoutUuid<CommandFrame>): Promise<Of<'ack'> | Of<'error'>> {
    const uuid = frame.uuid ?? randomUUID()
    const from = this.frames.length
    this.raw(JSON.stringify({ ...frame, uuid }))
    return this.#find(from, (one) => (one.type === 'ack' || one.type === 'error') && one.uuid === uuid && one)
  }

  /** Says something and resolves with the answer. */
  say(user_id: string, chat: `private:${string}` | `group:${string}`, text: string, uuid?: string) {
    const frame = { type: 'send', user_id, chat, text, quote_id: null, attachments: [] } as const
    return this.command(uuid === undefined ? frame : { ...frame, uuid })
  }

  /** The first frame of a type, from `from` on, that `fits`. */
  wait<T extends ServerFrame['type']>(type: T, fits: (frame: Of<T>) => boolean = () => true, from = 0): Promise<Of<T>> {
    const isType = (frame: ServerFrame): frame is Of<T> => frame.type === type
    return this.#find(from, (frame) => isType(frame) && fits(frame) && frame)
  }

  #find<F>(from: number, pick: (frame: ServerFrame) => F | false): Promise<F> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(check)
        const seen = this.frames.slice(from).map((frame) => JSON.stringify(frame).slice(0, 200))
        reject(new Error(`The frame did not come. Seen:\n${seen.join('\n')}`))
      }, 4000)
      const check = () => {
        if (this.closed !== null) clearTimeout(timer)
        for (const frame of this.frames.slice(from)) {
          const found = pick(frame)
          if (found === false) continue
          clearTimeout(timer)
          this.#waiting.delete(check)
          resolve(found)
          return
        }
        if (this.closed !== null) reject(new Error(`The connection is closed (${this.closed}).`))
      }
      this.#waiting.add(check)
      check()
    })
  }
}
