/**
 * One native reply stream: platform messages that change while the run goes on. Updates are coalesced to the platform's
 * declared rate, rate limits are waited out, text beyond a message's limit goes on in the next one, and the final text is
 * always written, once.
 */
import {
  AdapterError,
  type AdapterInstance,
  cutText,
  measureOf,
  type OutgoingStream,
  type TextPart,
} from '@runbound/platform-kit'
import { type JsonObject, type MessageChain, WireError } from '@runbound/protocol'
import { type Statement, StoreError } from '@runbound/store'
import { bounded, failureOf } from './call-adapter.ts'
import type { Place } from './lanes.ts'
import { adapterOf, newPart, outgoing, pause, type Room } from './room.ts'
import * as sql from './statements.ts'
import type { DeliveryScope, StreamResult } from './types.ts'
import { writeDown } from './write-down.ts'

/** How often the shown text is noted down, so that a restart can finish the message. */
const CHECKPOINT_MS = 1_000

interface Opened {
  readonly message_id: string | null
  readonly stream: OutgoingStream
}

interface Open extends Opened {
  readonly row: sql.PartRow
  /** What the platform shows of this message. */
  shown: string
}

export class NativeStream {
  readonly stream_id: string
  readonly delivery_id: string
  readonly scope: DeliveryScope
  #room: Room
  #minIntervalMs: number
  #wanted = ''
  /** Where the current message begins in the whole text; what stands before is in messages that are closed. */
  #base = 0
  #parts = 0
  #open: Open | undefined
  #firstRow: sql.PartRow
  /** Written, but not opened yet: a retry opens this one. */
  #pending: sql.PartRow | undefined
  /** The place of the first message in its chat's order, taken before its row was written. */
  #place: Place | undefined
  /** What stands in the outbox about the pending message: the platform was not asked to open it. */
  #untried: boolean
  #ending: 'finish' | 'abort' | undefined
  #failure:
    | { readonly status: 'failed' | 'unknown' | 'queued'; readonly reason: string; readonly error: string }
    | undefined
  #nextAt = 0
  #checkpointAt = 0
  #firstMessageId: string | null = null
  #wake: () => void = () => undefined
  #done: Promise<StreamResult>

  /**
   * `first`: the row that the run's unit has written, state `streaming`; with reason NOT_OPENED unless `place` is the next
   * in its chat.
   */
  constructor(
    room: Room,
    scope: DeliveryScope,
    stream_id: string,
    first: sql.PartRow,
    place: Place,
    adapter: AdapterInstance,
    text: string,
  ) {
    this.#place = place
    this.#untried = !place.next
    this.#room = room
    this.scope = scope
    this.stream_id = stream_id
    this.delivery_id = first.delivery_id
    this.#firstRow = first
    this.#pending = first
    this.#room.stopping.addEventListener('abort', this.#onStop)
    this.#minIntervalMs = adapter.capabilities.streaming?.minIntervalMs ?? 1_000
    this.#wanted = text
    this.#done = this.#pump()
  }

  /** Throws WireError `delivery_failed` once the platform has refused the stream for good. */
  update(text: string): void {
    if (this.#failure !== undefined) throw failed(this.#failure)
    this.#wanted = text
    this.#wake()
  }

  /** `finish`: resolves when the final text is written. `abort`: closes the message with what is shown. */
  end(how: 'finish' | 'abort', text: string): Promise<StreamResult> {
    if (this.#ending === undefined) {
      this.#ending = how
      if (how === 'finish') this.#wanted = text
      this.#wake()
    }
    return this.#done
  }

  readonly #onStop = (): void => this.#wake()

  async #pump(): Promise<StreamResult> {
    try {
      for (let attempt = 0; ; ) {
        const outcome = await this.#step(attempt)
        if (outcome === 'done') break
        attempt = outcome === 'again' ? attempt + 1 : 0
      }
    } catch (error) {
      this.#room.logger.error({ err: error, delivery_id: this.delivery_id }, 'A reply stream broke')
      this.#failure ??= { status: 'failed', reason: 'internal', error: 'a fault of the host; its log has the cause' }
    }
    this.#room.stopping.removeEventListener('abort', this.#onStop)
    this.#place?.fill(null)
    return this.#result()
  }

