/**
 * One callback: posted, retried where that can't double it, and its outcome named. Decision: a retry is safe if the
 * request never reached a server (no connection), or if the server said 5xx: in this protocol only 2xx takes a callback.
 * An answer that got lost (timeout, broken connection, 504) is `unknown_outcome` and not repeated, unless the operator
 * says that the receiver drops repeated deliveries by `X-RB-Delivery-Key`.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { AdapterError } from '@runbound/platform-kit'
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from './signature.ts'

/** Longest pause between two attempts, in milliseconds. */
const MAX_PAUSE_MS = 30_000
/** An idle connection is given up before a server would close it under our next request. */
const IDLE_MS = 1_000

export interface CallbackOptions {
  readonly url: URL
  readonly secret: string | null
  readonly timeoutMs: number
  readonly retries: number
  /** Pause before the first retry; doubles each time. Default 1,000 ms. */
  readonly firstPauseMs: number
  readonly now: () => number
}

/** What one attempt came to. */
type Attempt =
  | { readonly result: 'taken' }
  /** Certainly not taken: trying again can't double it. */
  | { readonly result: 'not_taken'; readonly why: string; readonly waitMs: number }
  | { readonly result: 'unknown'; readonly why: string }
  | { readonly result: 'refused'; readonly error: AdapterError }

/** Posts callbacks over kept connections. */
export class CallbackClient {
  readonly #options: CallbackOptions
  readonly #agent: HttpAgent | HttpsAgent
  readonly #send: typeof httpRequest
  readonly #closed = new AbortController()

  constructor(options: CallbackOptions) {
    this.#options = options
    const secure = options.url.protocol === 'https:'
    const keep = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: IDLE_MS }
    this.#agent = secure ? new HttpsAgent(keep) : new HttpAgent(keep)
    this.#send = secure ? httpsRequest : httpRequest
  }

  /** Resolves once the receiver took it. Rejects with AdapterError. `repeatable`: a double does no harm. */
  async post(body: string, deliveryKey: string, repeatable: boolean, signal: AbortSignal): Promise<void> {
    const bytes = Buffer.from(body)
    let pause = this.#options.firstPauseMs
    for (let attempt = 0; ; attempt++) {
      if (signal.aborted || this.#closed.signal.aborted) {
        throw new AdapterError('unavailable', 'The call was aborted before the callback was taken.')
      }
      const outcome = await this.#attempt(bytes, deliveryKey, signal)
      if (outcome.result === 'taken') return
      if (outcome.result === 'refused') throw outcome.error
      const again = outcome.result === 'not_taken' || (repeatable && !signal.aborted)
      if (!again || attempt >= this.#options.retries) {
        throw new AdapterError(
          outcome.result === 'not_taken' ? 'unavailable' : 'unknown_outcome',
          `Callback to ${this.#options.url.host}: ${outcome.why}.`,
        )
      }
      const asked = outcome.result === 'not_taken' ? outcome.waitMs : 0
      await sleep(Math.min(MAX_PAUSE_MS, Math.max(pause, asked)), signal, this.#closed.signal)
      pause *= 2
    }
  }

  /** Ends what is under way: pauses as not taken, requests that are out as unknown. */
  close(): void {
    this.#closed.abort()
    this.#agent.destroy()
  }

  #attempt(body: Buffer, deliveryKey: string, signal: AbortSignal): Promise<Attempt> {
    const { url, secret, timeoutMs, now } = this.#options
    const timestamp = String(Math.floor(now() / 1000))
    return new Promise((resolve) => {
      let connected = false
      const request = this.#send(url, {
        agent: this.#agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': body.byteLength,
          'user-agent': 'runbound',
          [TIMESTAMP_HEADER]: timestamp,
          'x-rb-delivery-key': deliveryKey,
          ...(secret === null ? {} : { [SIGNATURE_HEADER]: sign(secret, timestamp, body) }),
        },
      })
      const timer = setTimeout(() => give(connected, `no answer within ${timeoutMs / 1000} s`), timeoutMs)
      const aborted = () => give(connected, 'aborted')
      signal.addEventListener('abort', aborted, { once: true })
      const settle = (outcome: Attempt) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
        resolve(outcome)
      }
      // Once a connection stands, the request may have been read although no answer came.
      const give = (reached: boolean, why: string) => {
        settle(reached ? { result: 'unknown', why } : { result: 'not_taken', why, waitMs: 0 })
        request.destroy()
      }
      request.once('socket', (socket) => {
        if (!socket.connecting) connected = true
        else
          socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
            connected = true
          })
      })
      request.on('error', (error) => give(connected, error.message || error.name))
      request.once('response', (response) => {
        settle(judge(response, now()))
        // The body says nothing that we use, but an unread one would keep the connection busy.
        response.on('error', () => {}).resume()
      })
      request.end(body)
    })
  }
}

function judge(response: IncomingMessage, now: number): Attempt {
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) return { result: 'taken' }
  const wait = retryAfter(response.headers['retry-after'], now)
  const said = `the receiver answered ${status}`
  if (status === 504) return { result: 'unknown', why: said }
  if (status >= 500 || status === 408) return { result: 'not_taken', why: said, waitMs: wait ?? 0 }
  if (status === 429)
    return {
      result: 'refused',
      error: new AdapterError('rate_limited', `Callback: ${said}.`, { retryAfterMs: wait ?? 1_000 }),
    }
  if (status === 413) return { result: 'refused', error: new AdapterError('too_long', `Callback: ${said}.`) }
  const why =
    status >= 300 && status < 400 ? `${said}; redirects are not followed, set callback_url to the final address` : said
  return { result: 'refused', error: new AdapterError('refused', `Callback: ${why}.`) }
}

/** `Retry-After` in milliseconds from now: seconds or a date. */
function retryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

/** Waits, or less if one of the signals aborts. */
function sleep(ms: number, ...signals: AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    for (const signal of signals) signal.addEventListener('abort', done, { once: true })
  })
}
