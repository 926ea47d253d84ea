/** What events/ forgets: dedupe keys after a week, events and trails after a month. In small units, found on the reader. */
import { query, type Slots, type Store, statement } from '@runbound/store'
import type { Clock } from '../clock.ts'
import { createSweeper, type Sweeper, sweepInOrder } from '../conversations/sweeper.ts'
import type { Logger } from '../logger.ts'

const BATCH = 500

/** Oldest first, by the index on their age. */
const oldKeys = query((db, p: Slots<{ before: number; limit: number }>) =>
  db
    .selectFrom('event_keys')
    .select(['bot_uuid', 'dedupe_key'])
    .where('created_at', '<', p('before'))
    .orderBy('created_at')
    .limit(p('limit')),
)
/** The age is asked for again: the key may have been claimed anew meanwhile. */
const deleteKey = statement((db, p: Slots<{ bot_uuid: string; dedupe_key: string; before: number }>) =>
  db
    .deleteFrom('event_keys')
    .where('bot_uuid', '=', p('bot_uuid'))
    .where('dedupe_key', '=', p('dedupe_key'))
    .where('created_at', '<', p('before')),
)

/** Events that no turn waits for any more. */
const oldEvents = query((db, p: Slots<{ before: number; limit: number }>) =>
  db
    .selectFrom('events')
    .select('event_id')
    .where('created_at', '<', p('before'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mailbox')
            .select('row_id')
            .whereRef('mailbox.event_id', '=', 'events.event_id')
            .where('mailbox.state', '<>', 'done'),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(p('limit')),
)
const deleteEvents = statement((db, p: Slots<{ event_ids: readonly string[] }>) =>
  db.deleteFrom('events').where('event_id', 'in', p.list('event_ids')),
)

const trailInOrder = query((db, p: Slots<{ after: number; limit: number }>) =>
  db.selectFrom('trail').select(['id as position', 'at']).where('id', '>', p('after')).orderBy('id').limit(p('limit')),
)
const deleteTrail = statement((db, p: Slots<{ ids: readonly number[] }>) =>
  db.deleteFrom('trail').where('id', 'in', p.list('ids')),
)

export interface RetentionOptions {
  /** Milliseconds. Keys may outlive their events: a late redelivery is still known. */
  readonly keysKeptMs: number
  readonly eventsKeptMs: number
}

/** Makes the sweeper; the host starts and stops it. */
export function eventSweeper(
  parts: { readonly store: Store; readonly clock: Clock; readonly logger: Logger },
  options: RetentionOptions,
): Sweeper {
  const { store, clock, logger } = parts
  return createSweeper('events', logger, async (signal) => {
    await sweepKeys(store, clock.now() - options.keysKeptMs, signal)
    await sweepEvents(store, clock.now() - options.eventsKeptMs, signal)
  })
}

async function sweepKeys(store: Store, before: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const keys = await store.slow(oldKeys({ before, limit: BATCH }))
    if (keys.length > 0) await store.commit(keys.map((key) => deleteKey({ ...key, before })))
    if (keys.length < BATCH) return
  }
}

async function sweepEvents(store: Store, before: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const events = await store.slow(oldEvents({ before, limit: BATCH }))
    if (events.length > 0) await store.commit([deleteEvents({ event_ids: events.map(({ event_id }) => event_id) })])
    if (events.length < BATCH) break
  }
  await sweepInOrder(
    (after) => store.slow(trailInOrder({ after, limit: BATCH })),
    (entry) => entry.at < before,
    (entries) => store.commit([deleteTrail({ ids: entries.map(({ position }) => position) })]),
    signal,
  )
}