  /** One round: wait for news and for the platform's rate, then bring the platform up to date. */
  async #step(attempt: number): Promise<'again' | 'next' | 'done'> {
    if (this.#open !== undefined && this.#ending === undefined && this.#open.shown === this.#piece()) await this.#news()
    const wait = this.#nextAt - this.#room.clock.now()
    if (wait > 0 && !(await pause(this.#room, wait))) return this.#stopped()
    try {
      return await this.#catchUp()
    } catch (error) {
      // Not the platform: it is written down again and again, until the host stops.
      if (StoreError.is(error)) {
        if (this.#room.stopping.aborted) return this.#stopped()
        throw error
      }
      const failure = failureOf(error, attempt)
      if (failure.kind === 'lost') {
        await this.#closeLost(failure.reason)
        return 'next'
      }
      if (failure.kind === 'retry') {
        if (this.#pending !== undefined) await this.#mark(this.#pending, true)
        this.#nextAt = this.#room.clock.now() + failure.afterMs
        return 'again'
      }
      await this.#fail(failure.kind, failure.reason, failure.error)
      return 'done'
    }
  }

  async #catchUp(): Promise<'next' | 'done'> {
    const rest = this.#piece()
    if (this.#ending === 'abort') return this.#close(this.#open?.shown ?? '', 'aborted')
    const pieces = this.#cut(rest)
    const piece = pieces[0]?.text ?? ''
    const more = pieces.length > 1
    if (this.#open === undefined) {
      if (piece === '') return this.#ending === undefined ? this.#idle() : this.#close('', 'finished')
      await this.#openMessage(piece)
      // While it was opened there may have been more text, or the end: look again.
      return 'next'
    }
    const open = this.#open
    if (more) {
      const end = pieces[0]?.end ?? rest.length
      // With the row of the next message, so that a text that is not whole always has an open one that recovery finds.
      const next = this.#nextRow(rest.slice(end), this.#parts + 1)
      await this.#finishMessage(open, piece, 'continued', this.#intend(next))
      this.#base += end
      return 'next'
    }
    if (this.#ending === 'finish') return this.#close(piece, 'finished')
    if (open.shown !== piece && piece !== '') {
      await bounded(() => open.stream.update(piece))
      open.shown = piece
      this.#nextAt = this.#room.clock.now() + this.#minIntervalMs
      await this.#checkpoint(open)
    }
    return 'next'
  }

  async #idle(): Promise<'next'> {
    await this.#news()
    return 'next'
  }

  #piece(): string {
    return this.#wanted.slice(this.#base)
  }

  #cut(text: string): readonly TextPart[] {
    const limits = this.#room.adapter(this.scope.bot_uuid)?.capabilities.limits
    if (limits === undefined || limits.maxText === null)
      return text.trim() === '' ? [] : [{ text, start: 0, end: text.length }]
    return cutText(text, { max: limits.maxText, measure: measureOf(limits) })
  }

  #news(): Promise<void> {
    const wanted = this.#wanted
    return new Promise((resolve) => {
      this.#wake = resolve
      if (this.#ending !== undefined || this.#wanted !== wanted || this.#room.stopping.aborted) resolve()
    })
  }

  /** Opening waits for its turn in the chat's lane, so that it comes after what was said before. */
  async #openMessage(text: string): Promise<void> {
    const row = this.#pending ?? this.#firstRow
    const place = this.#place ?? this.#room.lanes.reserve(row.target_key)
    this.#place = undefined
    const opened = await new Promise<Opened>((resolve, reject) => {
      place.fill(() => this.#opened(row, text).then(resolve, reject))
    })
    this.#pending = undefined
    this.#parts++
    this.#firstMessageId ??= opened.message_id
    this.#open = { row, stream: opened.stream, message_id: opened.message_id, shown: text }
    this.#nextAt = this.#room.clock.now() + this.#minIntervalMs
    // The platform's id of each message is noted at once: without it a restart can't finish it.
    this.#checkpointAt = 0
    await this.#checkpoint(this.#open)
  }

  /** The lane's job. */
  async #opened(row: sql.PartRow, text: string): Promise<Opened> {
    if (this.#room.adapter(row.bot_uuid) === undefined) await this.#mark(row, true)
    const adapter = await adapterOf(this.#room, row)
    const open = adapter?.openStream
    if (open === undefined) throw new AdapterError('unavailable', 'the bot is down or can no longer stream')
    await this.#mark(row, false)
    return bounded((signal) => open(outgoing(row), text, signal))
  }

  async #mark({ part_id }: sql.PartRow, untried: boolean): Promise<void> {
    if (this.#untried === untried) return
    const reason = untried ? sql.NOT_OPENED : null
    await this.#write(sql.markOpening({ part_id, reason, now: this.#room.clock.now() }))
    this.#untried = untried
  }

  /** The next message, for the unit that closes the one before. */
  #intend(next: sql.PartRow): readonly Statement[] {
    const { part_id } = next
    this.#pending = next
    this.#untried = true
    return [sql.insertPart(next), sql.markOpening({ part_id, reason: sql.NOT_OPENED, now: this.#room.clock.now() })]
  }

  #nextRow(text: string, part: number): sql.PartRow {
    return newPart(this.#room, this.scope, {
      delivery_id: this.delivery_id,
      part,
      parts: part,
      chain: plain(text),
      quote: null,
      state: 'streaming',
      stream_id: this.stream_id,
    })
  }

  /** What the platform has, or is about to get, is written down however long it takes. */
  async #write(...statements: readonly Statement[]): Promise<void> {
    await writeDown(this.#room, this.delivery_id, statements)
  }

  async #checkpoint(open: Open): Promise<void> {
    const now = this.#room.clock.now()
    if (now < this.#checkpointAt) return
    this.#checkpointAt = now + CHECKPOINT_MS
    const { message_id, shown, row } = open
    const noted = sql.checkpoint({ part_id: row.part_id, chain: JSON.stringify(plain(shown)), message_id, now })
    // Only a note: a full disk does not end what people are reading.
    await this.#room.store.commit([noted]).catch((error: unknown) => {
      this.#room.logger.warn({ err: error, delivery_id: this.delivery_id }, 'A stream could not be noted down')
    })
  }

  async #finishMessage(open: Open, text: string, reason: string, more: readonly Statement[]): Promise<void> {
    const { part_id } = open.row
    const chain = JSON.stringify(plain(text))
    await this.#write(sql.markClosing({ part_id, chain, reason: sql.CLOSING, now: this.#room.clock.now() }))
    const sent = await bounded(() => (reason === 'aborted' ? open.stream.abort(text) : open.stream.finish(text)))
    open.shown = text
    this.#open = undefined
    const now = this.#room.clock.now()
    this.#nextAt = now + this.#minIntervalMs
    const message_id = sent.message_id ?? open.message_id
    const why = reason === 'finished' ? null : reason
    await this.#write(sql.markSent({ part_id, message_id, chain, reason: why, now }), ...more)
  }

  /** Ends the stream: the last message closed, history and timeline written in the same unit. */
  async #close(piece: string, reason: 'finished' | 'aborted'): Promise<'done'> {
    const text = this.#wanted.slice(0, this.#base) + piece
    const open = this.#open
    if (open !== undefined) {
      await this.#finishMessage(
        open,
        piece === '' ? open.shown : piece,
        reason,
        this.#said(text === '' ? open.shown : text, reason),
      )
    } else {
      const pending = this.#pending
      const empty = { state: 'discarded', reason: 'empty', error: null, now: this.#room.clock.now() } as const
      await this.#write(
        ...(pending === undefined ? [] : [sql.markEnded({ part_id: pending.part_id, ...empty })]),
        ...(this.#parts === 0 ? [] : this.#said(text, reason)),
      )
    }
    return 'done'
  }

