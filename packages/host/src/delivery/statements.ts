/** The statements and queries of the outbox; no other file of the host writes it. */
import { query, type Slots, sql, statement } from '@runbound/store'

/** One message that a platform gets: a row of the outbox. */
export interface PartRow {
  readonly part_id: string
  readonly delivery_id: string
  readonly workspace_uuid: string
  readonly bot_uuid: string
  readonly run_id: string | null
  readonly event_id: string | null
  readonly processor_id: string | null
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly target: string
  readonly target_key: string
  readonly part: number
  /** 0: not yet split, because the bot was down when it was queued. */
  readonly parts: number
  readonly chain: string
  readonly quote_message_id: string | null
  readonly stream_id: string | null
  readonly state: PartState
  readonly due_at: number
  readonly owner: string | null
  readonly created_at: number
}
export type PartState = 'streaming' | 'queued' | 'sending' | 'sent' | 'unknown' | 'failed' | 'held' | 'discarded'

const COLUMNS = [
  'part_id', 'delivery_id', 'workspace_uuid', 'bot_uuid', 'run_id', 'event_id', 'processor_id', 'conversation_id', 'conversation_key',
  'target', 'target_key', 'part', 'parts', 'chain', 'quote_message_id', 'stream_id', 'state', 'due_at', 'owner', 'created_at',
] as const // biome-ignore format: one table, read as one

function values(p: Slots<{ [K in keyof PartRow]: PartRow[K] }>) {
  return {
    part_id: p('part_id'),
    delivery_id: p('delivery_id'),
    workspace_uuid: p('workspace_uuid'),
    bot_uuid: p('bot_uuid'),
    run_id: p('run_id'),
    event_id: p('event_id'),
    processor_id: p('processor_id'),
    conversation_id: p('conversation_id'),
    conversation_key: p('conversation_key'),
    target: p('target'),
    target_key: p('target_key'),
    part: p('part'),
    parts: p('parts'),
    chain: p('chain'),
    quote_message_id: p('quote_message_id'),
    stream_id: p('stream_id'),
    state: p('state'),
    due_at: p('due_at'),
    owner: p('owner'),
    created_at: p('created_at'),
    updated_at: p('created_at'),
  }
}

export const insertPart = statement(
  (db, p: Slots<{ [K in keyof PartRow]: PartRow[K] }>) => db.insertInto('outbox').values(values(p)),
  { expect: 1 },
)
/** For sentences: a second one of the same key does nothing. */
export const insertPartOnce = statement((db, p: Slots<{ [K in keyof PartRow]: PartRow[K] }>) =>
  db
    .insertInto('outbox')
    .values(values(p))
    .onConflict((c) => c.column('part_id').doNothing()),
)

export const markSending = statement(
  (db, p: Slots<{ part_id: string; owner: string; now: number }>) =>
    db
      .updateTable('outbox')
      .set((e) => ({
        state: 'sending' as const,
        owner: p('owner'),
        attempts: e('attempts', '+', 1),
        updated_at: p('now'),
      }))
      .where('part_id', '=', p('part_id'))
      .where('state', 'in', ['queued', 'sending']),
  { expect: 1 },
)
export const markQueued = statement(
  (db, p: Slots<{ part_id: string; due_at: number; reason: string; error: string; now: number }>) =>
    db
      .updateTable('outbox')
      .set({ state: 'queued', due_at: p('due_at'), reason: p('reason'), error: p('error'), updated_at: p('now') })
      .where('part_id', '=', p('part_id'))
      .where('state', 'in', ['queued', 'sending']),
)
export const markSent = statement(
  (db, p: Slots<{ part_id: string; message_id: string | null; chain: string; reason: string | null; now: number }>) =>
    db
      .updateTable('outbox')
      .set({
        state: 'sent',
        message_id: p('message_id'),
        chain: p('chain'),
        reason: p('reason'),
        error: null,
        sent_at: p('now'),
        updated_at: p('now'),
      })
      .where('part_id', '=', p('part_id'))
      .where('state', 'in', ['sending', 'streaming', 'unknown']),
  { expect: 1 },
)
export const markEnded = statement(
  (
    db,
    p: Slots<{
      part_id: string
      state: 'failed' | 'unknown' | 'discarded'
      reason: string
      error: string | null
      now: number
    }>,
  ) =>
    db
      .updateTable('outbox')
      .set({ state: p('state'), reason: p('reason'), error: p('error'), updated_at: p('now') })
      .where('part_id', '=', p('part_id'))
      .where('state', 'in', ['queued', 'sending', 'streaming']),
)
/** A part that was under way when the host died, and of which nobody can say what became of it. */
export const markLeftUnknown = statement(
  (db, p: Slots<{ part_id: string; error: string; now: number }>) =>
    db
      .updateTable('outbox')
      .set({ state: 'unknown', reason: 'host_restarted', error: p('error'), updated_at: p('now') })
      .where('part_id', '=', p('part_id'))
      .where('state', 'in', ['sending', 'streaming']),
  { expect: 1 },
)
/** Reason of a sent part that stands in history, although its answer did not go out whole. */
export const SAID = 'said_in_part'
export const markSaid = statement((db, p: Slots<{ delivery_id: string; now: number }>) =>
  db
    .updateTable('outbox')
    .set({ reason: SAID, updated_at: p('now') })
    .where('delivery_id', '=', p('delivery_id'))
    .where('state', '=', 'sent'),
)
/** What stands behind a part that did not go out: `held` behind an unknown one, `discarded` behind a failed one. */
export const markRest = statement(
  (db, p: Slots<{ delivery_id: string; part: number; state: 'held' | 'discarded'; reason: string; now: number }>) =>
    db
      .updateTable('outbox')
      .set({ state: p('state'), reason: p('reason'), updated_at: p('now') })
      .where('delivery_id', '=', p('delivery_id'))
      .where('part', '>', p('part'))
      .where('state', '=', 'queued'),
)
/** A stream's checkpoint: what is shown, and under which id of the platform. */
export const checkpoint = statement(
  (db, p: Slots<{ part_id: string; chain: string; message_id: string | null; now: number }>) =>
    db
      .updateTable('outbox')
      .set({ chain: p('chain'), message_id: p('message_id'), updated_at: p('now') })
      .where('part_id', '=', p('part_id'))
      .where('state', '=', 'streaming'),
)
/** Reasons of a streaming row: its text is final, the platform may have it already. The second has the sentence in it. */
export const CLOSING = 'closing'
export const CLOSING_WITH_SENTENCE = 'closing_with_sentence'
/** Reason of a streaming row whose message still waits for its turn: the platform was never asked to open it. */
export const NOT_OPENED = 'not_opened'
/** Says whether the platform may have a stream's message: `reason` NOT_OPENED while it waits, null once it is opened. */
export const markOpening = statement((db, p: Slots<{ part_id: string; reason: string | null; now: number }>) =>
  db
    .updateTable('outbox')
    .set({ reason: p('reason'), updated_at: p('now') })
    .where('part_id', '=', p('part_id'))
    .where('state', '=', 'streaming'),
)
/** The intent to close a stream's message with this text; after a crash it is known what the platform was given. */
export const markClosing = statement((db, p: Slots<{ part_id: string; chain: string; reason: string; now: number }>) =>
  db
    .updateTable('outbox')
    .set({ chain: p('chain'), reason: p('reason'), updated_at: p('now') })
    .where('part_id', '=', p('part_id'))
    .where('state', '=', 'streaming'),
)
/** An answer is split: its row becomes its first part and keeps its key and its place in the order. */
export const becomeFirstPart = statement(
  (db, p: Slots<{ part_id: string; parts: number; chain: string; now: number }>) =>
    db
      .updateTable('outbox')
      .set({ parts: p('parts'), chain: p('chain'), updated_at: p('now') })
      .where('part_id', '=', p('part_id'))
      .where('state', '=', 'queued'),
  { expect: 1 },
)

