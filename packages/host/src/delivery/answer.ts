/** One answer on its way: its parts go out one after another, and its end is written together with history and ledger. */
import { chainSummary, splitChain } from '@runbound/platform-kit'
import type { MessageChain } from '@runbound/protocol'
import type { Statement } from '@runbound/store'
import type { TrailCode } from '../trail/codes.ts'
import { bounded, type Failure, failureOf } from './call-adapter.ts'
import { type Earlier, historyKey, NOTHING_EARLIER } from './earlier.ts'
import { adapterOf, chainOf, newPart, outgoing, pause, type Room } from './room.ts'
import * as sql from './statements.ts'
import type { DeliveryResult, DeliveryScope } from './types.ts'
import { writeDown } from './write-down.ts'

/** Keys of the host's own sentences (`Delivery.sentence`), by run, row or lane. */
const OWN_SENTENCE = /^(sentence|busy):/

type PartOutcome =
  | { readonly kind: 'sent'; readonly message_id: string | null }
  | Exclude<Failure, { kind: 'retry' | 'lost' }>
  | { readonly kind: 'stopped' }

export interface AnswerOptions {
  /** What history says of it; default `message`. */
  readonly how?: 'message' | 'buffered' | 'sentence' | 'resent' | 'after_restart'
  /** Parts of the same answer that went out in an earlier life of it: they belong to what was said. */
  readonly earlier?: Earlier
  /** The platform has proved that the first row arrived: it is not sent again. */
  readonly proved?: { readonly message_id: string | null }
}

export class Answer {
  readonly delivery_id: string
  readonly scope: DeliveryScope
  readonly done: Promise<DeliveryResult>
  #room: Room
  #rows: sql.PartRow[]
  #chains: MessageChain[]
  #sent: MessageChain[]
  #resolve: (result: DeliveryResult) => void = () => undefined
  #how: NonNullable<AnswerOptions['how']>
  #firstMessageId: string | null
  #proved: AnswerOptions['proved']

  constructor(
    room: Room,
    scope: DeliveryScope,
    rows: readonly sql.PartRow[],
    { how = 'message', earlier = NOTHING_EARLIER, proved }: AnswerOptions = {},
  ) {
    this.#room = room
    this.scope = scope
    this.#rows = [...rows]
    this.#chains = rows.map(chainOf)
    this.delivery_id = rows[0]?.delivery_id ?? ''
    this.#how = how
    this.#sent = [...earlier.chains]
    this.#firstMessageId = earlier.message_id
    this.#proved = proved
    this.done = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  /** How many messages it is, as far as that is known. */
  get parts(): number {
    return this.#rows.length
  }

  /** The lane's job. Never rejects. */
  async run(): Promise<void> {
    try {
      await this.#send()
    } catch (error) {
      this.#room.logger.error({ err: error, delivery_id: this.delivery_id }, 'An answer could not be worked on')
      this.#end('failed', null, { reason: 'internal', error: 'a fault of the host; its log has the cause' })
    }
  }

  async #send(): Promise<void> {
    if (this.#rows[0]?.parts === 0 && !(await this.#split())) return
    for (let index = 0; index < this.#rows.length; index++) {
      const row = this.#rows[index]
      const chain = this.#chains[index]
      if (row === undefined || chain === undefined) break
      const proved = index === 0 ? this.#proved : undefined
      const outcome = proved === undefined ? await this.#sendPart(row, chain) : { kind: 'sent' as const, ...proved }
      if (outcome.kind === 'stopped') return this.#end('queued', null)
      if (outcome.kind !== 'sent') return this.#failed(row, outcome)
      this.#firstMessageId ??= outcome.message_id
      this.#sent.push(chain)
      const last = index === this.#rows.length - 1
      await this.#write([
        sql.markSent({
          part_id: row.part_id,
          message_id: outcome.message_id,
          chain: row.chain,
          reason: proved === undefined ? null : 'proved_after_restart',
          now: this.#room.clock.now(),
        }),
        ...(last ? this.#said('delivered') : []),
      ])
    }
    this.#end('sent', this.#firstMessageId)
  }