  /** The platform closed the message: what it shows stays, the unsent rest goes into a new one. */
  async #closeLost(reason: string): Promise<void> {
    const open = this.#open
    if (open === undefined) {
      await this.#fail('failed', reason, 'the platform closed the stream before it showed anything')
      return
    }
    this.#open = undefined
    this.#base += open.shown.length
    const { row, shown, message_id } = open
    const now = this.#room.clock.now()
    const next = this.#nextRow(this.#piece(), this.#parts + 1)
    await this.#write(
      sql.markSent({ part_id: row.part_id, message_id, chain: JSON.stringify(plain(shown)), reason, now }),
      ...this.#intend(next),
    )
  }

  async #fail(kind: 'failed' | 'unknown', reason: string, error: string): Promise<void> {
    this.#failure = { status: kind, reason, error }
    const open = this.#open
    this.#open = undefined
    const shown = this.#wanted.slice(0, this.#base) + (open?.shown ?? '')
    const { event_id, workspace_uuid, processor_id } = this.scope
    const { part_id, delivery_id } = open?.row ?? this.#pending ?? this.#firstRow
    const now = this.#room.clock.now()
    const code = kind === 'failed' ? 'delivery_failed' : 'delivery_unknown'
    const about = { workspace_uuid, event_id: event_id ?? '', processor_id, step: 'delivery', code } as const
    await this.#write(
      sql.markEnded({ part_id, state: kind, reason, error, now }),
      ...(shown === '' ? [] : [...this.#said(shown, 'cut_off'), sql.markSaid({ delivery_id, now })]),
      ...(event_id === null ? [] : [this.#room.trail.entry({ ...about, message: error, details: { reason } })]),
    )
  }

  /** The host stops: the row stays `streaming`; the next start finishes the message. */
  #stopped(): 'done' {
    this.#failure = { status: 'queued', reason: 'shutting_down', error: 'the host is stopping' }
    return 'done'
  }

  #said(text: string, how: string): readonly Statement[] {
    const { scope, delivery_id } = this
    const chain = plain(text)
    const statements = [
      ...this.#room.needs.said({
        scope,
        delivery_id,
        text,
        chain,
        key: delivery_id,
        message_id: this.#firstMessageId,
        how: `stream:${how}`,
      }),
    ]
    if (scope.run_id !== null) {
      const data: JsonObject = {
        delivery_id,
        message_id: this.#firstMessageId,
        parts: this.#parts,
        how: `stream:${how}`,
      }
      statements.push(...this.#room.needs.ledger(scope.run_id, 'delivery.sent', data))
    }
    if (scope.event_id !== null && how === 'finished') {
      statements.push(
        this.#room.trail.entry({
          workspace_uuid: scope.workspace_uuid,
          event_id: scope.event_id,
          processor_id: scope.processor_id,
          step: 'delivery',
          code: 'delivered',
          message: 'The answer was delivered as a stream.',
          details: { delivery_id },
        }),
      )
    }
    return statements
  }

  #result(): StreamResult {
    const { workspace_uuid, run_id, conversation_key } = this.scope
    this.#room.signals.view({
      kind: 'delivery',
      workspace_uuid,
      run_id,
      conversation_key,
      data: {
        delivery_id: this.delivery_id,
        stream_id: this.stream_id,
        status: this.#failure?.status ?? (this.#ending === 'abort' ? 'aborted' : 'sent'),
        event_id: this.scope.event_id,
        reason: this.#failure?.reason ?? null,
        since: this.#firstRow.created_at,
      },
    })
    if (this.#failure !== undefined && this.#ending !== 'abort') throw failed(this.#failure)
    return {
      stream_id: this.stream_id,
      status: this.#ending === 'abort' ? 'cancelled' : 'completed',
      delivery: 'streaming',
      mock: false,
      text: this.#wanted,
      message_id: this.#firstMessageId,
      delivery_id: this.delivery_id,
    }
  }
}

const plain = (text: string): MessageChain => [{ type: 'Plain', text }]

function failed(failure: { readonly reason: string; readonly error: string }): WireError {
  if (failure.reason === 'shutting_down')
    return new WireError('shutting_down', 'The host is stopping; the message is finished after its restart.')
  return new WireError('delivery_failed', `The platform did not take the reply: ${failure.error}`, {
    details: { kind: failure.reason },
  })
}
