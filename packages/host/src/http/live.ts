/**
 * What changes, as server-sent events: for `runs follow`, `dev` and, later, the console. A reader that does not keep up is
 * ended, and comes again; it never fills the host's memory.
 */
import { stringify } from '@runbound/link'
import type { Signals, ViewChange } from '../signals.ts'

/** Unread bytes of one reader above which it is ended. */
const BUFFER_BYTES = 4 * 1024 * 1024
const BEAT_MS = 15_000

/** `admitted` is asked on each beat: a reader whose session or key has ended is ended too. */
export function liveResponse(signals: Signals, stopping: AbortSignal, admitted: () => Promise<boolean>): Response {
  const encoder = new TextEncoder()
  let stop: () => void = () => undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let open = true
        const end = (): void => {
          if (!open) return
          open = false
          stop()
          controller.close()
        }
        const write = (text: string): void => {
          if (!open) return
          if ((controller.desiredSize ?? 0) < -BUFFER_BYTES) end()
          else controller.enqueue(encoder.encode(text))
        }
        write(': here\n\n')
        const off = signals.onView((change: ViewChange) =>
          write(`data: ${stringify(change, { nonFinite: 'null' })}\n\n`),
        )
        const beat = setInterval(() => {
          write(': beat\n\n')
          admitted().then((still) => (still ? undefined : end()), end)
        }, BEAT_MS).unref()
        stop = () => {
          off()
          clearInterval(beat)
          stopping.removeEventListener('abort', end)
        }
        stopping.addEventListener('abort', end, { once: true })
      },
      cancel: () => stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
