/** One server for everything: API, pages and callbacks of platforms, WebSockets, debug links. */
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { LIVE_PATH } from '@runbound/api'
import { Hono } from 'hono'
import { HostError } from '../errors.ts'
import type { Principal } from '../identity/types.ts'
import type { Signals } from '../signals.ts'
import { type ApiHandlers, mountApi } from './api-routes.ts'
import { CONSOLE_PATH, mountConsole } from './console.ts'
import { Doors, hostNames } from './doors.ts'
import { failure, failureOf } from './failures.ts'
import type { HandlerRooms } from './handlers/rooms.ts'
import { LastingConnections } from './lasting.ts'
import { LiveReaders, liveFilter, liveResponse } from './live.ts'
import { askToSignIn, mountLogin } from './login.ts'
import { mountMetrics } from './metrics.ts'
import { secured } from './security-headers.ts'
import { mountSockets } from './sockets.ts'
import type { HttpOptions, HttpServer } from './types.ts'

export interface ServerRooms extends Pick<HandlerRooms, 'identity' | 'platforms' | 'plugins' | 'version'> {
  readonly signals: Signals
  /** Prometheus' text. */
  readonly metrics: () => Promise<string>
  readonly handlers: ApiHandlers
}

/** Listens. HostError `port_in_use` says what to do. */
export async function startServer(options: HttpOptions, rooms: ServerRooms): Promise<HttpServer> {
  const stop = new AbortController()
  const doors = new Doors(rooms.identity)
  const published = options.publicUrl === undefined ? undefined : publicOrigin(options.publicUrl)
  const readers = new LiveReaders(rooms.signals)
  const lasting = new LastingConnections(rooms.identity)
  const app = new Hono()
  const { logger } = options

  app.use(async (c, next) => {
    await next()
    secured(c.res.headers)
  })
  app.use(async (c, next) => {
    const refusal = doors.host(c.req.raw.headers)
    if (refusal !== null) return failure(refusal.status, refusal.code, refusal.message)
    // Callbacks of platforms come from servers and are signed; everything else minds where it comes from.
    if (c.req.header('origin') !== undefined) {
      const foreign = doors.origin(c.req.raw.headers)
      if (foreign !== null) return failure(foreign.status, foreign.code, foreign.message)
    }
    return next()
  })
  app.get('/healthz', () => Response.json({ status: 'ok', version: rooms.version }))
  app.get('/favicon.ico', () => new Response(null, { status: 204 }))
  app.get('/api/v1/openapi.json', async (c) =>
    guarded(c.req.raw.headers, async () => {
      // Asked for once in a while: the library behind it is not loaded before.
      const { openApiDocument } = await import('@runbound/api/openapi')
      return Response.json(openApiDocument(rooms.version))
    }),
  )
  app.get(LIVE_PATH, async (c) =>
    guarded(c.req.raw.headers, (principal) => {
      const filter = liveFilter(c.req.query())
      if (filter instanceof Response) return filter
      const admitted = async () => doors.allows(await doors.principal(c.req.raw.headers), 'read') === null
      return liveResponse(readers, principal, filter, stop.signal, lasting, admitted)
    }),
  )
  mountLogin(app, rooms.identity, home, () => published ?? '')
  mountApi(app, rooms.handlers, doors, logger)
  mountMetrics(app, doors, rooms.metrics)
  app.all('/bots/:bot_uuid/*', (c) => toBot(c.req.param('bot_uuid'), c.req.raw))
  app.all('/bots/:bot_uuid', (c) => toBot(c.req.param('bot_uuid'), c.req.raw))
  if (options.console !== undefined)
    mountConsole(app, options.console, async (headers) => (await doors.principal(headers)) !== null)
  app.get('/', async (c) =>
    (await doors.principal(c.req.raw.headers)) === null ? askToSignIn(true) : c.redirect(await home(), 303),
  )
  app.notFound(() => failure(404, 'not_found', 'There is nothing here.'))
  app.onError((error) => failureOf(error, logger))

  async function guarded(
    headers: Headers,
    answer: (principal: Principal) => Response | Promise<Response>,
  ): Promise<Response> {
    const principal = await doors.principal(headers)
    const refusal = doors.allows(principal, 'read')
    if (refusal !== null) return failure(refusal.status, refusal.code, refusal.message)
    return principal === null ? askToSignIn(false) : answer(principal)
  }

  async function toBot(botUuid: string, request: Request): Promise<Response> {
    const http = rooms.platforms.adapter(botUuid)?.http
    if (http === undefined) return failure(404, 'not_found', 'This bot takes no HTTP requests, or is not running.')
    if (http.auth === 'session') {
      const refusal = doors.allows(await doors.principal(request.headers), 'chat')
      if (refusal !== null)
        return refusal.status === 401
          ? askToSignIn(/text\/html/.test(request.headers.get('accept') ?? ''))
          : failure(refusal.status, refusal.code, refusal.message)
    }
    try {
      return await http.handle(request)
    } catch (error) {
      return failureOf(error, logger)
    }
  }

  /** Where a person lands after signing in: the console, else the first web chat. */
  async function home(): Promise<string> {
    if (options.console !== undefined) return CONSOLE_PATH
    const chat = (await rooms.platforms.bots()).find((bot) => bot.platform === 'webchat' && bot.enabled)
    return chat === undefined ? '/healthz' : `/bots/${chat.bot_uuid}/`
  }

  const server = await listen(app, options)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : options.port
  doors.open(
    hostNames(options.hostname, port, [
      ...(options.allowedHosts ?? []),
      ...(published === undefined ? [] : [new URL(published).host]),
    ]),
  )
  const endSockets = mountSockets(server, {
    doors,
    lasting,
    platforms: rooms.platforms,
    plugins: rooms.plugins,
    logger,
  })
  const name = options.hostname === '0.0.0.0' || options.hostname === '::' ? '127.0.0.1' : options.hostname
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  return {
    url,
    publicUrl: published ?? url,
    port,
    async stop() {
      stop.abort()
      lasting.stop()
      endSockets()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

/** HostError `invalid_config`: no http(s) address, or one with a path, which the pages of the host don't know. */
function publicOrigin(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin
  throw new HostError(
    'invalid_config',
    `The public URL "${given}" must be scheme, name and port only, such as https://bots.example.`,
    { at: 'public-url' },
  )
}

/**
 * How long an idle connection of a caller stays open, in milliseconds: longer than callers keep theirs. Node's 5 s close one
 * now and then just as its next request arrives, above all on a busy host.
 */
const IDLE_CONNECTION_MS = 75_000

function listen(app: Hono, options: HttpOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch: app.fetch, hostname: options.hostname, port: options.port, overrideGlobalObjects: false },
      () => resolve(server),
    ) as Server
    server.keepAliveTimeout = IDLE_CONNECTION_MS
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(
          new HostError(
            'port_in_use',
            `Port ${options.port} on ${options.hostname} is in use. Is the host running already? Otherwise choose another: --port 0 takes any free one.`,
            { cause: error },
          ),
        )
      } else if (error.code === 'EACCES') {
        reject(
          new HostError(
            'port_in_use',
            `This user may not listen on port ${options.port}. Choose one above 1024: --port 5490.`,
            { cause: error },
          ),
        )
      } else reject(error)
    })
  })
}
