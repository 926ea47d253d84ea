/** Where the entries of a run's timeline stand: one light line for each, of every table that tells of the run. */
import { type Slots, sql, sqlQuery } from '@runbound/store'

/** Tables in the order in which entries of one millisecond are shown. */
export const ORIGINS = ['event', 'mailbox', 'trail', 'run', 'ledger', 'trace', 'outbox'] as const
export type Origin = (typeof ORIGINS)[number]

export interface Key {
  /** Milliseconds. */
  readonly at: number
  /** Place in {@link ORIGINS}. */
  readonly rank: number
  /** Sequence, id or position within its table. */
  readonly pos: number
  /** Ledger type, method, trail step: what the lane is told by. */
  readonly kind: string
  /** Target of a call. */
  readonly target: string | null
}

/** Positions between which keys are read, for each of {@link ORIGINS}; both ends are excluded. */
export interface Bounds {
  readonly above: readonly number[]
  readonly below: readonly number[]
}

interface KeySlots {
  readonly run_id: string
  /** JSON lists of seven. */
  readonly above: string
  readonly below: string
  readonly limit: number
}

const inBounds = (p: Slots<KeySlots>, rank: number, pos: string) => sql`
  ${sql.raw(pos)} > json_extract(${p('above')}, ${sql.raw(`'$[${rank}]'`)})
  and ${sql.raw(pos)} < json_extract(${p('below')}, ${sql.raw(`'$[${rank}]'`)})`

/**
 * The next keys of each table, in its own order: an index gives them, however long the run is. Entries of the trail that a
 * ledger entry or an outbox row shows as well are left out, and those of other processors.
 */
const keysOf = (way: '' | 'desc') =>
  sqlQuery(
    (p: Slots<KeySlots>) => sql<Key>`
  select e.created_at as at, 0 as rank, 0 as pos, e.event_type as kind, null as target
    from runs r join events e on e.event_id = r.event_id where r.run_id = ${p('run_id')} and ${inBounds(p, 0, '0')}
  union all
  select m.accepted_at, 1, 0, 'mailbox', null
    from runs r join mailbox m on m.row_id = r.row_id where r.run_id = ${p('run_id')} and ${inBounds(p, 1, '0')}
  union all
  select * from (select t.at, 2, t.id, t.step, null from runs r join trail t on t.event_id = r.event_id
    where r.run_id = ${p('run_id')} and (t.processor_id is null or t.processor_id = r.processor_id)
      and t.code not in ('accepted', 'run_completed', 'run_failed', 'run_cancelled', 'run_timeout', 'delivered',
        'sentence_delivered', 'simulated', 'delivery_failed', 'delivery_unknown', 'delivery_held', 'delivery_discarded')
      and ${inBounds(p, 2, 't.id')} order by t.id ${sql.raw(way)} limit ${p('limit')})
  union all
  select r.created_at, 3, 0, 'grant', null from runs r where r.run_id = ${p('run_id')} and ${inBounds(p, 3, '0')}
  union all
  select * from (select l.created_at, 4, l.sequence, l.type, null from run_events l where l.run_id = ${p('run_id')}
    and (l.type <> 'delivery.sent'
      or not exists (select 1 from outbox o where o.delivery_id = l.data ->> 'delivery_id' and +o.run_id = l.run_id))
    and ${inBounds(p, 4, 'l.sequence')} order by l.sequence ${sql.raw(way)} limit ${p('limit')})
  union all
  select * from (select c.at, 5, c.id, c.method, c.target from run_trace c where c.run_id = ${p('run_id')}
    and ${inBounds(p, 5, 'c.id')} order by c.id ${sql.raw(way)} limit ${p('limit')})
  union all
  select * from (select o.created_at, 6, o.position, 'outbox', null from outbox o where o.run_id = ${p('run_id')}
    and ${inBounds(p, 6, 'o.position')} order by o.position ${sql.raw(way)} limit ${p('limit')})`,
  )

export const keysForward = keysOf('')
export const keysBackward = keysOf('desc')
