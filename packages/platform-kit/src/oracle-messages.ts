/** What the oracle and its clients say to each other: one JSON object a line. */
import type { Json, JsonObject } from '@runbound/protocol'
import type { Accepted, AdapterCapabilities, IncomingEvent, OutgoingMessage, ReplyTarget } from './adapter.ts'
import { AdapterError, type AdapterErrorKind } from './errors.ts'
import type { Outcome, ScriptedMethod } from './outcome.ts'
import type { Said, ShownMessage } from './scripted-bot.ts'

/** Calls with what goes in and comes out. Those of an adapter are answered once the oracle's log is on disk. */
export interface OracleCalls {
  start: { in: null; out: null }
  stop: { in: null; out: null }
  send: { in: OutgoingMessage; out: { message_id: string | null } }
  open_stream: { in: { message: Omit<OutgoingMessage, 'chain'>; text: string }; out: { message_id: string | null } }
  edit_stream: {
    in: { message_id: string; operation: 'update' | 'finish' | 'abort'; text: string }
    out: { message_id: string | null }
  }
  resume_stream: { in: { message: Omit<OutgoingMessage, 'chain'>; message_id: string | null }; out: { open: boolean } }
  outcome: {
    in: { delivery_key: string }
    out: { status: 'sent'; message_id: string | null } | { status: 'not_sent' } | { status: 'unknown' }
  }
  api: { in: { action: string; params: JsonObject }; out: Json }
  typing: { in: ReplyTarget; out: null }
  /** Of a test: resolves once a host has accepted or for good refused the event, however often it is delivered. */
  emit: { in: { bot_uuid: string; incoming: IncomingEvent }; out: Accepted }
  say: { in: { bot_uuid: string; text: string; said: Said }; out: Accepted }
  script: { in: { bot_uuid: string; method: ScriptedMethod; outcomes: readonly Outcome[] }; out: null }
  lose_streams: { in: { bot_uuid: string }; out: null }
  state: { in: { bot_uuid: string }; out: OracleState }
  /** The bot starts from nothing: no chats, no script, nothing undelivered. Its lines in the log stay. */
  forget: { in: { bot_uuid: string }; out: null }
}
export type OracleCall = keyof OracleCalls

export interface OracleState {
  readonly running: boolean
  readonly messages: readonly ShownMessage[]
  readonly violations: readonly string[]
  /** Events that no host has accepted yet. */
  readonly undelivered: number
}

/** A line of the oracle's log, in the order in which things became true. `at` in epoch milliseconds. */
export interface OracleEntry {
  readonly n: number
  readonly at: number
  readonly bot_uuid: string
  /** `delivered` is each handing over to a host; `accepted` its confirmation. */
  readonly what:
    | 'connected'
    | 'disconnected'
    | 'emitted'
    | 'delivered'
    | 'accepted'
    | 'sent'
    | 'stream.opened'
    | 'stream.updated'
    | 'stream.finished'
    | 'stream.aborted'
    | 'api'
  readonly dedupe_key?: string | null
  readonly answer?: Accepted
  readonly message?: ShownMessage
  readonly action?: string
  readonly params?: JsonObject
}

export interface Failure {
  /** Null for anything but an AdapterError. */
  readonly kind: AdapterErrorKind | null
  readonly message: string
  readonly retry_after_ms: number | null
}

export type FromClient =
  /** First of all: which bot this connection serves, or none for a test. */
  | { readonly hello: { readonly bot_uuid: string; readonly capabilities: AdapterCapabilities } | null }
  | { readonly id: number; readonly call: OracleCall; readonly in: unknown }
  | { readonly cancel: number }
  /** What the host said to an event; null: it failed to say anything. */
  | { readonly receipt: number; readonly answer: Accepted | null }

export type FromOracle =
  | { readonly id: number; readonly out: unknown }
  | { readonly id: number; readonly failure: Failure }
  | { readonly event: number; readonly incoming: IncomingEvent }

export function failureOf(error: unknown): Failure {
  if (AdapterError.is(error)) return { kind: error.kind, message: error.message, retry_after_ms: error.retryAfterMs }
  return { kind: null, message: error instanceof Error ? error.message : String(error), retry_after_ms: null }
}

export function errorOf(failure: Failure): Error {
  if (failure.kind === null) return new Error(failure.message)
  return new AdapterError(
    failure.kind,
    failure.message,
    failure.retry_after_ms === null ? {} : { retryAfterMs: failure.retry_after_ms },
  )
}

/** Handlers of calls by name. */
export type Handlers<C extends OracleCall> = { readonly [K in C]: (input: OracleCalls[K]['in']) => unknown }

/** Calls the handler of this name. The line was written by our own client, so its shape is taken as it is. */
export async function dispatch(
  handlers: Partial<Handlers<OracleCall>>,
  name: OracleCall,
  input: unknown,
): Promise<unknown> {
  const handler = handlers[name]
  if (handler === undefined) throw new Error(`${name} is no call of this connection.`)
  return handler(input as never)
}
