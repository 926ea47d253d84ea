/** Reply streams of living runs: native where the platform streams and the event is a message, else one message at the end. */

import { isBlank } from '@runbound/platform-kit'
import { LIMITS, type MessageChain, WireError } from '@runbound/protocol'
import { timeId } from '../time-id.ts'
import { NativeStream } from './native-stream.ts'
import { newPart, type Room } from './room.ts'
import * as sql from './statements.ts'
import type { Delivery, StreamRequest, StreamResult } from './types.ts'

type Entry =
  | { kind: 'undecided' | 'buffered' | 'simulated'; last: StreamResult | undefined; failure?: WireError }
  | {
      kind: 'native'
      native: NativeStream
      last: StreamResult | undefined
      ended: Promise<StreamResult> | undefined
      failure?: WireError
    }

/** The streams of one run, and whether it is over: what still waits for its turn then must not open anything. */
interface RunStreams {
  readonly entries: Map<string, Entry>
  ended: boolean
}

export class Streams {
  #room: Room
  #reply: Delivery['reply']
  #runs = new Map<string, RunStreams>()
  #turns = new Map<string, Promise<void>>()

  constructor(room: Room, reply: Delivery['reply']) {
    this.#room = room
    this.#reply = reply
  }

  /** WireErrors: `stream_closed`, `limit_reached`, `delivery_failed`. Repeated finish or abort gives the first result. */
  handle(request: StreamRequest): Promise<StreamResult> {
    const runId = request.scope.run_id
    if (runId === null) {
      return Promise.reject(new WireError('run_unknown', 'reply_stream works inside a run only.'))
    }
    let streams = this.#runs.get(runId)
    if (streams === undefined) {
      streams = { entries: new Map(), ended: false }
      this.#runs.set(runId, streams)
    }
    const own = streams
    // One operation of a stream after another, also for plugins that do not wait: two must not open two messages.
    const key = `${runId}|${request.stream_id}`
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(() => this.#operate(own, request))
    const quiet = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(key, quiet)
    void quiet.then(() => {
      if (this.#turns.get(key) === quiet) this.#turns.delete(key)
    })
    return turn
  }

  async #operate(streams: RunStreams, request: StreamRequest): Promise<StreamResult> {
    if (streams.ended) throw new WireError('run_ended', 'The run has ended; its reply streams are closed.')
    const entry = entryOf(streams, request.stream_id)
    if (entry.last !== undefined || entry.failure !== undefined) {
      if (request.operation !== 'update' && entry.last !== undefined) return entry.last
      if (request.operation !== 'update') throw entry.failure
      throw new WireError(
        'stream_closed',
        `Reply stream ${request.stream_id} has ended; open a new one with ctx.replyStream().`,
      )
    }
    if (entry.kind === 'native') return this.#native(entry, request)
    if (request.operation === 'update') return this.#first(streams, entry, request)
    return this.#endBuffered(entry, request)
  }

  /** Open native streams are closed with what is shown; buffers are dropped. */
  async endRun(runId: string): Promise<void> {
    const streams = this.#runs.get(runId)
    if (streams === undefined) return
    this.#runs.delete(runId)
    streams.ended = true
    await Promise.all(
      [...streams.entries.values()].map(async (entry) => {
        if (entry.kind === 'native' && entry.ended === undefined)
          await entry.native.end('abort', '').catch(() => undefined)
      }),
    )
  }

  /** The first text that shows something decides how this stream is delivered. */
  async #first(
    streams: RunStreams,
    entry: Exclude<Entry, { kind: 'native' }>,
    request: StreamRequest,
  ): Promise<StreamResult> {
    const { scope, stream_id, text } = request
    if (scope.debug) entry.kind = 'simulated'
    if (entry.kind !== 'undecided') return open(entry.kind, stream_id)
    if (text.trim() === '') return open('buffered', stream_id)
    const adapter = this.#room.adapter(scope.bot_uuid)
    if (!scope.message_event || adapter?.openStream === undefined || adapter.capabilities.streaming === null) {
      entry.kind = 'buffered'
      return open('buffered', stream_id)
    }
    const row = newPart(this.#room, scope, {
      delivery_id: timeId(this.#room.clock.now()),
      part: 1,
      parts: 1,
      chain: plain(text),
      quote: null,
      state: 'streaming',
      stream_id,
    })
    const place = this.#room.lanes.reserve(row.target_key)
    const { part_id, created_at: now } = row
    try {
      await request.commit([
        sql.insertPart(row),
        ...(place.next ? [] : [sql.markOpening({ part_id, reason: sql.NOT_OPENED, now })]),
      ])
    } catch (error) {
      place.fill(null)
      throw error
    }
    const native = new NativeStream(this.#room, scope, stream_id, row, place, adapter, text)
    // The run may have ended while the row was written: then nobody else would close the message.
    if (streams.ended) void native.end('abort', '').catch(() => undefined)
    else streams.entries.set(stream_id, { kind: 'native', native, last: undefined, ended: undefined })
    return open('streaming', stream_id)
  }

  async #native(entry: Extract<Entry, { kind: 'native' }>, request: StreamRequest): Promise<StreamResult> {
    if (request.operation === 'update') {
      if (entry.ended !== undefined)
        throw new WireError(
          'stream_closed',
          `Reply stream ${request.stream_id} has ended; open a new one with ctx.replyStream().`,
        )
      entry.native.update(request.text)
      return open('streaming', request.stream_id)
    }
    entry.ended ??= entry.native.end(request.operation, request.text)
    const late: StreamResult = {
      stream_id: request.stream_id,
      status: request.operation === 'finish' ? 'completed' : 'cancelled',
      delivery: 'streaming',
      mock: false,
      text: request.text,
      message_id: null,
      delivery_id: entry.native.delivery_id,
    }
    const result = await within(entry.ended, request.waitMs, late)
    entry.last = result
    return result
  }

