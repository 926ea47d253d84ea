/** Turns errors of node:sqlite into StoreErrors: the one place that knows SQLite's result codes. */
import { StoreError, type StoreErrorCode } from '../error.ts'

/** https://sqlite.org/rescode.html; an extended code holds its primary code in the low byte. */
const PRIMARY: Readonly<Record<number, StoreErrorCode>> = {
  1: 'invalid', // ERROR: the SQL does not compile
  5: 'locked', // BUSY
  6: 'locked', // LOCKED
  13: 'full', // FULL
  18: 'refused', // TOOBIG
  19: 'refused', // CONSTRAINT
  20: 'refused', // MISMATCH
  25: 'invalid', // RANGE
}
const IOERR_SHMSIZE = 4874
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** SQLite's result code of an error, 0 if it has none. */
export function resultCode(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return 0
  return typeof error.errcode === 'number' ? error.errcode : 0
}

/** True for the error of node:sqlite that says an integer does not fit a JavaScript number. */
export function isOutOfRange(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

/** The StoreError for an engine error; `doing` says what was tried, without values. Passes StoreErrors through. */
export function storeError(error: unknown, doing: string, statement?: number): StoreError {
  if (StoreError.is(error)) return error
  const code = errorCode(error)
  const text = error instanceof Error ? error.message : String(error)
  const hint = hintFor(code, resultCode(error))
  return new StoreError(code, `${doing}: ${text}${hint}`, { statement, cause: error })
}

function errorCode(error: unknown): StoreErrorCode {
  const result = resultCode(error)
  // Growing the shared-memory file is the one write whose lack of room SQLite reports as an I/O error.
  if (result === IOERR_SHMSIZE) return 'full'
  const known = PRIMARY[result & 0xff]
  if (known !== undefined) return known
  // Errors of the binding itself: a value of the wrong kind, too many or too few.
  return result === 0 && error instanceof TypeError ? 'invalid' : 'failed'
}

function hintFor(code: StoreErrorCode, result: number): string {
  const primary = result & 0xff
  if (code === 'full') return '. Make room on the disk of the data folder; nothing that was confirmed is lost.'
  if (code === 'locked') return '. Another program holds the database: close it and try again.'
  if (primary === CORRUPT || primary === NOT_A_DATABASE) return '. The file is damaged: restore a backup.'
  return ''
}
