/** gateway/ is the one choke point: living invocations, grants, authorisation of every method and every result. It trusts no id from a payload. */
import type { IncomingRequest } from '@runbound/link'
import type { Effect, FormName, InstallationGrant, JsonObject, RunGrant, RunnerContext } from '@runbound/protocol'
import type { Statement, StatementResult } from '@runbound/store'

/** Who is on the other end of a link: from the connection, never from a payload. */
export interface Caller {
  readonly installation_uuid: string
  readonly plugin_id: string
  readonly workspace_uuid: string
  readonly source: 'package' | 'dev' | 'debug' | 'inline'
  readonly grant: InstallationGrant
}

/** A living invocation. Everything that hangs on it dies with it. */
export interface Invocation {
  readonly run_id: string
  readonly installation_uuid: string
  readonly workspace_uuid: string
  readonly grant: RunGrant
  /** The context as it was sent; handlers read targets from here, never from params. */
  readonly context: RunnerContext
  /** What the room that opened it keeps about it (runs' ActiveRun). */
  readonly owner: InvocationOwner
  readonly signal: AbortSignal
  /** Milliseconds; null: none. */
  readonly deadlineAt: number | null
}

/** What the gateway needs of the room that opened an invocation. */
export interface InvocationOwner {
  /**
   * Commits statements as part of the run: guarded by "still running, this epoch". Refused guard: WireError `run_ended`.
   * `effect`: also marks the run as having had an effect, in the same unit.
   */
  commit(statements: readonly Statement[], options: { readonly effect: boolean }): Promise<readonly StatementResult[]>
  /** Commits the mark alone, before something leaves the host. Cheap when already marked. */
  markEffect(): Promise<void>
  trace(entry: TraceEntry): void
}

export interface TraceEntry {
  readonly at: number
  readonly method: string
  readonly target: string | null
  readonly outcome: 'ok' | 'denied' | 'failed' | 'cancelled'
  readonly reason: string | null
  readonly micros: number
}

/** A call that passed every check; what a handler gets. */
export interface Call<F extends FormName = FormName> {
  readonly form: F
  readonly method: string
  readonly caller: Caller
  /** Aborts when the other side cancels, the link goes, the invocation closes or its deadline passes. */
  readonly signal: AbortSignal
  readonly effect: Effect
  /** Present in form `run`. */
  readonly invocation: F extends 'run' ? Invocation : undefined
  /** Writes with the right guard: of the run in form `run`; elsewhere also marks the installation's active runs. */
  commit(statements: readonly Statement[]): Promise<readonly StatementResult[]>
  /** Before anything leaves the host. */
  intend(): Promise<void>
}

export type Handler = (call: Call<never>, params: never) => JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>

/** Handlers of a method family: name -> form -> handler. Typed by `handlers()` in gateway/handlers.ts. */
export type HandlerTable = { readonly [method: string]: { readonly [F in FormName]?: Handler } }

export interface Gateway {
  /** Adds handlers. `seal()` fails when a record of the protocol has none, or a handler has no record. */
  register(table: HandlerTable): void
  seal(): void
  open(invocation: Invocation): void
  /** Nothing new enters; work in flight is aborted; resolves when handlers have let go (bounded by `graceMs`). */
  close(runId: string, why: 'ended' | 'cancelled' | 'deadline' | 'plugin_gone', graceMs?: number): Promise<void>
  living(runId: string): Invocation | undefined
  livingOf(installationUuid: string): readonly Invocation[]
  /** Every request of every plugin link comes here. */
  handle(caller: Caller, request: IncomingRequest): JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>
}