  async #endBuffered(entry: Entry, request: StreamRequest): Promise<StreamResult> {
    const { scope, stream_id, text } = request
    const how = scope.debug ? 'simulated' : 'buffered'
    const base = { stream_id, delivery: how, mock: scope.debug } as const
    if (request.operation === 'abort') {
      entry.last = { ...base, status: 'cancelled' }
      return entry.last
    }
    if (isBlank(plain(text))) {
      entry.last = { ...base, status: 'completed', text }
      return entry.last
    }
    const sent = await this.#reply({
      scope,
      chain: plain(text),
      quote_origin: false,
      waitMs: request.waitMs,
      signal: request.signal,
      commit: request.commit,
      how: 'buffered',
    })
    if (sent.status === 'failed' || sent.status === 'unknown') {
      const reason = sent.status === 'failed' ? 'delivery_failed' : 'delivery_unknown'
      const message = `The platform did not take the reply: ${sent.error ?? 'no cause given'}`
      // Kept: a repeated finish hears the same and sends nothing again.
      entry.failure = new WireError(reason, message, { details: { delivery_id: sent.delivery_id } })
      throw entry.failure
    }
    entry.last = { ...base, status: 'completed', text, message_id: sent.message_id, delivery_id: sent.delivery_id }
    return entry.last
  }
}

function entryOf({ entries }: RunStreams, streamId: string): Entry {
  const known = entries.get(streamId)
  if (known !== undefined) return known
  const most = LIMITS.reply_streams.value
  if (entries.size >= most)
    throw new WireError('limit_reached', `A run has at most ${most} reply streams (limit reply_streams).`)
  const entry: Entry = { kind: 'undecided', last: undefined }
  entries.set(streamId, entry)
  return entry
}

const plain = (text: string): MessageChain => [{ type: 'Plain', text }]

function open(kind: 'streaming' | 'buffered' | 'simulated', stream_id: string): StreamResult {
  return { stream_id, status: 'open', delivery: kind, mock: kind === 'simulated' }
}

/** What a caller with little patience gets in place of a promise that is not done yet. */
export async function within<T>(work: Promise<T>, waitMs: number, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, waitMs, late)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
