/** Looks now and then whether a plugin still answers: one whose code blocks its process serves nobody, and does not end by itself. */
import { LinkError, type Peer } from '@runbound/link'

/** Pause between two looks, and how long an answer may take: blocking work of a minute is bad manners, not a hang. */
export const HEARTBEAT = { everyMs: 15_000, patienceMs: 60_000 } as const

/** Calls `hung` once when the plugin does not answer. Ends with the connection, or by the returned function. */
export function heartbeat(peer: Pick<Peer, 'call' | 'closed'>, hung: (how: string) => void): () => void {
  let over = false
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    over = true
    clearTimeout(timer)
  }
  const beat = async (): Promise<void> => {
    try {
      await peer.call('__ping', {}, { timeoutMs: HEARTBEAT.patienceMs })
    } catch (error) {
      // An SDK that does not know the ping says so, and that is an answer.
      if (!over && LinkError.is(error) && error.code === 'timeout') {
        end()
        hung(`it did not answer for ${HEARTBEAT.patienceMs / 1000} seconds`)
      }
    }
    next()
  }
  const next = (): void => {
    if (!over) timer = setTimeout(() => void beat(), HEARTBEAT.everyMs).unref()
  }
  next()
  void peer.closed.then(end)
  return end
}
