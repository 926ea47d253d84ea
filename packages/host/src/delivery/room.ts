/** What every file of delivery/ works with: the room's surroundings, and how a row and its scope become each other. */
import type { AdapterInstance, OutgoingMessage, ReplyTarget } from '@runbound/platform-kit'
import type { MessageChain } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Signals } from '../signals.ts'
import { timeId } from '../time-id.ts'
import type { Trail } from '../trail/types.ts'
import type { Lanes } from './lanes.ts'
import type { PartRow, PartState } from './statements.ts'
import type { DeliveryNeeds, DeliveryScope } from './types.ts'

export interface Room {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly signals: Signals
  readonly trail: Trail
  readonly needs: DeliveryNeeds
  readonly lanes: Lanes
  /** The running adapter of a bot; undefined while it is down. */
  readonly adapter: (botUuid: string) => AdapterInstance | undefined
  /** This start of the host. */
  readonly owner: string
  /** Aborts when the host stops: waits end, rows stay queued for the next start. */
  readonly stopping: AbortSignal
}

/** How long one call of an adapter may take before its outcome counts as unknown. */
export const SEND_MS = 30_000
/** How often a lane looks whether its bot is up again. */
export const DOWN_MS = 250
/** An answer older than this is not sent any more. */
export const MAX_AGE_MS = 24 * 3_600_000

export const targetKey = (botUuid: string, target: ReplyTarget): string =>
  `${botUuid}|${target.target_type}|${target.target_id}|${target.thread_id ?? ''}`

/** A new row of an answer. `parts` 0: to be split when the bot is up. */
export function newPart(
  room: Room,
  scope: DeliveryScope,
  fields: {
    delivery_id: string
    part: number
    parts: number
    chain: MessageChain
    quote: string | null
    state: PartState
    stream_id?: string
    part_id?: string
  },
): PartRow {
  const now = room.clock.now()
  return {
    part_id: fields.part_id ?? timeId(now),
    delivery_id: fields.delivery_id,
    workspace_uuid: scope.workspace_uuid,
    bot_uuid: scope.bot_uuid,
    run_id: scope.run_id,
    event_id: scope.event_id,
    processor_id: scope.processor_id,
    conversation_id: scope.conversation_id,
    conversation_key: scope.conversation_key,
    target: JSON.stringify(scope.target),
    target_key: targetKey(scope.bot_uuid, scope.target),
    part: fields.part,
    parts: fields.parts,
    chain: JSON.stringify(fields.chain, bigintAsText),
    quote_message_id: fields.quote,
    stream_id: fields.stream_id ?? null,
    state: fields.state,
    due_at: now,
    owner: fields.state === 'queued' ? null : room.owner,
    created_at: now,
  }
}

/** Ids beyond 2^53 are only for the platform's own lookup: as text they stay exact in the stored chain. */
function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}

export const chainOf = (row: Pick<PartRow, 'chain'>): MessageChain => JSON.parse(row.chain) as MessageChain

/** The scope of a row that an earlier process wrote. */
export function scopeOf(row: PartRow): DeliveryScope {
  const target = JSON.parse(row.target) as ReplyTarget
  return {
    workspace_uuid: row.workspace_uuid,
    bot_uuid: row.bot_uuid,
    target,
    run_id: row.run_id,
    event_id: row.event_id,
    processor_id: row.processor_id,
    conversation_id: row.conversation_id,
    conversation_key: row.conversation_key,
    thread_id: target.thread_id ?? null,
    origin_message_id: target.message_id ?? null,
    message_event: row.stream_id !== null,
    debug: false,
  }
}

export function outgoing(row: PartRow): Omit<OutgoingMessage, 'chain'> {
  return {
    target: JSON.parse(row.target) as ReplyTarget,
    quote_message_id: row.quote_message_id,
    delivery_key: row.part_id,
    conversation_id: row.conversation_id,
    run_id: row.run_id,
    part: row.part,
    parts: Math.max(row.parts, row.part),
  }
}

/** Waits, or returns early (false) when the host stops. */
export function pause(room: Room, ms: number): Promise<boolean> {
  if (room.stopping.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      resolve(false)
    }
    const timer = setTimeout(() => {
      room.stopping.removeEventListener('abort', stop)
      resolve(true)
    }, ms)
    room.stopping.addEventListener('abort', stop, { once: true })
  })
}

/** The adapter once it is up; undefined when the host stops or the answer has become too old. */
export async function adapterOf(
  room: Room,
  row: Pick<PartRow, 'bot_uuid' | 'created_at'>,
): Promise<AdapterInstance | undefined> {
  for (;;) {
    const adapter = room.adapter(row.bot_uuid)
    if (adapter !== undefined || room.clock.now() - row.created_at > MAX_AGE_MS) return adapter
    if (!(await pause(room, DOWN_MS))) return undefined
  }
}
