/** Conversations as operators see them: all of a workspace, and all that was said, also before a conversation began anew. */
import { WireError } from '@runbound/protocol'
import type { Store } from '@runbound/store'
import * as sql from './chats-statements.ts'
import { cursorsOf } from './cursors.ts'
import type { Chat, ChatPage, ChatRequest, SaidPage, SaidRequest } from './types.ts'

const NEWEST = Number.MAX_SAFE_INTEGER
/** Chats that are looked at in one read of a search. */
const LOOK = 1_000
const CHATS_CURSOR = /^(\d{1,16})~(.*)$/s

/** The newest message first. WireError `invalid_cursor` for a cursor that is none of this list. */
export async function listChats(store: Store, request: ChatRequest): Promise<ChatPage> {
  const { workspace_uuid, bot_uuid, debug, limit } = request
  const before = request.before_cursor === null ? { at: NEWEST, key: '' } : readCursor(request.before_cursor)
  const filter = {
    workspace_uuid,
    bot_uuid,
    debug: debug === null ? null : debug ? 1 : 0,
    before_at: before.at,
    before_key: before.key,
    limit: limit + 1,
  }
  const part = folded(request.q ?? '').trim()
  const rows = await store.slow(
    part === '' ? sql.chatsByRecency(filter) : sql.chatsByKeys({ keys: await keysWith(store, filter, part) }),
  )
  const shown = rows.slice(0, limit)
  const has_more = rows.length > limit
  const last = shown.at(-1)
  return {
    items: await withActive(store, shown),
    next_cursor: has_more && last !== undefined ? writeCursor(last.last_at, last.conversation_key) : null,
    prev_cursor: null,
    has_more,
  }
}

/** Keys of the newest chats that show the text. The engine folds ASCII alone, so the words are compared here. */
async function keysWith(store: Store, filter: Parameters<typeof sql.chatWords>[0], part: string): Promise<string> {
  const keys: string[] = []
  let { before_at, before_key } = filter
  for (;;) {
    const rows = await store.slow(sql.chatWords({ ...filter, before_at, before_key, limit: LOOK }))
    for (const row of rows) {
      if (keys.length < filter.limit && shows(row, part)) keys.push(row.conversation_key)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < LOOK || keys.length === filter.limit) return JSON.stringify(keys)
    before_at = last.last_at
    before_key = last.conversation_key
  }
}

/** The name that is shown (title, person or id of the chat), and the ids behind it. */
function shows({ title, person, chat_id, conversation_id, member_id }: sql.ChatWords, part: string): boolean {
  return [title, person, chat_id, conversation_id, member_id].some((word) => folded(word ?? '').includes(part))
}

/** One folding for what is sought and for what is looked at: case of every script, composed and full-width forms. */
const folded = (words: string): string => words.normalize('NFKC').toLowerCase()

/** One conversation; undefined: nothing was said in it, or it is of another workspace. */
export async function findChat(store: Store, workspaceUuid: string, key: string): Promise<Chat | undefined> {
  const row = await store.first(sql.chatByKey({ conversation_key: key, workspace_uuid: workspaceUuid }))
  return row === undefined ? undefined : (await withActive(store, [row]))[0]
}

async function withActive(store: Store, rows: readonly Omit<sql.ChatRow, 'runs_active'>[]): Promise<Chat[]> {
  const keys = JSON.stringify(rows.map(({ conversation_key }) => conversation_key))
  const active = new Map((await store.all(sql.activeTurns({ keys }))).map((row) => [row.conversation_key, row.n]))
  return rows.map((row) => ({
    ...row,
    debug: row.conversation_key.slice(row.conversation_key.indexOf('/') + 1).startsWith('!'),
    runs_active: active.get(row.conversation_key) ?? 0,
  }))
}

/** What was said, newest or oldest first. Both cursors of a page stand for the page. WireError `invalid_cursor`. */
export async function pageOfSaid(store: Store, request: SaidRequest): Promise<SaidPage> {
  const { conversation_key, direction, limit } = request
  const cursors = cursorsOf('messages', conversation_key)
  const filter = {
    conversation_key,
    above: request.after_cursor === null ? 0 : cursors.read(request.after_cursor).high,
    below: request.before_cursor === null ? NEWEST : cursors.read(request.before_cursor).low,
    limit: limit + 1,
  }
  const rows = await store.all(direction === 'backward' ? sql.saidNewestFirst(filter) : sql.saidOldestFirst(filter))
  const shown = rows.slice(0, limit)
  const positions = shown.map(({ seq }) => seq)
  const cursor =
    positions.length === 0 ? null : cursors.write({ low: Math.min(...positions), high: Math.max(...positions) })
  const has_more = rows.length > limit
  return {
    items: shown.map(({ in_history, metadata, content_json, ...row }) => ({
      ...row,
      content_json: content_json === null ? null : JSON.parse(content_json),
      metadata: objectOf(metadata),
      in_history: in_history === 1,
    })),
    next_cursor: has_more ? cursor : null,
    prev_cursor: cursor,
    has_more,
  }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const writeCursor = (at: number, key: string): string => Buffer.from(`${at}~${key}`).toString('base64url')

/** Time and key of the last conversation of a page: of several in one millisecond none is left out. */
function readCursor(cursor: string): { readonly at: number; readonly key: string } {
  const parts = CHATS_CURSOR.exec(Buffer.from(cursor, 'base64url').toString())
  if (parts === null)
    throw new WireError(
      'invalid_cursor',
      'This is no cursor of the conversations. Pass next_cursor of a page, or none.',
    )
  return { at: Number(parts[1]), key: parts[2] ?? '' }
}
