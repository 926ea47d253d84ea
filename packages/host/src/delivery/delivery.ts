/** The way from a reply to the platform. Intent first (outbox), then the platform, then history; see DESIGN §4. */
import { type AdapterInstance, isBlank, splitChain } from '@runbound/platform-kit'
import { type MessageChain, WireError } from '@runbound/protocol'
import { type Statement, StoreError } from '@runbound/store'
import { timeId } from '../time-id.ts'
import { Answer } from './answer.ts'
import { sentBefore } from './earlier.ts'
import { Lanes } from './lanes.ts'
import { recoverOutbox } from './recovery.ts'
import { chainOf, newPart, type Room, scopeOf, targetKey } from './room.ts'
import { sentence } from './sentence.ts'
import * as sql from './statements.ts'
import { Streams, within } from './streams.ts'
import type { Delivery, DeliveryResult, OutboxItem, ReplyRequest } from './types.ts'

/** Parts that nobody decided on are given up after a day; looked at once an hour. */
const STALE_MS = 24 * 3_600_000
const SWEEP_MS = 3_600_000

export type DeliveryOptions = Omit<Room, 'lanes' | 'stopping'>

export function createDelivery(options: DeliveryOptions): Delivery {
  const stop = new AbortController()
  const lanes = new Lanes()
  const room: Room = { ...options, lanes, stopping: stop.signal }
  let sweep: NodeJS.Timeout | undefined

  async function reply(request: ReplyRequest): Promise<DeliveryResult> {
    const { scope, chain } = request
    if (isBlank(chain))
      throw new WireError(
        'invalid_params',
        'The message is empty: it has no text, image or file that a platform could show.',
      )
    if (scope.debug) return simulate(request)
    const adapter = room.adapter(scope.bot_uuid)
    const canQuote = adapter?.capabilities.quote ?? true
    const quote = request.quote_origin && canQuote ? scope.origin_message_id : null
    const answer = await intend(request, adapter, quote)
    const delivery_id = answer.delivery_id
    const result = await within(answer.done, request.waitMs, {
      status: 'queued',
      delivery_id,
      message_id: null,
      parts: answer.parts,
    })
    return request.quote_origin ? { ...result, quoted: quote !== null } : result
  }

  /** The answer in the outbox and in its place. The place is taken first: what comes in the same tick stands behind it. */
  async function intend(
    request: ReplyRequest,
    adapter: AdapterInstance | undefined,
    quote: string | null,
  ): Promise<Answer> {
    const { scope, chain } = request
    const place = lanes.reserve(targetKey(scope.bot_uuid, scope.target))
    try {
      const chains = adapter === undefined ? [chain] : splitChain(chain, adapter.capabilities.limits)
      const rows = rowsOf(request, chains, adapter !== undefined, quote, place.next)
      const answer = new Answer(room, scope, rows, request.how === undefined ? {} : { how: request.how })
      const statements = rows.map((row) => sql.insertPart(row))
      await (request.commit ?? ((unit) => room.store.commit(unit)))(statements)
      place.fill(() => answer.run())
      return answer
    } catch (error) {
      place.fill(null)
      throw error
    }
  }

  function rowsOf(
    request: ReplyRequest,
    chains: readonly MessageChain[],
    split: boolean,
    quote: string | null,
    next: boolean,
  ): sql.PartRow[] {
    const delivery_id = timeId(room.clock.now())
    return chains.map((chain, index) =>
      newPart(room, request.scope, {
        delivery_id,
        part: index + 1,
        parts: split ? chains.length : 0,
        chain,
        quote: index === 0 ? quote : null,
        // Straight to `sending` where the platform is called next anyway: one unit less for each message.
        state: index === 0 && split && next ? 'sending' : 'queued',
      }),
    )
  }

  /** A debug run: the intent is an effect of the run and stands in its history, but no adapter is called. */
  async function simulate(request: ReplyRequest): Promise<DeliveryResult> {
    const delivery_id = timeId(room.clock.now())
    const { scope, chain } = request
    const text = chain
      .map((component) => (component.type === 'Plain' ? component.text : `[${component.type}]`))
      .join('')
    const entry = { scope, delivery_id, key: delivery_id, text, chain, message_id: null, how: 'simulated' }
    const said = room.needs.said(entry)
    const ledger =
      scope.run_id === null ? [] : room.needs.ledger(scope.run_id, 'delivery.simulated', { delivery_id, text })
    await (request.commit ?? ((unit) => room.store.commit(unit)))([...said, ...ledger])
    return {
      status: 'simulated',
      delivery_id,
      message_id: `simulated-${delivery_id}`,
      parts: 1,
      ...(request.quote_origin ? { quoted: scope.origin_message_id !== null } : {}),
    }
  }

  const streams = new Streams(room, reply)

  return {
    reply,
    stream: (request) => streams.handle(request),
    endRun: (runId) => streams.endRun(runId),

    sentence: (scope, text, once) => sentence(room, scope, text, once),
    recover: () => recoverOutbox(room),
    start() {
      lanes.start()
      sweep = setInterval(() => {
        const now = room.clock.now()
        room.store
          .commit([sql.discardStale({ before: now - STALE_MS, now })])
          .catch((error: unknown) =>
            room.logger.warn({ err: error }, 'Old undecided deliveries could not be discarded'),
          )
      }, SWEEP_MS).unref()
    },
    async drain() {
      clearInterval(sweep)
      stop.abort(new Error('the host stops'))
      await lanes.drained()
    },

    async list(request) {
      const { workspace_uuid, states, limit } = request
      const rows = await room.store.all(
        states === null
          ? sql.recentParts({ workspace_uuid, limit })
          : sql.recentPartsIn({ workspace_uuid, states: states as readonly sql.PartState[], limit }),
      )
      return rows.map(
        ({ chain, ...row }): OutboxItem => ({
          ...row,
          text: chainOf({ chain })
            .map((c) => (c.type === 'Plain' ? c.text : `[${c.type}]`))
            .join(''),
        }),
      )
    },
    async resend(deliveryId) {
      await decided(deliveryId, sql.release({ delivery_id: deliveryId, now: room.clock.now() }))
      const rows = (await room.store.all(sql.partsOf({ delivery_id: deliveryId }))).filter(
        (row) => row.state === 'queued',
      )
      const first = rows[0]
      if (first === undefined) return
      const answer = new Answer(room, scopeOf(first), rows, { how: 'resent', earlier: await sentBefore(room, first) })
      lanes.add(first.target_key, () => answer.run())
    },
    async discard(deliveryId) {
      await decided(deliveryId, sql.discardOf({ delivery_id: deliveryId, now: room.clock.now() }))
    },
  }

  async function decided(deliveryId: string, statement: Statement): Promise<void> {
    const [result] = await room.store.commit([statement]).catch((error: unknown) => {
      if (StoreError.is(error))
        throw new WireError('storage_full', `The decision could not be stored: ${error.message}`, { cause: error })
      throw error
    })
    if (result === undefined || result.changes === 0) {
      throw new WireError('conflict', `Delivery ${deliveryId} has no part that waits for a decision.`)
    }
  }
}
