/** One call of an adapter with a bounded time, and what its failure means for the message. */
import { AdapterError } from '@runbound/platform-kit'
import { SEND_MS } from './room.ts'

export type Failure =
  /** Nothing was sent: try again at this pause. */
  | { readonly kind: 'retry'; readonly afterMs: number; readonly reason: string; readonly error: string }
  /** Never will be. */
  | { readonly kind: 'failed'; readonly reason: string; readonly error: string }
  /** Nobody knows; never repeated by itself. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly error: string }
  /** A native stream was closed by the platform. */
  | { readonly kind: 'lost'; readonly reason: string; readonly error: string }

const BACKOFF_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000] as const

/** Runs `call` with a signal that aborts after the send limit. */
export async function bounded<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new AdapterError('unknown_outcome', `The platform gave no answer in ${SEND_MS / 1000} seconds.`)
      abort.abort(error)
      reject(error)
    }, SEND_MS)
  })
  try {
    return await Promise.race([call(abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}

/** `attempt` counts from 0 and stretches the pause. */
export function failureOf(error: unknown, attempt: number): Failure {
  if (!AdapterError.is(error)) {
    return { kind: 'unknown', reason: 'adapter_failed', error: error instanceof Error ? error.message : String(error) }
  }
  const pauseMs = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? 60_000
  switch (error.kind) {
    case 'rate_limited':
      return { kind: 'retry', afterMs: error.retryAfterMs ?? pauseMs, reason: 'rate_limited', error: error.message }
    case 'unavailable':
      return { kind: 'retry', afterMs: error.retryAfterMs ?? pauseMs, reason: 'unavailable', error: error.message }
    case 'unknown_outcome':
      return { kind: 'unknown', reason: 'unknown_outcome', error: error.message }
    case 'stream_lost':
      return { kind: 'lost', reason: 'stream_lost', error: error.message }
    default:
      return { kind: 'failed', reason: error.kind, error: error.message }
  }
}
