/**
 * The client of the http boundary, in its own process: signed POST in, callback out, as `peer-bench` drives the reference
 * host. `callback` times a message from its POST to the POST of its reply; `sync` waits for the answer of `/sync`.
 */
import { createHmac } from 'node:crypto'
import { Agent, createServer, request } from 'node:http'
import { serveCommands } from './child.ts'
import { percentile } from './statistics.ts'

/** One bot, or the relay. */
export interface Boundary {
  readonly url: string
  readonly secret: string
  readonly way: 'callback' | 'sync'
}

export interface Load {
  readonly messages: number
  readonly errors: number
  readonly firstError: string | null
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** A message without an answer after this long is an error. */
const PATIENCE_MS = 60_000

/** Idle connections go after this long: before a server closes them under a message. */
const IDLE_MS = 1_000

const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
const waiting = new Map<string, (text: string) => void>()

const receiver = createServer((incoming, response) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    response.end()
    const { session_id, message, is_final } = JSON.parse(Buffer.concat(chunks).toString())
    if (is_final) waiting.get(session_id)?.(textOf(message))
  })
})

// As a proxy in front of a real receiver would: it never closes under a callback.
receiver.keepAliveTimeout = 75_000

const textOf = (chain: readonly { readonly text?: string }[]): string => chain.map(({ text }) => text ?? '').join('')

function post({ url, secret, way }: Boundary, body: string): Promise<string> {
  const stamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex')
  return new Promise((resolve, reject) => {
    const call = request(
      way === 'sync' ? `${url}/sync` : url,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-lb-timestamp': stamp,
          'x-lb-signature': `sha256=${signature}`,
        },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (answer.statusCode === (way === 'sync' ? 200 : 202)) resolve(text)
          else reject(new Error(`status ${answer.statusCode}: ${text.slice(0, 200)}`))
        })
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** One message; the text of its reply. */
async function ask(boundary: Boundary, session_id: string, text: string): Promise<string> {
  const body = JSON.stringify({ session_id, message: [{ type: 'Plain', text }] })
  if (boundary.way === 'sync') return textOf(JSON.parse(await post(boundary, body)).data.message)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no reply within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
    waiting.set(session_id, (reply) => {
      clearTimeout(timer)
      resolve(reply)
    })
    post(boundary, body).catch((error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

const commands = {
  /** Gives the address for callbacks. */
  async listen(_input: null): Promise<string> {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', 4096, resolve))
    const address = receiver.address()
    if (typeof address !== 'object' || address === null) throw new Error('no address')
    return `http://127.0.0.1:${address.port}/reply`
  },

  /** One message and its reply's text. */
  ask: ({
    boundary,
    session,
    text,
  }: {
    readonly boundary: Boundary
    readonly session: string
    readonly text: string
  }) => ask(boundary, session, text),

  /** One user, one message after the other; milliseconds of each. The pause lets the host end the run before. */
  async oneByOne(input: {
    readonly boundary: Boundary
    readonly session: string
    readonly count: number
    readonly pauseMs: number
  }): Promise<readonly number[]> {
    const times: number[] = []
    for (let index = 0; index < input.count; index++) {
      const begin = performance.now()
      const reply = await ask(input.boundary, input.session, `m${index}`)
      times.push(performance.now() - begin)
      if (reply !== `echo: m${index}`) throw new Error(`another reply: ${reply.slice(0, 100)}`)
      await new Promise((resolve) => setTimeout(resolve, input.pauseMs))
    }
    return times
  },

  /** As many conversations at once as asked for; each sends its next message when the last is answered. */
  async load(input: {
    readonly boundary: Boundary
    readonly session: string
    readonly conversations: number
    /** Until then, or until that many messages were sent. */
    readonly seconds: number
    readonly messages: number
  }): Promise<Load> {
    const times: number[] = []
    const errors: string[] = []
    let sent = 0
    const begin = performance.now()
    const until = begin + input.seconds * 1000
    const user = async (number: number) => {
      for (let count = 0; performance.now() < until && sent < input.messages; count++) {
        sent++
        const text = `u${number}-${count}`
        const start = performance.now()
        const reply = await ask(input.boundary, `${input.session}-${number}`, text).catch((error: Error) => {
          errors.push(error.message)
          return null
        })
        if (reply === `echo: ${text}`) times.push(performance.now() - start)
        else if (reply !== null) errors.push(`another reply: ${reply.slice(0, 100)}`)
      }
    }
    await Promise.all(Array.from({ length: input.conversations }, (_, number) => user(number)))
    const wall = (performance.now() - begin) / 1000
    return {
      messages: times.length,
      errors: errors.length,
      firstError: errors[0] ?? null,
      perSecond: times.length / wall,
      p50: times.length === 0 ? Number.NaN : percentile(times, 0.5),
      p99: times.length === 0 ? Number.NaN : percentile(times, 0.99),
    }
  },
}
export type CallerCommands = typeof commands

serveCommands(commands, () => {
  agent.destroy()
  receiver.closeAllConnections()
  receiver.close()
})
