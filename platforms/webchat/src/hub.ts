/** The open pages of one bot: who is connected, and what all of them hear. */
import type { AdapterSocket } from '@runbound/platform-kit'
import type { ServerFrame } from './frames.ts'
import type { LogRecord } from './model.ts'
import type { World } from './world.ts'

export class Hub {
  readonly #sockets = new Set<AdapterSocket>()

  get size(): number {
    return this.#sockets.size
  }

  add(socket: AdapterSocket): void {
    this.#sockets.add(socket)
    socket.onClose(() => this.#sockets.delete(socket))
  }

  /** Sends to every page. A page that fails is dropped; it comes back by itself and reads anew. */
  broadcast(frame: ServerFrame): void {
    const text = JSON.stringify(frame)
    for (const socket of this.#sockets) {
      try {
        socket.send(text)
      } catch {
        this.#sockets.delete(socket)
        socket.close(1011, 'send failed')
      }
    }
  }

  /** Tells every page what the records changed. */
  publish(records: readonly LogRecord[], world: World): void {
    let requests = false
    for (const record of records) {
      if (record.t === 'message') {
        this.broadcast({ type: 'message', chat: record.message.chat, message: record.message })
      } else if (record.t === 'person') this.broadcast({ type: 'person', person: record.person })
      else if (record.t === 'group') this.broadcast({ type: 'group', group: record.group })
      else if (record.t === 'request' || record.t === 'request_done') requests = true
    }
    if (requests) this.broadcast({ type: 'requests', requests: [...world.requests.values()] })
  }

  closeAll(): void {
    for (const socket of this.#sockets) socket.close(1001, 'the bot stops')
    this.#sockets.clear()
  }
}
