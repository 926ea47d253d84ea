/** A small HTTP and WebSocket server around an adapter, in place of the host's, for tests with a browser. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { AdapterInstance, AdapterSocket } from '@runbound/platform-kit'
import { type WebSocket, WebSocketServer } from 'ws'

export interface PageServer {
  /** Address of the page, with the slash at its end. */
  readonly url: string
  /** Breaks every connection and takes no new ones until `up`. */
  down(): Promise<void>
  up(): Promise<void>
  /** Answers everything with this status, as a host does that refuses; null: as usual again. */
  refuse(status: number | null): void
  close(): Promise<void>
}

/** Serves the adapter that `adapter()` answers now, so that a test can put another in its place. */
export async function servePage(adapter: () => AdapterInstance, botUuid = 'bot-1'): Promise<PageServer> {
  const sockets = new Set<WebSocket>()
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 4 * 1024 * 1024 })
  let refusal: number | null = null
  const make = (): Server => {
    const server = createServer((request, response) => {
      if (refusal !== null) return response.writeHead(refusal).end()
      answer(adapter(), request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
    })
    server.on('upgrade', (request, socket, head) => {
      if (refusal !== null) return socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`)
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        sockets.add(webSocket)
        webSocket.on('close', () => sockets.delete(webSocket))
        adapter().socket?.(wrap(webSocket), toRequest(request))
      })
    })
    return server
  }
  let server = make()
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const down = async () => {
    for (const socket of sockets) socket.terminate()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return {
    url: `http://127.0.0.1:${port}/bots/${botUuid}/`,
    down,
    up: async () => {
      server = make()
      await listen(port)
    },
    refuse: (status) => {
      refusal = status
      if (status !== null) for (const socket of sockets) socket.terminate()
    },
    close: down,
  }
}

async function answer(adapter: AdapterInstance, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answered = await adapter.http?.handle(toRequest(request))
  response.writeHead(answered?.status ?? 404, Object.fromEntries(answered?.headers ?? []))
  response.end(answered === undefined ? undefined : Buffer.from(await answered.arrayBuffer()))
}

function toRequest(request: IncomingMessage): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  const url = `http://${request.headers.host}${request.url}`
  if (request.method === 'GET' || request.method === 'HEAD')
    return new Request(url, { method: request.method, headers })
  const body = Readable.toWeb(request) as ReadableStream
  return new Request(url, { method: request.method ?? 'POST', headers, body, duplex: 'half' } as RequestInit)
}

function wrap(socket: WebSocket): AdapterSocket {
  return {
    account_id: 'account-1',
    send: (text) => {
      if (socket.readyState === 1) socket.send(text, {})
    },
    close: (code, reason) => socket.close(code, reason),
    onMessage: (listener) => {
      socket.on('message', (data: Buffer) => listener(data.toString('utf8')))
    },
    onClose: (listener) => {
      socket.on('close', listener)
    },
  }
}
