/**
 * What changes, as server-sent events: for `runs follow`, `dev` and the console. A reader that does not keep up is
 * ended, and comes again; it never fills the host's memory.
 */
import { schemas } from '@runbound/api'
import { stringify } from '@runbound/link'
import type { Signals, ViewChange } from '../signals.ts'
import { failure } from './failures.ts'

/** Unread bytes of one reader above which it is ended. */
const BUFFER_BYTES = 4 * 1024 * 1024
const BEAT_MS = 15_000

/** Which changes a reader wants; absent: all. */
export interface LiveFilter {
  readonly kinds?: ReadonlySet<string>
  readonly run_id?: string
  readonly conversation_key?: string
  readonly installation_uuid?: string
}

/** From the query; a kind that does not exist is a mistake and no empty stream. */
export function liveFilter(query: Readonly<Record<string, string>>): LiveFilter | Response {
  const { kinds, run_id, conversation_key, installation_uuid } = schemas.LiveQuerySchema.parse(query)
  const wanted = kinds?.split(',')
  const known: readonly string[] = schemas.LIVE_KINDS
  const wrong = wanted?.find((kind) => !known.includes(kind))
  if (wrong !== undefined)
    return failure(422, 'invalid_input', `query.kinds: "${wrong}" is not one of ${known.join(', ')}.`, 'query.kinds')
  return {
    ...(wanted === undefined ? {} : { kinds: new Set(wanted) }),
    ...(run_id === undefined ? {} : { run_id }),
    ...(conversation_key === undefined ? {} : { conversation_key }),
    ...(installation_uuid === undefined ? {} : { installation_uuid }),
  }
}

function wants(filter: LiveFilter, { kind, run_id, conversation_key, data }: ViewChange): boolean {
  if (filter.kinds !== undefined && !filter.kinds.has(kind)) return false
  if (filter.run_id !== undefined && run_id !== filter.run_id) return false
  if (filter.conversation_key !== undefined && conversation_key !== filter.conversation_key) return false
  if (filter.installation_uuid === undefined) return true
  return (
    typeof data === 'object' && data !== null && Reflect.get(data, 'installation_uuid') === filter.installation_uuid
  )
}

/** `admitted` is asked on each beat: a reader whose session or key has ended is ended too. */
export function liveResponse(
  signals: Signals,
  filter: LiveFilter,
  stopping: AbortSignal,
  admitted: () => Promise<boolean>,
): Response {
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
        const off = signals.onView((change: ViewChange) => {
          if (!open || !wants(filter, change)) return
          const { workspace_uuid: _own, ...told } = change
          write(`data: ${stringify(told, { nonFinite: 'null' })}\n\n`)
        })
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
