/** WebSockets: those of adapters (signed in, own origin) and those of debug plugins (their key). */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { websocketServerOptions, websocketTransport } from '@runbound/link/websocket'
import type { AdapterSocket } from '@runbound/platform-kit'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Logger } from '../logger.ts'
import type { Platforms } from '../platforms/types.ts'
import type { Plugins } from '../plugins/types.ts'
import type { Doors, Refusal } from './doors.ts'
import type { LastingConnections } from './lasting.ts'

/** Where debug plugins connect; the path of the reference works too, as it does not look at it. */
export const DEBUG_PATHS = ['/plugin/debug/ws', '/debug/ws'] as const
export const DEBUG_KEY_HEADER = 'x-langbot-plugin-debug-key'

/** WebSocket close code "policy violation": the caller may not be here any more. */
const ENDED = 1008

/** Unsent bytes of one socket above which it is closed. */
const BUFFER_BYTES = 8 * 1024 * 1024

export interface SocketRooms {
  readonly doors: Doors
  readonly lasting: LastingConnections
  readonly platforms: Platforms
  readonly plugins: Plugins
  readonly logger: Logger
}

/** Handles upgrades of a server; returns what ends every open socket. */
export function mountSockets(server: Server, rooms: SocketRooms): () => void {
  const sockets = new WebSocketServer({ noServer: true, ...websocketServerOptions() })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined)
    void upgrade(request, socket, head).catch((error: unknown) => {
      rooms.logger.warn({ err: error }, 'A WebSocket could not be opened')
      refuse(socket, 500, 'a fault of the host')
    })
  })

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const headers = headersOf(request)
    const path = new URL(request.url ?? '/', 'http://host').pathname
    const host = rooms.doors.host(headers)
    if (host !== null) return refuse(socket, host.status, host.message)
    if ((DEBUG_PATHS as readonly string[]).includes(path)) return debug(request, socket, head, headers)
    const bot = /^\/bots\/([^/]+)\/ws$/.exec(path)?.[1]
    if (bot === undefined) return refuse(socket, 404, 'no WebSocket here')
    const principal = await rooms.doors.principal(headers)
    const refusal: Refusal | null = rooms.doors.origin(headers) ?? rooms.doors.allows(principal, 'chat')
    if (refusal !== null || principal === null)
      return refuse(socket, refusal?.status ?? 401, refusal?.message ?? 'sign in first')
    const adapter = rooms.platforms.adapter(bot)
    if (adapter?.socket === undefined) return refuse(socket, 404, 'this bot takes no WebSocket, or is not running')
    const account = principal.kind === 'session' ? principal.account.account_id : principal.key_id
    sockets.handleUpgrade(request, socket, head, (open) => {
      const admitted = async () => rooms.doors.allows(await rooms.doors.principal(headers), 'chat') === null
      open.on(
        'close',
        rooms.lasting.add(admitted, () => open.close(ENDED, 'signed out, or the key has ended')),
      )
      adapter.socket?.(adapterSocket(open, account), requestOf(request, headers))
    })
  }

  /** The key is checked before the upgrade, so that a wrong one gets a plain 401. */
  async function debug(request: IncomingMessage, socket: Duplex, head: Buffer, headers: Headers): Promise<void> {
    if (headers.get('origin') !== null) return refuse(socket, 403, 'debug connections do not come from pages')
    const key = headers.get(DEBUG_KEY_HEADER) ?? ''
    if (!(await rooms.plugins.knowsDebugKey(key)))
      return refuse(socket, 401, 'the debug key is not known or has expired')
    sockets.handleUpgrade(request, socket, head, (open) => {
      rooms.plugins
        .attachDebug(websocketTransport(open), key)
        .catch((error: unknown) => rooms.logger.warn({ err: error }, 'A debug plugin could not be attached'))
    })
  }

  return () => {
    for (const open of sockets.clients) open.terminate()
    sockets.close()
  }
}

function adapterSocket(open: WebSocket, account_id: string): AdapterSocket {
  open.on('error', () => open.terminate())
  return {
    account_id,
    send(text) {
      if (open.readyState !== open.OPEN) return
      // A page that does not read any more would fill the host's memory: it connects again and gets what it missed.
      if (open.bufferedAmount > BUFFER_BYTES) return open.terminate()
      open.send(text)
    },
    close: (code, reason) => open.close(code, reason),
    onMessage: (listener) => open.on('message', (data) => listener(data.toString())),
    onClose: (listener) => open.on('close', listener),
  }
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
  }
  return headers
}

function requestOf(request: IncomingMessage, headers: Headers): Request {
  return new Request(`http://${request.headers.host ?? 'host'}${request.url ?? '/'}`, { headers })
}

function refuse(socket: Duplex, status: number, message: string): void {
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  )
}
