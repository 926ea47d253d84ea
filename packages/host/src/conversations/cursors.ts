/**
 * Cursors of pages: opaque windows. A cursor stands for the entries of the page it came from, so that "older" and "newer"
 * mean the same whichever of a page's two cursors is passed on.
 */
import { createHash } from 'node:crypto'
import { WireError } from '@runbound/protocol'

/** First and last position of a page, both included. */
export interface Window {
  readonly low: number
  readonly high: number
}

export interface Cursors {
  write(window: Window): string
  /** Throws WireError `invalid_cursor`: not made by this method for this scope. */
  read(cursor: string): Window
}

const SHAPE = /^([A-Za-z0-9_-]{8})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})$/

/**
 * Cursors of one method in one scope (`history` of a conversation). They carry no right: a page never leaves the scope that
 * the caller was given, so the tag only tells an honest mistake from a position.
 */
export function cursorsOf(method: string, scope: string): Cursors {
  const tag = createHash('sha256').update(`${method}\n${scope}`).digest('base64url').slice(0, 8)
  return {
    write: ({ low, high }) => `${tag}.${low.toString(36)}.${high.toString(36)}`,
    read(cursor) {
      const parts = SHAPE.exec(cursor)
      const low = Number.parseInt(parts?.[2] ?? '', 36)
      const high = Number.parseInt(parts?.[3] ?? '', 36)
      if (parts?.[1] !== tag || !(low <= high) || !Number.isSafeInteger(high)) throw invalidCursor(method, cursor)
      return { low, high }
    },
  }
}

function invalidCursor(method: string, cursor: string): WireError {
  const shown = cursor.length > 40 ? `${cursor.slice(0, 40)}...` : cursor
  return new WireError(
    'invalid_cursor',
    `"${shown}" is no cursor of this ${method}. Pass prev_cursor or next_cursor of a page of the same conversation, or null to start.`,
  )
}
