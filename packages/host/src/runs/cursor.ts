/** Cursors of run pages: opaque windows, as those of history: the page they came from, older before it, newer after it. */
import { hash } from 'node:crypto'
import { WireError } from '@runbound/protocol'

/** First and last position of a page, both included. */
export interface Window {
  readonly low: number
  readonly high: number
}

const SHAPE = /^([A-Za-z0-9_-]{8})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/

/** A cursor carries no right: a page never leaves its scope, the tag only tells an honest mistake from a position. */
export function writeCursor(method: string, scope: string, { low, high }: Window): string {
  return `${tagOf(method, scope)}.${low.toString(36)}.${high.toString(36)}`
}

/** Throws `invalid_cursor` for one that was not made by this method for this scope. */
export function readCursor(method: string, scope: string, cursor: string): Window {
  const parts = SHAPE.exec(cursor)
  const low = Number.parseInt(parts?.[2] ?? '', 36)
  const high = Number.parseInt(parts?.[3] ?? '', 36)
  if (parts?.[1] === tagOf(method, scope) && low <= high && Number.isSafeInteger(high)) return { low, high }
  const shown = cursor.length > 40 ? `${cursor.slice(0, 40)}…` : cursor
  const hint = 'Pass next_cursor or prev_cursor of a page of the same call, or null to start'
  throw new WireError('invalid_cursor', `"${shown}" is no cursor of this ${method}. ${hint}.`)
}

function tagOf(method: string, scope: string): string {
  return hash('sha256', `${method}\n${scope}`, 'base64url').slice(0, 8)
}
