/** One answer on its way: its parts go out one after another, and its end is written together with history and ledger. */
import { chainSummary, splitChain } from '@runbound/platform-kit'
import type { MessageChain } from '@runbound/protocol'
import { type Statement, StoreError } from '@runbound/store'
import type { TrailCode } from '../trail/codes.ts'
import { bounded, type Failure, failureOf } from './call-adapter.ts'
import { adapterOf, chainOf, newPart, outgoing, pause, type Room } from './room.ts'
import * as sql from './statements.ts'
import type { DeliveryResult, DeliveryScope } from './types.ts'

/** Pauses between tries to write down what the platform already has. */
const WRITE_RETRY_MS = 1_000
/** Keys of the host's own sentences (`Delivery.sentence`), by run, row or lane. */
const OWN_SENTENCE = /^(sentence|busy):/

type PartOutcome =
  | { readonly kind: 'sent'; readonly message_id: string | null }
  | Exclude<Failure, { kind: 'retry' | 'lost' }>
  | { readonly kind: 'stopped' }

export class Answer {
  readonly delivery_id: string
  readonly scope: DeliveryScope
  readonly done: Promise<DeliveryResult>
  #room: Room
  #rows: sql.PartRow[]
  #chains: MessageChain[]
  #sent: MessageChain[] = []
  #resolve: (result: DeliveryResult) => void = () => undefined
  #how: string

  constructor(room: Room, scope: DeliveryScope, rows: readonly sql.PartRow[], how = 'message') {
    this.#room = room
    this.scope = scope
    this.#rows = [...rows]
    this.#chains = rows.map(chainOf)
    this.delivery_id = rows[0]?.delivery_id ?? ''
    this.#how = how
    this.done = new Promise((resolve) => {
      this.#resolve = resolve
    })
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
    let message_id: string | null = null
    for (let index = 0; index < this.#rows.length; index++) {
      const row = this.#rows[index]
      const chain = this.#chains[index]
      if (row === undefined || chain === undefined) break
      const outcome = await this.#sendPart(row, chain)
      if (outcome.kind === 'stopped') return this.#end('queued', null)
      if (outcome.kind !== 'sent') return this.#failed(row, outcome)
      message_id ??= outcome.message_id
      this.#sent.push(chain)
      const last = index === this.#rows.length - 1
      await this.#write([
        sql.markSent({
          part_id: row.part_id,
          message_id: outcome.message_id,
          chain: row.chain,
          reason: null,
          now: this.#room.clock.now(),
        }),
        ...(last ? this.#said(message_id, 'delivered') : []),
      ])
    }
    this.#end('sent', message_id)
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
    const done = await this.#commit([
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
    for (let attempt = 0; ; attempt++) {
      const adapter = await adapterOf(this.#room, row)
      if (adapter === undefined) {
        return this.#room.stopping.aborted
          ? { kind: 'stopped' }
          : { kind: 'failed', reason: 'too_old', error: 'the bot was down for a day' }
      }
      if (state !== 'sending') {
        const taken = await this.#commit([
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
        const now = this.#room.clock.now()
        await this.#commit([
          sql.markQueued({
            part_id: row.part_id,
            due_at: now + failure.afterMs,
            reason: failure.reason,
            error: failure.error,
            now,
          }),
        ])
        state = 'queued'
        if (!(await pause(this.#room, failure.afterMs))) return { kind: 'stopped' }
      }
    }
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
      ...(this.#sent.length > 0 ? this.#said(null, 'delivered_in_part') : []),
      ...this.#note(unknown ? 'delivery_unknown' : 'delivery_failed', outcome.error, {
        reason: outcome.reason,
        part: row.part,
        parts: row.parts,
      }),
    ])
    this.#end(unknown ? 'unknown' : 'failed', null, outcome)
  }

  /** History and timeline of what really went out. */
  #said(message_id: string | null, code: 'delivered' | 'delivered_in_part'): Statement[] {
    const chain = this.#sent.flat()
    const text = chainSummary(chain)
    const { scope, delivery_id } = this
    const statements = [...this.#room.needs.said({ scope, delivery_id, text, chain, message_id, how: this.#how })]
    if (scope.run_id !== null) {
      statements.push(
        ...this.#room.needs.ledger(scope.run_id, 'delivery.sent', {
          delivery_id,
          message_id,
          parts: this.#sent.length,
          how: this.#how,
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
  async #commit(statements: readonly Statement[]): Promise<boolean> {
    for (;;) {
      try {
        await this.#room.store.commit(statements)
        return true
      } catch (error) {
        if (StoreError.is(error) && error.code === 'refused') return false
        if (!(await this.#again(error))) throw error
      }
    }
  }

  /** What the platform already has must be written down, however long the disk stays full. */
  async #write(statements: readonly Statement[]): Promise<void> {
    await this.#commit(statements)
  }

  async #again(error: unknown): Promise<boolean> {
    if (!StoreError.is(error) || error.code === 'closed' || error.code === 'invalid') return false
    this.#room.logger.error(
      { err: error, delivery_id: this.delivery_id },
      'The outbox could not be written; trying again',
    )
    return pause(this.#room, WRITE_RETRY_MS)
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
      data: { delivery_id, status },
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
