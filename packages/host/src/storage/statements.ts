/** The statements and queries of state and binary_storage; no other file of the host writes them. */
import { query, type Slots, sql, sqlQuery, sqlStatement, statement } from '@runbound/store'

interface StateRow {
  scope_key: string
  key: string
  workspace_uuid: string
  scope: string
  processor_id: string
  object_id: string | null
  value: string
  bytes: number
  now: number
  max_keys: number
}

/** Changes no row when the scope is full and the key is new. `or` is looked at from the left: old keys count nothing. */
export const putState = sqlStatement(
  (p: Slots<StateRow>) => sql`
    insert into state (scope_key, key, workspace_uuid, scope, processor_id, object_id, value, bytes, updated_at)
    select ${p('scope_key')}, ${p('key')}, ${p('workspace_uuid')}, ${p('scope')}, ${p('processor_id')},
      ${p('object_id')}, ${p('value')}, ${p('bytes')}, ${p('now')}
    where exists (select 1 from state where scope_key = ${p('scope_key')} and key = ${p('key')})
      or (select count(*) from state where scope_key = ${p('scope_key')}) < ${p('max_keys')}
    on conflict (scope_key, key) do update set value = excluded.value, bytes = excluded.bytes,
      version = version + 1, expires_at = null, updated_at = excluded.updated_at`,
)

export const dropState = statement((db, p: Slots<{ scope_key: string; key: string }>) =>
  db.deleteFrom('state').where('scope_key', '=', p('scope_key')).where('key', '=', p('key')),
)

export const stateValue = query((db, p: Slots<{ scope_key: string; key: string; now: number }>) =>
  db
    .selectFrom('state')
    .select('value')
    .where('scope_key', '=', p('scope_key'))
    .where('key', '=', p('key'))
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', p('now'))])),
)

/** Keys that begin with the prefix, letter for letter: no pattern characters. The range is there for the index. */
export const stateKeys = sqlQuery(
  (p: Slots<{ scope_key: string; prefix: string; now: number; limit: number }>) => sql<{ key: string }>`
    select key from state
    where scope_key = ${p('scope_key')} and key >= ${p('prefix')}
      and substr(key, 1, length(${p('prefix')})) = ${p('prefix')}
      and (expires_at is null or expires_at > ${p('now')})
    order by key limit ${p('limit')}`,
)

/** Rows that one snapshot looks at, so that many tiny values can't cost more than a few large ones. */
export const SNAPSHOT_ROWS = 4_000

/** The limit is a constant: a bound one has SQLite plan the statement anew each time, which takes five times as long as to run it. */
export const stateOf = query((db, p: Slots<{ scope_keys: readonly string[]; now: number }>) =>
  db
    .selectFrom('state')
    .select(['scope', 'key', 'value', 'bytes'])
    .where('scope_key', 'in', p.list('scope_keys'))
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', p('now'))]))
    .orderBy('scope')
    .orderBy('key')
    .limit(SNAPSHOT_ROWS + 1),
)

interface BinaryRow {
  owner_key: string
  key: string
  workspace_uuid: string
  value: Uint8Array
  bytes: number
  now: number
  max_keys: number
  max_bytes: number
}

/** Changes no row when the owner has no room left. The sum comes from the index; no value is read for it. */
export const putBinary = sqlStatement(
  (p: Slots<BinaryRow>) => sql`
    insert into binary_storage (owner_key, key, workspace_uuid, value, bytes, updated_at)
    select ${p('owner_key')}, ${p('key')}, ${p('workspace_uuid')}, ${p('value')}, ${p('bytes')}, ${p('now')}
    from (
      select count(*) as others, coalesce(sum(bytes), 0) as used
      from binary_storage where owner_key = ${p('owner_key')} and key <> ${p('key')}
    )
    where others < ${p('max_keys')} and used + ${p('bytes')} <= ${p('max_bytes')}
    on conflict (owner_key, key) do update
      set value = excluded.value, bytes = excluded.bytes, updated_at = excluded.updated_at`,
)

export const dropBinary = statement((db, p: Slots<{ owner_key: string; key: string }>) =>
  db.deleteFrom('binary_storage').where('owner_key', '=', p('owner_key')).where('key', '=', p('key')),
)

export const dropOwner = statement((db, p: Slots<{ owner_key: string }>) =>
  db.deleteFrom('binary_storage').where('owner_key', '=', p('owner_key')),
)

export const binaryValue = query((db, p: Slots<{ owner_key: string; key: string }>) =>
  db.selectFrom('binary_storage').select('value').where('owner_key', '=', p('owner_key')).where('key', '=', p('key')),
)

export const binaryKeys = query((db, p: Slots<{ owner_key: string }>) =>
  db.selectFrom('binary_storage').select('key').where('owner_key', '=', p('owner_key')).orderBy('key'),
)
