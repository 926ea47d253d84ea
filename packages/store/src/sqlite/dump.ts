/** The schema of a database as text: pinned in `schema.sql`, so that no change of it goes unseen. */
import type { Connection } from './connection.ts'

/** Every table and index in the order of their making; what SQLite and FTS keep for themselves is left out. */
export function dumpSchema(connection: Connection): string {
  const sql = `select sql from sqlite_schema
    where sql is not null and name not like 'sqlite\\_%' escape '\\'
      and name not in (select name from pragma_table_list where type = 'shadow')
    order by rowid`
  return connection
    .all({ sql, params: [] })
    .map((row) => `${row.sql};\n`)
    .join('\n')
}
