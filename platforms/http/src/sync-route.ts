/** `/sync`: waits until everything that the message caused has ended, and answers with all that was said. */
import type { AdapterServices, Settled } from '@runbound/platform-kit'
import { answer, Fault, refusal } from './answers.ts'
import type { Waiter } from './sync.ts'

/** Why the waiting is over. */
export type Ended =
  | Settled
  | { readonly status: 'timeout' }
  | { readonly status: 'left' }
  | { readonly status: 'stopped' }

export interface Waiting {
  readonly event_id: string
  readonly waiter: Waiter
  /** Longest wait in seconds. */
  readonly seconds: number
  /** Aborts when the caller goes away. */
  readonly left: AbortSignal
  /** Aborts when the bot stops. */
  readonly stopped: AbortSignal
}

/** Waits for the end of what the event caused, the time limit, the caller's leaving, or the bot's end. */
export async function untilEnded(
  services: AdapterServices,
  { event_id, waiter, seconds, left, stopped }: Waiting,
): Promise<Ended> {
  const over = new AbortController()
  const limit = Promise.withResolvers<Ended>()
  const timer = setTimeout(() => limit.resolve({ status: 'timeout' }), seconds * 1000)
  const leave = () => limit.resolve({ status: 'left' })
  const stop = () => limit.resolve({ status: 'stopped' })
  left.addEventListener('abort', leave, { once: true })
  stopped.addEventListener('abort', stop, { once: true })
  if (left.aborted) leave()
  if (stopped.aborted) stop()
  const end: Promise<Ended> =
    services.settled?.(event_id, over.signal) ??
    waiter.answered.then(() => ({ status: 'answered', reason: null, message: null }))
  // The loser of the race may still reject; its error has no reader.
  end.catch(() => {})
  try {
    return await Promise.race([end, limit.promise])
  } finally {
    over.abort()
    clearTimeout(timer)
    left.removeEventListener('abort', leave)
    stopped.removeEventListener('abort', stop)
  }
}

/** The answer to the caller. `calledBack`: later messages have somewhere to go. */
export function syncAnswer(waiter: Waiter, ended: Ended, seconds: number, calledBack: boolean): Response {
  const data = { accepted_message_id: waiter.message_id, session_id: waiter.session_id, message: waiter.chain() }
  switch (ended.status) {
    case 'answered':
    case 'silent':
      return answer(200, { ...data, status: ended.status, status_reason: ended.reason })
    case 'failed':
      if (waiter.collected.length > 0)
        return answer(200, { ...data, status: ended.status, status_reason: ended.reason })
      return refusal(
        new Fault(
          50001,
          ended.reason ?? 'failed',
          ended.message ?? 'The message was accepted, but handling it failed.',
          data,
        ),
      )
    case 'timeout': {
      const later = calledBack
        ? 'What is still said goes to callback_url.'
        : 'What is still said is lost: callback_url is not set.'
      return refusal(
        new Fault(
          50401,
          'timeout',
          `The message was accepted, but its answer was not complete within ${seconds} s. ${later}`,
          data,
        ),
      )
    }
    case 'left':
      return refusal(new Fault(50401, 'caller_left', 'The caller went away before the answer was complete.', data))
    case 'stopped':
      return refusal(new Fault(50301, 'stopped', 'The bot was stopped before the answer was complete.', data))
  }
}
