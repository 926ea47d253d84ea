/** Writes `schema.sql` anew: `node packages/store/src/dump-schema.ts`, after each change of the migrations. */
import { writeFileSync } from 'node:fs'
import { dumpSchema } from './sqlite/dump.ts'
import { shippedMigrations } from './sqlite/migration-files.ts'
import { openSqlite } from './sqlite/sqlite-store.ts'

const store = await openSqlite({ folder: ':memory:' }, shippedMigrations())
writeFileSync(new URL('../schema.sql', import.meta.url), dumpSchema(store.connection))
await store.close()
