/** For tests: a real server in front of a bot's route, and a real receiver of its callbacks, both on 127.0.0.1. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpRoute } from '@runbound/platform-kit'
import { sign } from './signature.ts'

/** A callback as the receiver got it. */
export interface ReceivedCallback {
  readonly at: number
  readonly headers: IncomingMessage['headers']
  readonly raw: string
  readonly body: {
    readonly session_id: string
    readonly reply_to: string | null
    readonly sequence: number
    readonly is_final: boolean
    readonly stream: boolean
    readonly message: readonly { readonly type: string; readonly text?: string; readonly id?: string }[]
    readonly timestamp: number
  }
}

/** What the receiver does with the next callback: a status, perhaps late or with headers, or a broken connection. */
export interface ReceiverPlan {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly delayMs?: number
  readonly breakAfterReading?: boolean
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export class Receiver {
  readonly received: ReceivedCallback[] = []
  readonly #plans: ReceiverPlan[] = []
  readonly #server = createServer((request, response) => void this.#take(request, response))
  url = ''

  async open(): Promise<this> {
    this.url = `http://127.0.0.1:${await listen(this.#server)}/reply`
    return this
  }

  /** Plans the next callbacks, one each; afterwards they are taken with 200. */
  plan(...plans: ReceiverPlan[]): void {
    this.#plans.push(...plans)
  }

  close(): Promise<void> {
    return close(this.#server)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = (await read(request)).toString()
    const plan = this.#plans.shift() ?? {}
    const status = plan.status ?? 200
    const take = () => this.received.push({ at: Date.now(), headers: request.headers, raw, body: JSON.parse(raw) })
    if (plan.breakAfterReading === true) {
      take()
      return void request.socket.destroy()
    }
    if (plan.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, plan.delayMs))
    if (request.socket.destroyed) return
    if (status < 300) take()
    response.writeHead(status, plan.headers).end()
  }
}

/** Serves a route as the host's HTTP server does: plain web requests, aborted when the caller leaves. */
export async function serve(route: HttpRoute): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const left = new AbortController()
      response.once('close', () => {
        if (!response.writableFinished) left.abort()
      })
      const headers = new Headers()
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
      const body = request.method === 'POST' ? new Uint8Array(await read(request)) : null
      const answer = await route(
        new Request(`http://127.0.0.1${request.url}`, {
          method: request.method ?? 'GET',
          headers,
          body,
          signal: left.signal,
        }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  const port = await listen(server)
  return { origin: `http://127.0.0.1:${port}`, close: () => close(server) }
}

/** Headers of a signed request. `at` in epoch seconds; default now. */
export function signed(secret: string, body: string, at = Math.floor(Date.now() / 1000)): Record<string, string> {
  return { 'x-lb-timestamp': String(at), 'x-lb-signature': sign(secret, String(at), Buffer.from(body)) }
}
