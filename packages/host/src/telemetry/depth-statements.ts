/** How much waits, counted when somebody looks: over the indexes of open rows, never over a whole table. */
import { query } from '@runbound/store'

/** Rows of the mailbox that are not done, by state. */
export const mailboxDepth = query((db) =>
  db
    .selectFrom('mailbox')
    .select(['state', db.fn.countAll<number>().as('count')])
    .where('state', '<>', 'done')
    .groupBy('state'),
)

/** Parts of answers that are not over, by state. */
export const outboxDepth = query((db) =>
  db
    .selectFrom('outbox')
    .select(['state', db.fn.countAll<number>().as('count')])
    .where('state', 'in', ['streaming', 'queued', 'sending', 'unknown', 'held'])
    .groupBy('state'),
)
