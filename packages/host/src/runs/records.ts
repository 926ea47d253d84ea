/** Run records and ledger pages, as plugins, operators and views read them. */
import { parse } from '@runbound/link'
import type { AgentRun, AgentRunEvent, JsonObject, RunEventPage, RunPage } from '@runbound/protocol'
import { isJsonObject } from '@runbound/protocol/schemas'
import type { Store } from '@runbound/store'
import { seconds } from '../clock.ts'
import { readCursor, type Window, writeCursor } from './cursor.ts'
import * as sql from './queries.ts'
import type { RunEventsRequest, RunListRequest } from './types.ts'

const BELOW_ALL = 0
const ABOVE_ALL = Number.MAX_SAFE_INTEGER
/** `total_count` is a number on the wire; counting further would make the first page pay for all the others. */
const COUNTED = 10_000

/** The record of a row; times become whole seconds. */
export function recordOf(row: sql.RunRow): AgentRun {
  const { attempt, effect, event_type, processor_kind, reason_code } = row
  return {
    id: row.id,
    run_id: row.run_id,
    event_id: row.event_id,
    agent_id: row.processor_id,
    binding_id: row.binding_id,
    runner_id: row.runner_id,
    conversation_id: row.conversation_id,
    thread_id: row.thread_id,
    workspace_id: row.workspace_uuid,
    bot_id: row.bot_uuid,
    status: row.status,
    status_reason: row.status_reason,
    created_at: seconds(row.created_at),
    started_at: secondsOrNull(row.started_at),
    finished_at: secondsOrNull(row.finished_at),
    updated_at: seconds(row.updated_at),
    deadline_at: secondsOrNull(row.deadline_at),
    cancel_requested_at: secondsOrNull(row.cancel_requested_at),
    queue_name: null,
    priority: null,
    requested_runtime_id: null,
    claimed_by_runtime_id: null,
    claim_token: null,
    claim_lease_expires_at: null,
    dispatch_attempts: attempt,
    last_claimed_at: null,
    usage: objectOrNull(row.usage),
    cost: objectOrNull(row.cost),
    metadata: { ...objectOf(row.metadata), attempt, effect: effect === 1, event_type, processor_kind, reason_code },
  }
}

export async function findRun(store: Store, runId: string): Promise<sql.RunRow | undefined> {
  return store.first(sql.runById({ run_id: runId }))
}

export async function listRuns(store: Store, request: RunListRequest): Promise<RunPage> {
  const { workspace_uuid, conversation_key, processor_id, statuses, limit } = request
  const conversation_id = request.conversation_id ?? null
  const scope = [workspace_uuid, conversation_key ?? '', processor_id ?? '', conversation_id ?? ''].join('\n')
  const below = request.before_cursor === null ? ABOVE_ALL : readCursor('run_list', scope, request.before_cursor).low
  const filter = {
    workspace_uuid,
    conversation_key: conversation_key ?? '',
    processor_id: processor_id ?? null,
    conversation_id,
    statuses: statuses === null ? null : JSON.stringify(statuses),
  }
  const ofConversation = conversation_key != null
  const page = { ...filter, below, limit: limit + 1 }
  const all = { ...filter, below: ABOVE_ALL, limit: COUNTED }
  const [rows, total] = await Promise.all([
    store.all(ofConversation ? sql.runsOfConversation(page) : sql.runsOfWorkspace(page)),
    store.first(ofConversation ? sql.countOfConversation(all) : sql.countOfWorkspace(all)),
  ])
  const shown = rows.slice(0, limit)
  const window = windowOf(shown.map((row) => row.id))
  const cursor = window === null ? null : writeCursor('run_list', scope, window)
  const has_more = rows.length > limit
  return {
    items: shown.map(recordOf),
    next_cursor: has_more ? cursor : null,
    prev_cursor: cursor,
    has_more,
    total_count: total?.n ?? 0,
  }
}

export async function pageOfEvents(store: Store, request: RunEventsRequest): Promise<RunEventPage> {
  const { run_id, before_cursor, after_cursor, limit, direction } = request
  const filter = {
    run_id,
    above: after_cursor === null ? BELOW_ALL : readCursor('run_events_page', run_id, after_cursor).high,
    below: before_cursor === null ? ABOVE_ALL : readCursor('run_events_page', run_id, before_cursor).low,
    limit: limit + 1,
  }
  const rows = await store.all(direction === 'forward' ? sql.eventsForward(filter) : sql.eventsBackward(filter))
  const shown = rows.slice(0, limit)
  const window = windowOf(shown.map((row) => row.sequence))
  const cursor = window === null ? null : writeCursor('run_events_page', run_id, window)
  const has_more = rows.length > limit
  return {
    items: shown.map(
      (row): AgentRunEvent => ({
        id: null,
        run_id: row.run_id,
        sequence: row.sequence,
        type: row.type,
        data: objectOf(row.data),
        usage: objectOrNull(row.usage),
        created_at: seconds(row.created_at),
        source: row.source,
        metadata: objectOf(row.metadata),
      }),
    ),
    next_cursor: has_more ? cursor : null,
    prev_cursor: cursor,
    has_more,
    total_count: null,
  }
}

function windowOf(positions: readonly number[]): Window | null {
  if (positions.length === 0) return null
  return { low: Math.min(...positions), high: Math.max(...positions) }
}

function secondsOrNull(ms: number | null): number | null {
  return ms === null ? null : seconds(ms)
}

function objectOf(text: string): JsonObject {
  const value = parse(text)
  return isJsonObject(value) ? value : {}
}

function objectOrNull(text: string | null): JsonObject | null {
  return text === null ? null : objectOf(text)
}
