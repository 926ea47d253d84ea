/**
 * The adapter alone: signed POST in, event to an echo host that commits nothing, signed callback out. A child process is
 * caller and receiver, so that two cores share the work as in the whole-host benchmark. Each round also measures the
 * yardstick: the same two HTTP messages through Node's own server and client, without adapter and signature checks.
 * Run: `node platforms/http/bench/throughput.ts [sessions] [seconds] [rounds]`; prints one JSON line a measurement.
 */
import { fork } from 'node:child_process'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordingServices } from '@runbound/platform-kit/scriptable'
import { serve } from '../src/http-fixture.ts'
import { httpPlatform } from '../src/index.ts'
import { sign } from '../src/signature.ts'

const SECRET = 'bench'
const sessions = Number(process.argv[2] ?? 32)
const seconds = Number(process.argv[3] ?? 5)
const rounds = Number(process.argv[4] ?? 3)

if (process.send !== undefined) await caller()
else {
  for (let round = 0; round < rounds; round++) {
    const bare = await measure('bare', serveBare)
    const adapter = await measure('adapter', serveAdapter)
    console.log(JSON.stringify({ ratio: Number((adapter / bare).toFixed(2)) }))
  }
}

interface Served {
  readonly origin: string
  close(): Promise<void>
}

/** One measurement; messages per second. */
async function measure(what: string, start: (callback: string) => Promise<Served>): Promise<number> {
  const child = fork(import.meta.filename, [String(sessions), String(seconds)])
  const callback = await new Promise<string>((resolve) => child.once('message', (url) => resolve(String(url))))
  const served = await start(callback)
  child.send(served.origin)
  await new Promise((resolve) => child.once('message', resolve))
  const before = process.cpuUsage()
  const result = await new Promise<{ messages: number; per_s: number }>((resolve) =>
    child.once('message', (value) => resolve(value as { messages: number; per_s: number })),
  )
  const cpu = process.cpuUsage(before)
  const cpu_ms = (cpu.user + cpu.system) / 1000 / result.messages
  console.log(
    JSON.stringify({
      what,
      ...result,
      cpu_ms: Number(cpu_ms.toFixed(3)),
      rss_mib: Math.round(process.memoryUsage().rss / 2 ** 20),
    }),
  )
  await new Promise((resolve) => child.once('exit', resolve))
  await served.close()
  return result.per_s
}

/** The yardstick: reads the post, answers it, posts the same back. */
async function serveBare(callback: string): Promise<Served> {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(202).end('{}')
      const call = request(
        callback,
        { agent, method: 'POST', headers: { 'content-length': Buffer.byteLength(body) } },
        (answer) => answer.resume(),
      )
      call.on('error', () => {})
      call.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** The bot, whose host answers each event at once. */
async function serveAdapter(callback: string): Promise<Served> {
  const services = recordingServices('bot-1')
  const never = new AbortController().signal
  let count = 0
  const adapter = httpPlatform.create(
    { inbound_secret: SECRET, callback_url: callback },
    {
      ...services,
      emit: async (incoming) => {
        const target = incoming.reply_target ?? { target_type: 'person', target_id: '' }
        const delivery_key = `d-${++count}`
        setImmediate(() => {
          const chain = incoming.event.type === 'message.received' ? incoming.event.message_chain : []
          void adapter.send(
            { target, chain, delivery_key, conversation_id: null, run_id: null, part: 1, parts: 1 },
            never,
          )
        })
        return { status: 'accepted', event_id: delivery_key }
      },
    },
  )
  await adapter.start()
  if (adapter.http === undefined) throw new Error('no route')
  const server = await serve(adapter.http.handle)
  return { origin: server.origin, close: () => adapter.stop().then(() => server.close()) }
}

/** Keeps one message per session on its way, and times each from the POST to its callback. */
async function caller(): Promise<void> {
  const waiting = new Map<string, () => void>()
  const receiver = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk) => {
      body += chunk
    })
    incoming.on('end', () => {
      response.end()
      waiting.get(JSON.parse(body).session_id)?.()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  process.send?.(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/reply`)
  const origin = await new Promise<string>((resolve) => process.once('message', (value) => resolve(String(value))))
  const agent = new Agent({ keepAlive: true })
  const post = (session: string, text: string) =>
    new Promise<void>((resolve) => {
      const body = JSON.stringify({ session_id: session, message: [{ type: 'Plain', text }] })
      const stamp = String(Math.floor(Date.now() / 1000))
      const headers = {
        'content-length': Buffer.byteLength(body),
        'x-lb-timestamp': stamp,
        'x-lb-signature': sign(SECRET, stamp, Buffer.from(body)),
      }
      const call = request(`${origin}/bots/bot-1`, { agent, method: 'POST', headers }, (answer) => {
        if (answer.statusCode !== 202) throw new Error(`status ${answer.statusCode}`)
        answer.resume()
      })
      call.on('error', () => {})
      waiting.set(session, resolve)
      call.end(body)
    })
  const times: number[] = []
  const drive = async (until: number, keep: boolean) => {
    await Promise.all(
      Array.from({ length: sessions }, async (_, index) => {
        for (let count = 0; performance.now() < until; count++) {
          const begin = performance.now()
          await post(`s-${index}`, `m${count}`)
          if (keep) times.push(performance.now() - begin)
        }
      }),
    )
  }
  await drive(performance.now() + 1_500, false)
  process.send?.('warm')
  const begin = performance.now()
  await drive(begin + seconds * 1000, true)
  const wall = (performance.now() - begin) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2))
  process.send?.({
    sessions,
    messages: times.length,
    per_s: Math.round(times.length / wall),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
  })
  process.disconnect?.()
  receiver.closeAllConnections()
  receiver.close()
  agent.destroy()
}
