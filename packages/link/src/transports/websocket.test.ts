/** What is special to WebSocket: fragments, binary messages, close codes, pings, refusal. */
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createPeer, type Peer } from '../index.ts'
import { connectWebsocket, type WebsocketOptions, websocketServerOptions, websocketTransport } from './websocket.ts'

let servers: WebSocketServer[] = []

afterEach(async () => {
  const ending = servers
  servers = []
  for (const server of ending) for (const socket of server.clients) socket.terminate()
  await Promise.all(ending.map((server) => new Promise((resolve) => server.close(resolve))))
})

/** A server of ours, and a bare socket to it. */
async function bare(options: WebsocketOptions & { serverLimits?: boolean; maxFragments?: number } = {}): Promise<{
  socket: WebSocket
  peer: Peer
  messages: string[]
  closed: Promise<number>
}> {
  const limits = options.serverLimits === false ? {} : websocketServerOptions(options.limits)
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...limits })
  servers.push(server)
  const peer = new Promise<Peer>((resolve) => {
    server.on('connection', (socket: WebSocket) =>
      resolve(createPeer({ transport: websocketTransport(socket, options), handler: ({ data }) => data })),
    )
  })
  await once(server, 'listening')
  const socket = new WebSocket(url(server), { maxFragments: options.maxFragments ?? 0 })
  const messages: string[] = []
  socket.on('message', (data: Buffer) => messages.push(data.toString()))
  const closed = new Promise<number>((resolve) => socket.on('close', (code: number) => resolve(code)))
  await once(socket, 'open')
  return { socket, peer: await peer, messages, closed }
}

function url(server: WebSocketServer): string {
  const address = server.address()
  return `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000
  while (!holds()) {
    if (performance.now() > deadline) expect.fail('did not happen within 5 s')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

test('text, binary and fragmented messages are read alike', async () => {
  const { socket, messages, peer } = await bare()
  const text = '{"seq_id":1,"action":"x","data":{"t":"漢"}}'
  const bytes = Buffer.from(text)
  socket.send(text, {})
  socket.send(bytes, { binary: true })
  const half = bytes.indexOf('漢') + 1
  socket.send(bytes.subarray(0, half), { binary: false, fin: false })
  socket.send(bytes.subarray(half), { binary: false, fin: true })
  await until(() => messages.length === 3)
  expect(new Set(messages).size).toBe(1)
  expect(JSON.parse(messages[0] ?? '')).toMatchObject({ seq_id: 1, code: 0, data: { t: '漢' } })
  await peer.close()
})

test.each([
  [5, 'arrives'],
  [4, 'is refused'],
])('300 kB go out in five fragments of at most 65,536 bytes: with %d allowed it %s', async (maxFragments, outcome) => {
  const { socket, messages, peer } = await bare({ maxFragments })
  const refusal = new Promise<Error>((resolve) => socket.on('error', resolve))
  const wide = '漢'.repeat(100_000)
  socket.send(JSON.stringify({ seq_id: 1, action: 'x', data: { wide } }), {})
  if (outcome === 'is refused') expect(await refusal).toMatchObject({ code: 'WS_ERR_TOO_MANY_BUFFERED_PARTS' })
  else {
    await until(() => messages.length === 1)
    expect(JSON.parse(messages[0] ?? '').data.wide === wide).toBe(true)
  }
  await peer.close()
})

test.each([true, false])(
  'a too large message is closed with 1009 and the name of the limit (server checks: %s)',
  async (serverLimits) => {
    const { socket, closed, peer } = await bare({ limits: { messageBytes: 1000 }, serverLimits })
    socket.send('x'.repeat(1001), {})
    expect(await closed).toBe(1009)
    expect(await peer.closed).toEqual({ why: 'protocol', detail: expect.stringContaining('messageBytes (1000)') })
  },
)

test('too many fragments end the connection', async () => {
  const { socket, peer, closed } = await bare()
  for (let n = 0; n < 4097; n++) socket.send('x', { fin: false })
  expect(await closed).toBe(1008)
  expect(await peer.closed).toMatchObject({ why: 'protocol', detail: 'More than 4096 fragments in one message.' })
})

test('a binary message that is not UTF-8 is closed with 1007', async () => {
  const { socket, peer, closed } = await bare()
  socket.send(Buffer.from([0xff]), { binary: true })
  expect(await closed).toBe(1007)
  expect(await peer.closed).toMatchObject({ why: 'protocol' })
})

test('a side that answers no ping is ended', async () => {
  const { socket, peer } = await bare({ pingMs: 30 })
  await new Promise((resolve) => setTimeout(resolve, 150))
  expect(await Promise.race([peer.closed, 'alive'])).toBe('alive')
  socket.pause()
  expect(await peer.closed).toEqual({ why: 'remote', detail: 'the other side did not answer a ping' })
  socket.resume()
})

test('messages that came before the peer was made are not lost', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...websocketServerOptions() })
  servers.push(server)
  server.on('connection', (socket: WebSocket) => {
    const transport = websocketTransport(socket)
    setTimeout(() => createPeer({ transport, handler: ({ data }) => data }), 50)
  })
  await once(server, 'listening')
  const peer = createPeer({ transport: await connectWebsocket(url(server)), handler: () => ({}) })
  expect(await peer.call('x', { early: 1 })).toEqual({ early: 1 })
  await peer.close()
})

test('a connection that is refused or takes too long rejects', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const address = url(server)
  await new Promise((resolve) => server.close(resolve))
  await expect(connectWebsocket(address)).rejects.toMatchObject({
    code: 'closed',
    message: expect.stringContaining('127.0.0.1'),
  })
})