/** What the partial index holds, word for word: otherwise the engine can't know that it fits, and reads the whole outbox. */
const OPEN = ['streaming', 'queued', 'sending', 'unknown', 'held'] as const

export const openParts = query((db) =>
  db
    .selectFrom('outbox')
    .select([...COLUMNS, 'message_id', 'reason'])
    .where('state', 'in', OPEN)
    .where('state', 'in', ['streaming', 'queued', 'sending'])
    // The parts of an answer stand where its first one does, also those that were split off later.
    .orderBy(sql`(select min(first.position) from outbox as first where first.delivery_id = outbox.delivery_id)`)
    .orderBy('position'),
)
export const partById = query((db, p: Slots<{ part_id: string }>) =>
  db.selectFrom('outbox').select(COLUMNS).where('part_id', '=', p('part_id')),
)
export const partsOf = query((db, p: Slots<{ delivery_id: string }>) =>
  db
    .selectFrom('outbox')
    .select([...COLUMNS, 'message_id', 'reason'])
    .where('delivery_id', '=', p('delivery_id'))
    .orderBy('part'),
)
export const release = statement((db, p: Slots<{ delivery_id: string; now: number }>) =>
  db
    .updateTable('outbox')
    .set({ state: 'queued', due_at: p('now'), reason: 'resent', updated_at: p('now') })
    .where('delivery_id', '=', p('delivery_id'))
    .where('state', 'in', ['unknown', 'held', 'failed', 'discarded']),
)
export const discardOf = statement((db, p: Slots<{ delivery_id: string; now: number }>) =>
  db
    .updateTable('outbox')
    .set({ state: 'discarded', reason: 'discarded', updated_at: p('now') })
    .where('delivery_id', '=', p('delivery_id'))
    .where('state', 'in', ['unknown', 'held', 'queued']),
)
/** Held parts and unknown ones that nobody decided on for a day. */
export const discardStale = statement((db, p: Slots<{ before: number; now: number }>) =>
  db
    .updateTable('outbox')
    .set({ state: 'discarded', reason: 'not_decided', updated_at: p('now') })
    .where('state', 'in', OPEN)
    .where('state', 'in', ['held', 'unknown'])
    .where('updated_at', '<', p('before')),
)

export const recentParts = query((db, p: Slots<{ workspace_uuid: string; limit: number }>) =>
  db
    .selectFrom('outbox')
    .select([
      'delivery_id',
      'part',
      'parts',
      'state',
      'bot_uuid',
      'run_id',
      'conversation_id',
      'chain',
      'reason',
      'error',
      'attempts',
      'created_at',
      'sent_at',
    ])
    .where('workspace_uuid', '=', p('workspace_uuid'))
    .orderBy('position', 'desc')
    .limit(p('limit')),
)
export const recentPartsIn = query(
  (db, p: Slots<{ workspace_uuid: string; states: readonly PartState[]; limit: number }>) =>
    db
      .selectFrom('outbox')
      .select([
        'delivery_id',
        'part',
        'parts',
        'state',
        'bot_uuid',
        'run_id',
        'conversation_id',
        'chain',
        'reason',
        'error',
        'attempts',
        'created_at',
        'sent_at',
      ])
      .where('workspace_uuid', '=', p('workspace_uuid'))
      .where('state', 'in', p.list('states'))
      .orderBy('position', 'desc')
      .limit(p('limit')),
)
