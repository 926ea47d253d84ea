/** Statements and queries over the tables of events/: events, event_keys, routes, subscriptions. */
import { query, type Slots, sql, sqlStatement, statement } from '@runbound/store'

export interface EventValues {
  readonly event_id: string
  readonly workspace_uuid: string
  readonly bot_uuid: string | null
  readonly event_type: string
  readonly event_time: number
  readonly source: string
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly thread_id: string | null
  readonly actor_type: string | null
  readonly actor_id: string | null
  readonly actor_name: string | null
  readonly subject_type: string | null
  readonly subject_id: string | null
  readonly message_id: string | null
  readonly input_summary: string
  readonly envelope: string
  readonly raw_ref: string | null
  readonly created_at: number
}

/** Refused when the id is taken. */
export const insertEvent = statement((db, p: Slots<EventValues>) =>
  db.insertInto('events').values({
    event_id: p('event_id'),
    workspace_uuid: p('workspace_uuid'),
    bot_uuid: p('bot_uuid'),
    event_type: p('event_type'),
    event_time: p('event_time'),
    source: p('source'),
    conversation_id: p('conversation_id'),
    conversation_key: p('conversation_key'),
    thread_id: p('thread_id'),
    actor_type: p('actor_type'),
    actor_id: p('actor_id'),
    actor_name: p('actor_name'),
    subject_type: p('subject_type'),
    subject_id: p('subject_id'),
    message_id: p('message_id'),
    input_summary: p('input_summary'),
    envelope: p('envelope'),
    raw_ref: p('raw_ref'),
    created_at: p('created_at'),
  }),
)

/** Claims a key; refused while an event of this bot holds it and is younger than `expired`. */
export const claimKey = sqlStatement(
  (p: Slots<{ bot_uuid: string; dedupe_key: string; event_id: string; now: number; expired: number }>) => sql`
    insert into event_keys (bot_uuid, dedupe_key, event_id, created_at)
    values (${p('bot_uuid')}, ${p('dedupe_key')}, ${p('event_id')}, ${p('now')})
    on conflict (bot_uuid, dedupe_key) do update set event_id = excluded.event_id, created_at = excluded.created_at
    where event_keys.created_at < ${p('expired')}`,
  { expect: 1 },
)

export const keyHolder = query((db, p: Slots<{ bot_uuid: string; dedupe_key: string }>) =>
  db
    .selectFrom('event_keys')
    .select('event_id')
    .where('bot_uuid', '=', p('bot_uuid'))
    .where('dedupe_key', '=', p('dedupe_key')),
)

export const envelopeOf = query((db, p: Slots<{ event_id: string }>) =>
  db.selectFrom('events').select('envelope').where('event_id', '=', p('event_id')),
)

const RECORD_COLUMNS = [
  'seq',
  'event_id',
  'event_type',
  'event_time',
  'source',
  'workspace_uuid',
  'bot_uuid',
  'conversation_id',
  'conversation_key',
  'thread_id',
  'actor_type',
  'actor_id',
  'actor_name',
  'subject_type',
  'subject_id',
  'input_summary',
  'raw_ref',
  'created_at',
  'envelope',
] as const

export const recordOf = query((db, p: Slots<{ event_id: string }>) =>
  db.selectFrom('events').select(RECORD_COLUMNS).where('event_id', '=', p('event_id')),
)

/** Events of a chat below a position, newest first. `types` empty: all; `member` null: of everybody. */
export const recordsBefore = query(
  (
    db,
    p: Slots<{
      conversation_key: string
      before: number
      types: readonly string[]
      all_types: 0 | 1
      member: string | null
      limit: number
    }>,
  ) =>
    db
      .selectFrom('events')
      .select(RECORD_COLUMNS)
      .where('conversation_key', '=', p('conversation_key'))
      .where('seq', '<', p('before'))
      .where(({ or, eb }) => or([eb(p('all_types'), '=', 1), eb('event_type', 'in', p.list('types'))]))
      .where(({ or, eb }) => or([eb(p('member'), 'is', null), eb('actor_id', '=', p('member'))]))
      .orderBy('seq', 'desc')
      .limit(p('limit')),
)

export const routesOf = query((db, p: Slots<{ bot_uuid: string }>) =>
  db.selectFrom('routes').selectAll().where('bot_uuid', '=', p('bot_uuid')).orderBy('position'),
)

export const removeRoutes = statement((db, p: Slots<{ bot_uuid: string }>) =>
  db.deleteFrom('routes').where('bot_uuid', '=', p('bot_uuid')),
)

export const insertRoute = statement(
  (
    db,
    p: Slots<{
      route_id: string
      workspace_uuid: string
      bot_uuid: string
      event_pattern: string
      filters: string
      target_type: 'agent' | 'pipeline' | 'discard'
      processor_id: string | null
      priority: number
      position: number
      scope: 'chat' | 'member'
      enabled: 0 | 1
      description: string
    }>,
  ) =>
    db.insertInto('routes').values({
      route_id: p('route_id'),
      workspace_uuid: p('workspace_uuid'),
      bot_uuid: p('bot_uuid'),
      event_pattern: p('event_pattern'),
      filters: p('filters'),
      target_type: p('target_type'),
      processor_id: p('processor_id'),
      priority: p('priority'),
      position: p('position'),
      scope: p('scope'),
      enabled: p('enabled'),
      description: p('description'),
    }),
)

export const subscriptionsOf = query((db, p: Slots<{ bot_uuid: string }>) =>
  db.selectFrom('subscriptions').selectAll().where('bot_uuid', '=', p('bot_uuid')).orderBy('processor_id'),
)

export const removeSubscriptions = statement((db, p: Slots<{ bot_uuid: string }>) =>
  db.deleteFrom('subscriptions').where('bot_uuid', '=', p('bot_uuid')),
)

export const insertSubscription = statement(
  (
    db,
    p: Slots<{
      bot_uuid: string
      processor_id: string
      workspace_uuid: string
      scope: 'chat' | 'member'
      enabled: 0 | 1
    }>,
  ) =>
    db.insertInto('subscriptions').values({
      bot_uuid: p('bot_uuid'),
      processor_id: p('processor_id'),
      workspace_uuid: p('workspace_uuid'),
      scope: p('scope'),
      enabled: p('enabled'),
    }),
)
