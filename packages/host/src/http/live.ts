/** What changes, as server-sent events: for `runs follow`, `dev` and, later, the console. A slow reader loses the oldest news, never the host. */
import type { Signals, ViewChange } from '../signals.ts'

const QUEUE = 1_000
const BEAT_MS = 15_000

export function liveResponse(signals: Signals, stopping: AbortSignal): Response {
  const encoder = new TextEncoder()
  let stop: () => void = () => undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => {
          // desiredSize counts what the reader has not taken yet.
          if ((controller.desiredSize ?? 0) > -QUEUE) controller.enqueue(encoder.encode(text))
        }
        write(': here\n\n')
        const off = signals.onView((change: ViewChange) => write(`data: ${JSON.stringify(change)}\n\n`))
        const beat = setInterval(() => write(': beat\n\n'), BEAT_MS).unref()
        const end = (): void => {
          stop()
          controller.close()
        }
        stop = () => {
          off()
          clearInterval(beat)
          stopping.removeEventListener('abort', end)
        }
        stopping.addEventListener('abort', end, { once: true })
      },
      cancel: () => stop(),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}
