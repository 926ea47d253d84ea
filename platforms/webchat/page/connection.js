/**
 * The connection to the server: reconnects by itself, and keeps every command until it is answered. A command that was
 * cut off goes out again with the same uuid; the server carries it out once.
 */

/** @import { ClientFrame, CommandFrame, ServerFrame } from '../src/frames.ts' */
/**
 * `waiting`: it will be tried again. `stopped`: the same, and the bot is known not to run. `outdated`, `signed-out`: only
 * a reload helps.
 * @typedef {'connecting' | 'open' | 'waiting' | 'stopped' | 'outdated' | 'signed-out'} ConnectionState
 */
/** @typedef {Extract<ServerFrame, { type: 'ack' }>} Ack */
/** @typedef {Extract<ServerFrame, { type: 'error' }>} Failure */
/** @typedef {{ frame: CommandFrame, settle: (answer: Ack | Failure) => void }} Waiting */

export const VERSION = 1
const SILENCE_MS = 45_000
const PING_MS = 20_000

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null
  #attempt = 0
  #heardAt = 0
  #greeted = false
  /** @type {number | undefined} */
  #timer
  /** @type {Map<string, Waiting>} */
  #waiting = new Map()
  /** @type {ConnectionState} */
  state = 'connecting'

  /**
   * @param {{ frame: (frame: ServerFrame) => void, state: (state: ConnectionState) => void }} listeners
   */
  constructor(listeners) {
    this.listeners = listeners
    window.addEventListener('online', () => this.retry())
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.retry()
    })
    setInterval(() => this.#beat(), PING_MS)
  }

  /** Connects now, unless it is connected or was told to stop. */
  retry() {
    if (this.#socket !== null || this.#isOver()) return
    clearTimeout(this.#timer)
    if (this.state !== 'stopped') this.#setState('connecting')
    const address = new URL('ws', document.baseURI)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(address)
    this.#socket = socket
    this.#greeted = false
    socket.addEventListener('open', () => {
      this.#heardAt = Date.now()
      this.#write({ type: 'hello', v: VERSION })
    })
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data))))
    socket.addEventListener('close', () => this.#lost(socket))
  }

  /**
   * Sends what need not survive a broken connection. False: not connected.
   * @param {ClientFrame} frame
   */
  send(frame) {
    if (!this.#greeted) return false
    this.#write(frame)
    return true
  }

  /**
   * Sends a command, now or as soon as there is a connection. Resolves with its answer, whenever that comes.
   * @param {CommandFrame} frame
   * @returns {Promise<Ack | Failure>}
   */
  command(frame) {
    return new Promise((resolve) => {
      this.#waiting.set(frame.uuid, { frame, settle: resolve })
      this.send(frame)
    })
  }

  /** @param {ServerFrame} frame */
  #hear(frame) {
    this.#heardAt = Date.now()
    if (frame.type === 'welcome') {
      this.#greeted = true
      this.#attempt = 0
      this.#setState('open')
      this.listeners.frame(frame)
      for (const { frame: waiting } of this.#waiting.values()) this.#write(waiting)
      return
    }
    if (frame.type === 'error' && frame.code === 'version') {
      this.#setState('outdated')
      this.#socket?.close()
    } else if (frame.type === 'reset') this.#write({ type: 'hello', v: VERSION })
    if ((frame.type === 'ack' || frame.type === 'error') && frame.uuid !== null) {
      const waiting = this.#waiting.get(frame.uuid)
      this.#waiting.delete(frame.uuid)
      waiting?.settle(frame)
    }
    this.listeners.frame(frame)
  }

  /** @param {ClientFrame} frame */
  #write(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  /** @param {WebSocket} socket */
  #lost(socket) {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#greeted = false
    if (this.#isOver()) return
    if (this.state !== 'stopped') this.#setState('waiting')
    void this.#findCause()
    // Spread out, so that many pages do not come back in the same moment.
    const delay = Math.min(10_000, 500 * 2 ** this.#attempt) * (0.75 + Math.random() / 2)
    this.#attempt += 1
    this.#timer = window.setTimeout(() => this.retry(), delay)
  }

  #isOver() {
    return this.state === 'outdated' || this.state === 'signed-out'
  }

  /** A WebSocket does not say why it was refused; the page's own address does. */
  async #findCause() {
    const answer = await fetch(new URL('.', document.baseURI), { method: 'HEAD', cache: 'no-store' }).catch(() => null)
    if (answer === null || this.#greeted) return
    if (answer.status === 401 || answer.status === 403) {
      clearTimeout(this.#timer)
      this.#setState('signed-out')
    } else this.#setState(answer.status === 404 ? 'stopped' : 'waiting')
  }

  /** A connection that looks open and says nothing is dead. */
  #beat() {
    const socket = this.#socket
    if (socket === null || !this.#greeted) return
    if (Date.now() - this.#heardAt > SILENCE_MS) {
      socket.close()
      this.#lost(socket)
    } else this.#write({ type: 'ping' })
  }

  /** @param {ConnectionState} state */
  #setState(state) {
    if (this.state === state) return
    this.state = state
    this.listeners.state(state)
  }
}
