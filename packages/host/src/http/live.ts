/**
 * What changes, as server-sent events: for `runs follow`, `dev` and the console. A reader that does not keep up is
 * ended, and comes again; it never fills the host's memory.
 */
import { schemas } from '@runbound/api'
import { stringify } from '@runbound/link'
import type { Principal } from '../identity/types.ts'
import type { Signals, ViewChange } from '../signals.ts'
import { failure } from './failures.ts'
import type { LastingConnections } from './lasting.ts'

/** Unread bytes of one reader above which it is ended. */
const BUFFER_BYTES = 4 * 1024 * 1024
const BEAT_MS = 15_000
/** Readers at once: of the host, and of one account or key (each tab of a browser is one). */
const READERS = 256
const READERS_OF_ONE = 32
/** When one that was refused should come again. */
const RETRY_SECONDS = 15

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

/** Everyone who reads along. One listener for all: a change is written out once, and not at all where nobody wants it. */
export class LiveReaders {
  readonly #readers = new Set<(change: ViewChange, text: () => string) => void>()
  readonly #ofOne = new Map<string, number>()

  constructor(signals: Signals) {
    signals.onView((change) => {
      if (this.#readers.size === 0) return
      let written: string | undefined
      const text = (): string => {
        const { workspace_uuid: _own, ...told } = change
        written ??= `data: ${stringify(told, { nonFinite: 'null' })}\n\n`
        return written
      }
      for (const reader of this.#readers) reader(change, text)
    })
  }

  /** Null while there is room for one more reader of `who`; else the refusal. */
  refusal(who: string): Response | null {
    const own = (this.#ofOne.get(who) ?? 0) >= READERS_OF_ONE
    if (!own && this.#readers.size < READERS) return null
    const message = own
      ? `You read along ${READERS_OF_ONE} times already: close a tab or a \`follow\`.`
      : `${READERS} readers follow this host already: try again later.`
    const answer = failure(429, 'too_many_readers', message)
    answer.headers.set('retry-after', String(RETRY_SECONDS))
    return answer
  }

  /** Counts until what it returns is called. */
  add(who: string, reader: (change: ViewChange, text: () => string) => void): () => void {
    this.#readers.add(reader)
    this.#ofOne.set(who, (this.#ofOne.get(who) ?? 0) + 1)
    return () => {
      if (!this.#readers.delete(reader)) return
      const left = (this.#ofOne.get(who) ?? 1) - 1
      if (left > 0) this.#ofOne.set(who, left)
      else this.#ofOne.delete(who)
    }
  }
}

/** Whom a reader counts for: all sessions of an account are one. */
const readerName = (principal: Principal): string =>
  principal.kind === 'session' ? `account ${principal.account.account_id}` : `key ${principal.key_id}`

/** A reader whose session or key has ended is ended too: `lasting` asks `admitted`. */
export function liveResponse(
  readers: LiveReaders,
  principal: Principal,
  filter: LiveFilter,
  stopping: AbortSignal,
  lasting: LastingConnections,
  admitted: () => Promise<boolean>,
): Response {
  const who = readerName(principal)
  const refusal = readers.refusal(who)
  if (refusal !== null) return refusal
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
        const off = readers.add(who, (change, text) => {
          if (open && wants(filter, change)) write(text())
        })
        const beat = setInterval(() => write(': beat\n\n'), BEAT_MS).unref()
        const forget = lasting.add(admitted, end)
        stop = () => {
          off()
          forget()
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