  /** An answer that was queued while its bot was down is split once the bot says what it takes. */
  async #split(): Promise<boolean> {
    const first = this.#rows[0]
    if (first === undefined) return false
    const adapter = await adapterOf(this.#room, first)
    if (adapter === undefined) {
      this.#end('queued', null)
      return false
    }
    const chains = splitChain(chainOf(first), adapter.capabilities.limits)
    const rows = chains.map((chain, index) => ({
      ...newPart(this.#room, this.scope, {
        delivery_id: first.delivery_id,
        part: index + 1,
        parts: chains.length,
        chain,
        quote: index === 0 ? first.quote_message_id : null,
        state: 'queued',
      }),
      // The first part keeps its key: a sentence is recognised by it, and platforms may know it.
      ...(index === 0 ? { part_id: first.part_id, created_at: first.created_at } : {}),
    }))
    const { part_id } = first
    const chain = rows[0]?.chain ?? first.chain
    const done = await this.#write([
      sql.becomeFirstPart({ part_id, parts: chains.length, chain, now: this.#room.clock.now() }),
      ...rows.slice(1).map((row) => sql.insertPart(row)),
    ])
    if (!done) {
      this.#end('failed', null, { reason: 'discarded', error: 'it was discarded before it was sent' })
      return false
    }
    this.#rows = rows
    this.#chains = chains
    return true
  }

  async #sendPart(row: sql.PartRow, chain: MessageChain): Promise<PartOutcome> {
    let state = row.state
    if (state === 'sending' && this.#room.adapter(row.bot_uuid) === undefined) {
      // Its bot went down before anything was tried: waiting as `sending`, a kill would make it unknown.
      await this.#queueAgain(row, 0, 'bot_down', 'the bot is down')
      state = 'queued'
    }
    for (let attempt = 0; ; attempt++) {
      const adapter = await adapterOf(this.#room, row)
      if (adapter === undefined) {
        return this.#room.stopping.aborted
          ? { kind: 'stopped' }
          : { kind: 'failed', reason: 'too_old', error: 'the bot was down for a day' }
      }
      if (state !== 'sending') {
        const taken = await this.#write([
          sql.markSending({ part_id: row.part_id, owner: this.#room.owner, now: this.#room.clock.now() }),
        ])
        if (!taken) return { kind: 'failed', reason: 'discarded', error: 'it was discarded before it was sent' }
      }
      state = 'sending'
      try {
        const sent = await bounded((signal) => adapter.send({ ...outgoing(row), chain }, signal))
        return { kind: 'sent', message_id: sent.message_id }
      } catch (error) {
        const failure = failureOf(error, attempt)
        if (failure.kind === 'lost') return { kind: 'unknown', reason: failure.reason, error: failure.error }
        if (failure.kind !== 'retry') return failure
        await this.#queueAgain(row, failure.afterMs, failure.reason, failure.error)
        state = 'queued'
        if (!(await pause(this.#room, failure.afterMs))) return { kind: 'stopped' }
      }
    }
  }

  async #queueAgain(row: sql.PartRow, afterMs: number, reason: string, error: string): Promise<void> {
    const now = this.#room.clock.now()
    await this.#write([sql.markQueued({ part_id: row.part_id, due_at: now + afterMs, reason, error, now })])
  }

  async #failed(row: sql.PartRow, outcome: Exclude<PartOutcome, { kind: 'sent' | 'stopped' }>): Promise<void> {
    const now = this.#room.clock.now()
    const unknown = outcome.kind === 'unknown'
    await this.#write([
      sql.markEnded({
        part_id: row.part_id,
        state: unknown ? 'unknown' : 'failed',
        reason: outcome.reason,
        error: outcome.error,
        now,
      }),
      sql.markRest({
        delivery_id: row.delivery_id,
        part: row.part,
        state: unknown ? 'held' : 'discarded',
        reason: unknown ? 'behind_unknown' : 'behind_failed',
        now,
      }),
      ...(this.#sent.length > 0
        ? [...this.#said('delivered_in_part'), sql.markSaid({ delivery_id: row.delivery_id, now })]
        : []),
      ...this.#note(unknown ? 'delivery_unknown' : 'delivery_failed', outcome.error, {
        reason: outcome.reason,
        part: row.part,
        parts: row.parts,
      }),
    ])
    this.#end(unknown ? 'unknown' : 'failed', null, outcome)
  }

  /** History and timeline of what really went out. */
  #said(code: 'delivered' | 'delivered_in_part'): Statement[] {
    const chain = this.#sent.flat()
    const text = chainSummary(chain)
    const { scope, delivery_id } = this
    const message_id = this.#firstMessageId
    const how = this.#how
    const key = historyKey(delivery_id, how)
    const statements = [...this.#room.needs.said({ scope, delivery_id, key, text, chain, message_id, how })]
    if (scope.run_id !== null) {
      statements.push(
        ...this.#room.needs.ledger(scope.run_id, 'delivery.sent', {
          delivery_id,
          message_id,
          parts: this.#sent.length,
          how,
        }),
      )
    }
    if (code === 'delivered') statements.push(...this.#delivered(delivery_id))
    return statements
  }

  /** What the host itself said (a failure, a full backlog) is no answer to the event. */
  #delivered(delivery_id: string): Statement[] {
    const details = { delivery_id, parts: this.#sent.length }
    return OWN_SENTENCE.test(delivery_id)
      ? this.#note('sentence_delivered', 'The chat user was told by a sentence of the host.', details)
      : this.#note('delivered', 'The answer was delivered.', details)
  }

  #note(code: TrailCode, message: string, details: Record<string, unknown>): Statement[] {
    const { event_id, workspace_uuid, processor_id } = this.scope
    if (event_id === null) return []
    return [
      this.#room.trail.entry({ workspace_uuid, event_id, processor_id, step: 'delivery', code, message, details }),
    ]
  }

  /** False: the row is no longer ours to send (discarded meanwhile). */
  #write(statements: readonly Statement[]): Promise<boolean> {
    return writeDown(this.#room, this.delivery_id, statements)
  }

  #end(
    status: DeliveryResult['status'],
    message_id: string | null,
    failure?: { readonly reason: string; readonly error: string },
  ): void {
    const { delivery_id, scope } = this
    this.#room.signals.view({
      kind: 'delivery',
      workspace_uuid: scope.workspace_uuid,
      run_id: scope.run_id,
      conversation_key: scope.conversation_key,
      data: {
        delivery_id,
        status,
        event_id: scope.event_id,
        reason: failure?.reason ?? null,
        since: this.#rows[0]?.created_at,
      },
    })
    this.#resolve({
      status,
      delivery_id,
      message_id,
      parts: this.#rows.length,
      ...(failure === undefined ? {} : { reason: failure.reason, error: failure.error }),
    })
  }
}
