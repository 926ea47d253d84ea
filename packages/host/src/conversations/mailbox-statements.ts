/** Statements and queries of the mailbox. A row goes `accepted -> admitted(kind) -> active -> done`; ids come from the caller. */
import { query, type Slots, sql, sqlStatement, statement } from '@runbound/store'

/** Comes back with the row's position, which is its place in the order for good. */
export const insertRow = statement(
  (
    db,
    p: Slots<{
      row_id: string
      workspace_uuid: string
      event_id: string
      bot_uuid: string | null
      processor_id: string
      lane: string
      conversation_key: string | null
      scope: 'chat' | 'member'
      gives_position: 0 | 1
      accepted_at: number
    }>,
  ) =>
    db
      .insertInto('mailbox')
      .values({
        row_id: p('row_id'),
        workspace_uuid: p('workspace_uuid'),
        event_id: p('event_id'),
        bot_uuid: p('bot_uuid'),
        processor_id: p('processor_id'),
        lane: p('lane'),
        conversation_key: p('conversation_key'),
        scope: p('scope'),
        gives_position: p('gives_position'),
        state: 'accepted',
        accepted_at: p('accepted_at'),
      })
      .returning('position'),
  { expect: 1 },
)

/** What the scheduler keeps of a row. */
const ROW_COLUMNS = [
  'position',
  'row_id',
  'workspace_uuid',
  'event_id',
  'bot_uuid',
  'processor_id',
  'lane',
  'conversation_key',
  'scope',
  'gives_position',
  'state',
  'kind',
  'due_at',
  'attempt',
  'run_id',
  'accepted_at',
] as const

/** Rows that wait, in order, above a position. */
export const waitingRows = query((db, p: Slots<{ after: number; limit: number }>) =>
  db
    .selectFrom('mailbox')
    .select(ROW_COLUMNS)
    .where('state', '<>', 'done')
    .where('state', 'in', ['accepted', 'admitted'])
    .where('position', '>', p('after'))
    .orderBy('position')
    .limit(p('limit')),
)

/** Rows that were being worked on when their host died. */
export const activeRows = query((db) =>
  db
    .selectFrom('mailbox')
    .select(ROW_COLUMNS)
    .where('state', '<>', 'done')
    .where('state', '=', 'active')
    .orderBy('position'),
)

export const rowState = query((db, p: Slots<{ row_id: string }>) =>
  db.selectFrom('mailbox').select(['state', 'kind', 'reason', 'attempt']).where('row_id', '=', p('row_id')),
)

/** What admission decided (tx 1b). Refused when the row does not wait any more. */
export const admitRow = statement(
  (
    db,
    p: Slots<{
      row_id: string
      kind: 'run' | 'command' | 'steer' | 'cancel'
      run_id: string | null
      now: number
    }>,
  ) =>
    db
      .updateTable('mailbox')
      .set({ state: 'admitted', kind: p('kind'), run_id: p('run_id'), due_at: null, admitted_at: p('now') })
      .where('row_id', '=', p('row_id'))
      .where('state', '=', 'accepted'),
  { expect: 1 },
)

/** Sets a row aside until a time (milliseconds). */
export const parkRow = statement(
  (db, p: Slots<{ row_id: string; due_at: number }>) =>
    db
      .updateTable('mailbox')
      .set({ due_at: p('due_at') })
      .where('row_id', '=', p('row_id'))
      .where('state', '=', 'accepted'),
  { expect: 1 },
)

/**
 * A row's turn starts (tx 2). An accepted row becomes admitted in the same step: where no rule had to decide, a transaction
 * of its own would keep nothing that this one does not.
 */
export const activateRow = sqlStatement(
  (p: Slots<{ row_id: string; kind: string; run_id: string | null; owner: string; epoch: number; now: number }>) => sql`
    update mailbox set state = 'active', kind = ${p('kind')}, run_id = ${p('run_id')}, owner = ${p('owner')},
      epoch = ${p('epoch')}, admitted_at = coalesce(admitted_at, ${p('now')}), due_at = null
    where row_id = ${p('row_id')} and state in ('accepted', 'admitted')`,
  { expect: 1 },
)

/** A turn has ended (tx 5). */
export const endTurn = statement((db, p: Slots<{ row_id: string; reason: string; now: number }>) =>
  db
    .updateTable('mailbox')
    .set({ state: 'done', reason: p('reason'), done_at: p('now') })
    .where('row_id', '=', p('row_id'))
    .where('state', '=', 'active'),
)

/** A row ends without a turn. Refused when it is done already, or active. */
export const dropRow = statement(
  (db, p: Slots<{ row_id: string; reason: string; now: number }>) =>
    db
      .updateTable('mailbox')
      .set({ state: 'done', reason: p('reason'), done_at: p('now'), due_at: null })
      .where('row_id', '=', p('row_id'))
      .where('state', 'in', ['accepted', 'admitted']),
  { expect: 1 },
)

/** A row of a dead host ends. Refused when it is not active. */
export const interruptRow = statement(
  (db, p: Slots<{ row_id: string; reason: string; now: number }>) =>
    db
      .updateTable('mailbox')
      .set({ state: 'done', reason: p('reason'), done_at: p('now') })
      .where('row_id', '=', p('row_id'))
      .where('state', '=', 'active'),
  { expect: 1 },
)

/** A row of a dead host is run again, at its old place. Refused when it is not active. */
export const queueAgain = statement(
  (db, p: Slots<{ row_id: string; attempt: number }>) =>
    db
      .updateTable('mailbox')
      .set({ state: 'admitted', kind: 'run', run_id: null, owner: null, attempt: p('attempt') })
      .where('row_id', '=', p('row_id'))
      .where('state', '=', 'active'),
  { expect: 1 },
)

/** Steering that a run never pulled goes back to its old place. */
export const releaseSteering = statement((db, p: Slots<{ run_id: string }>) =>
  db
    .updateTable('mailbox')
    .set({ state: 'accepted', kind: null, run_id: null, admitted_at: null })
    .where('run_id', '=', p('run_id'))
    .where('kind', '=', 'steer')
    .where('state', '=', 'admitted'),
)

/** The same for every run at once: after a start no former run pulls any more. */
export const releaseAllSteering = statement((db) =>
  db
    .updateTable('mailbox')
    .set({ state: 'accepted', kind: null, run_id: null, admitted_at: null })
    .where('kind', '=', 'steer')
    .where('state', '=', 'admitted'),
)

/** A batch in order, for retention. */
export const rowsInOrder = query((db, p: Slots<{ after: number; limit: number }>) =>
  db
    .selectFrom('mailbox')
    .select(['position', 'row_id', 'state', 'done_at'])
    .where('position', '>', p('after'))
    .orderBy('position')
    .limit(p('limit')),
)

export const deleteDoneRows = statement((db, p: Slots<{ row_ids: readonly string[] }>) =>
  db.deleteFrom('mailbox').where('row_id', 'in', p.list('row_ids')).where('state', '=', 'done'),
)
