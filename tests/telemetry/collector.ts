/** An OTLP/HTTP collector of our own: takes what a host sends and says what it got. */
import { createServer } from 'node:http'

/** A span as it crossed the wire. */
export interface SeenSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
  readonly status: { readonly code?: number; readonly message?: string }
}

interface Request {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SeenSpan[] }[] }[]
}

export interface Collector {
  readonly endpoint: string
  /** All that came, as text. */
  body(): string
  spans(): readonly SeenSpan[]
  /** The status of the answers from now on. */
  answer(status: number): void
  stop(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    if (status === 200 && request.url === '/v1/traces') bodies.push(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    endpoint: `http://127.0.0.1:${port}`,
    body: () => bodies.join('\n'),
    spans: () =>
      bodies
        .map((body) => JSON.parse(body) as Request)
        .flatMap(({ resourceSpans }) =>
          resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
        ),
    answer: (code) => {
      status = code
    },
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
