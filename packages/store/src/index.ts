/** The store: units in, rows out. */
export { sql } from 'kysely'
export { StoreError, type StoreErrorCode } from './error.ts'
export { grams, matchExpression } from './grams.ts'
export type { Tables } from './schema/index.ts'
export { prepareFolder } from './sqlite/folder.ts'
export { lookAt } from './sqlite/look.ts'
export { type Restored, restoreStore } from './sqlite/restore.ts'
export { openStore } from './sqlite/sqlite-store.ts'
export {
  type Bind,
  query,
  type Slots,
  type StatementOptions,
  sqlQuery,
  sqlStatement,
  statement,
} from './statement.ts'
export type {
  Builder,
  OpenOptions,
  Query,
  Row,
  SqlValue,
  Statement,
  StatementResult,
  Store,
  StoreFacts,
  Unit,
} from './types.ts'
