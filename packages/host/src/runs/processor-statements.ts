/** The statements and queries of processors; no other file of the host writes them. */
import { query, type Slots, sql, sqlStatement, statement } from '@runbound/store'

interface ProcessorRow {
  processor_id: string
  workspace_uuid: string
  kind: string
  name: string
  runner_id: string
  config: string
  grants: string
  options: string
  enabled: 0 | 1
  now: number
}

export const putProcessor = sqlStatement(
  (p: Slots<ProcessorRow>) => sql`
    insert into processors
      (processor_id, workspace_uuid, kind, name, runner_id, config, grants, options, enabled, created_at, updated_at)
    values (${p('processor_id')}, ${p('workspace_uuid')}, ${p('kind')}, ${p('name')}, ${p('runner_id')}, ${p('config')},
      ${p('grants')}, ${p('options')}, ${p('enabled')}, ${p('now')}, ${p('now')})
    on conflict (processor_id) do update set kind = excluded.kind, name = excluded.name, runner_id = excluded.runner_id,
      config = excluded.config, grants = excluded.grants, options = excluded.options, enabled = excluded.enabled,
      updated_at = excluded.updated_at
    where workspace_uuid = excluded.workspace_uuid`,
  { expect: 1 },
)

export const dropProcessor = statement((db, p: Slots<{ processor_id: string }>) =>
  db.deleteFrom('processors').where('processor_id', '=', p('processor_id')),
)

const COLUMNS = [
  'processor_id',
  'workspace_uuid',
  'kind',
  'name',
  'runner_id',
  'config',
  'grants',
  'options',
  'enabled',
] as const

export const processorById = query((db, p: Slots<{ processor_id: string }>) =>
  db.selectFrom('processors').select(COLUMNS).where('processor_id', '=', p('processor_id')),
)
export const processorsOf = query((db, p: Slots<{ workspace_uuid: string }>) =>
  db.selectFrom('processors').select(COLUMNS).where('workspace_uuid', '=', p('workspace_uuid')).orderBy('name'),
)
