/** The oracle: a scriptable platform as a server of its own, with a log on disk that no killed host can take along. */
import { createServer, type Server, type Socket } from 'node:net'
import type { Accepted } from './adapter.ts'
import { JsonLines } from './json-lines.ts'
import { type HandOver, OracleBot } from './oracle-bot.ts'
import {
  dispatch,
  type FromClient,
  type FromOracle,
  failureOf,
  type Handlers,
  type OracleCall,
} from './oracle-messages.ts'
import { SyncedLog } from './synced-log.ts'

export interface OracleServer {
  readonly port: number
  close(): Promise<void>
}

/** Opens an oracle on 127.0.0.1 at a free port. `logFile` is appended to. */
export async function openOracle(logFile: string): Promise<OracleServer> {
  const log = await SyncedLog.open(logFile)
  const bots = new Map<string, OracleBot>()
  const botOf = (bot_uuid: string) => {
    const known = bots.get(bot_uuid) ?? new OracleBot(bot_uuid, log)
    bots.set(bot_uuid, known)
    return known
  }
  const forget = (bot_uuid: string) => bots.delete(bot_uuid)
  const clients = new Set<Client>()
  const server = createServer((socket) => {
    const client = new Client(socket, { botOf, forget })
    clients.add(client)
    socket.once('close', () => clients.delete(client))
  })
  return {
    port: await listen(server),
    close: async () => {
      for (const client of clients) client.close()
      await new Promise((resolve) => server.close(resolve))
      await log.close()
    },
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

interface Bots {
  readonly botOf: (bot_uuid: string) => OracleBot
  readonly forget: (bot_uuid: string) => void
}

/** One connection: an adapter inside a host, or a test. */
class Client {
  readonly #lines: JsonLines<FromClient, FromOracle>
  readonly #bots: Bots
  readonly #calls = new Map<number, AbortController>()
  readonly #receipts = new Map<number, (answer: Accepted | null) => void>()
  #bot: OracleBot | null = null
  #events = 0

  constructor(socket: Socket, bots: Bots) {
    this.#bots = bots
    this.#lines = new JsonLines(socket, (message) => this.#take(message))
    this.#lines.onClose(() => {
      for (const call of this.#calls.values()) call.abort()
      for (const receipt of this.#receipts.values()) receipt(null)
      void this.#bot?.disconnect(this.#handOver)
    })
  }

  close(): void {
    this.#lines.close()
  }

  readonly #handOver: HandOver = (incoming) => {
    if (this.#lines.closed) return Promise.resolve(null)
    const event = ++this.#events
    return new Promise((resolve) => {
      this.#receipts.set(event, resolve)
      this.#lines.send({ event, incoming })
    })
  }

  #take(message: FromClient): void {
    if ('hello' in message) {
      if (message.hello === null) return
      this.#bot = this.#bots.botOf(message.hello.bot_uuid)
      void this.#bot.connect(message.hello.capabilities, this.#handOver)
    } else if ('cancel' in message) {
      this.#calls.get(message.cancel)?.abort()
    } else if ('receipt' in message) {
      this.#receipts.get(message.receipt)?.(message.answer)
      this.#receipts.delete(message.receipt)
    } else {
      void this.#answer(message.id, message.call, message.in)
    }
  }

  async #answer(id: number, call: OracleCall, input: unknown): Promise<void> {
    const controller = new AbortController()
    this.#calls.set(id, controller)
    try {
      this.#lines.send({ id, out: (await this.#call(call, input, controller.signal)) ?? null })
    } catch (error) {
      this.#lines.send({ id, failure: failureOf(error) })
    } finally {
      this.#calls.delete(id)
    }
  }

  #call(call: OracleCall, input: unknown, signal: AbortSignal): Promise<unknown> {
    const control: Handlers<'emit' | 'say' | 'script' | 'lose_streams' | 'state' | 'forget'> = {
      emit: ({ bot_uuid, incoming }) => this.#bots.botOf(bot_uuid).deliver(incoming),
      say: ({ bot_uuid, text, said }) => {
        const bot = this.#bots.botOf(bot_uuid)
        return bot.deliver(bot.state.saying(text, said))
      },
      script: ({ bot_uuid, method, outcomes }) => this.#bots.botOf(bot_uuid).state.script(method, ...outcomes),
      lose_streams: ({ bot_uuid }) => this.#bots.botOf(bot_uuid).state.loseStreams(),
      state: ({ bot_uuid }) => this.#bots.botOf(bot_uuid).view(),
      forget: ({ bot_uuid }) => this.#bots.forget(bot_uuid),
    }
    return dispatch({ ...control, ...this.#bot?.handlers(signal) }, call, input)
  }
}
