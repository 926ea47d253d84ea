/** gateway/ is the one choke point: living invocations, grants, authorisation of every method and every result. It trusts no id from a payload. */
import type { IncomingRequest } from '@runbound/link'
import type { ReplyTarget } from '@runbound/platform-kit'
import type {
  ActorContext,
  Denial,
  Effect,
  FormName,
  InstallationGrant,
  JsonObject,
  RunGrant,
  RunnerContext,
  SubjectContext,
} from '@runbound/protocol'
import type { Statement, StatementResult } from '@runbound/store'

/** Who is on the other end of a link: from the connection, never from a payload. */
export interface Caller {
  readonly installation_uuid: string
  readonly plugin_id: string
  readonly workspace_uuid: string
  readonly source: 'package' | 'dev' | 'debug' | 'inline'
  readonly grant: InstallationGrant
}

/** A tool as one run was given it. `fixed` is what the host fills in by itself; the caller can't name or change it. */
export interface GrantedTool {
  readonly name: string
  /** `platform`, `plugin`, `mcp`, ...; frozen, so that another tool of the same name is never called instead. */
  readonly type: string
  readonly source: string
  readonly description: string
  /** JSON Schema of the arguments that the caller gives. */
  readonly parameters: JsonObject
  readonly operations: readonly ('detail' | 'call')[]
  readonly effect: 'none' | 'host' | 'outside'
  /** The platform API behind it, and the target frozen from the event. Only of type `platform`. */
  readonly api?: string
  readonly fixed?: JsonObject
}

/** The grant as the host's rooms see it: the checks, and what was granted. */
export interface HostRunGrant extends RunGrant {
  granted(tool: string): GrantedTool | undefined
  /** The granted tool that a `call_platform_api` amounts to, or why there is none. */
  platformTool(call: Parameters<RunGrant['platform']>[0]): GrantedTool | Denial
  readonly tools: readonly GrantedTool[]
}

/** What handlers need to know about a run. From the event and the operator's settings, never from a payload. */
export interface RunFacts {
  readonly processor_id: string
  readonly processor_kind: 'agent' | 'plugin_processor' | 'pipeline'
  readonly event_id: string
  readonly event_type: string
  readonly bot_uuid: string | null
  readonly conversation_id: string | null
  readonly conversation_key: string | null
  readonly thread_id: string | null
  readonly reply_target: ReplyTarget | null
  /** The message that `quote_origin` quotes. */
  readonly message_id: string | null
  /** Of a friend request or group invitation. */
  readonly request_id: string | null
  readonly actor: ActorContext | null
  readonly subject: SubjectContext | null
  /** What `get_prompt` answers. */
  readonly prompt: readonly JsonObject[]
  /** Not null in a debug run: every platform call is simulated, with these samples instead of the built-in ones. */
  readonly simulate: Simulation | null
}

export interface Simulation {
  readonly results?: Readonly<Record<string, unknown>>
  readonly errors?: Readonly<Record<string, string>>
  readonly unsupported_apis?: readonly string[]
}

/** A living invocation. Everything that hangs on it dies with it. */
export interface Invocation {
  readonly run_id: string
  readonly installation_uuid: string
  readonly workspace_uuid: string
  readonly grant: HostRunGrant
  /** The context as it was sent. */
  readonly context: RunnerContext
  readonly facts: RunFacts
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

/** Told of each call when it is over; `invocation` where it named a run of its caller. Never throws, never waits. */
export type GatewayWatch = (entry: TraceEntry, invocation: Invocation | undefined) => void

/** A call that passed every check; what a handler gets. */
export interface Call<F extends FormName = FormName> {
  readonly form: F
  readonly method: string
  readonly caller: Caller
  /** Aborts when the other side cancels, the link goes, the invocation closes or its deadline passes. Made when first read. */
  readonly signal: AbortSignal
  /** How long the other side still waits for the answer, in milliseconds, less one second to get it there. */
  readonly patienceMs: number
  readonly effect: Effect
  /** Present in form `run`. */
  readonly invocation: F extends 'run' ? Invocation : undefined
  /** Writes with the right guard: of the run in form `run`; elsewhere also marks the installation's active runs. */
  commit(statements: readonly Statement[]): Promise<readonly StatementResult[]>
  /** Before anything leaves the host. */
  intend(): Promise<void>
}

export type Handler = (call: Call<never>, params: never) => JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>

/** A query that is being handled, and who was handed it last (pipelines/ opens them). */
export interface LivingQuery {
  readonly query_id: number
  readonly query_uuid: string | null
  readonly installation_uuid: string
  readonly workspace_uuid: string
}

/** Handlers of a method family: name -> form -> handler. Typed by `handlers()` in gateway/handlers.ts. */
export type HandlerTable = { readonly [method: string]: { readonly [F in FormName]?: Handler } }

export type CloseWhy = 'ended' | 'cancelled' | 'deadline' | 'plugin_gone'

export interface Gateway {
  /** Adds handlers. `seal()` fails when a record of the protocol has none, or a handler has no record. */
  register(table: HandlerTable): void
  seal(): void
  open(invocation: Invocation): void
  /**
   * Nothing new enters; work in flight is aborted; resolves when handlers have let go (bounded by `graceMs`, 2,000 by default).
   * `closer`: the call that ends the run is answered by its own handler and not waited for.
   */
  close(runId: string, why: CloseWhy, graceMs?: number, closer?: Call): Promise<void>
  living(runId: string): Invocation | undefined
  livingOf(installationUuid: string): readonly Invocation[]
  /** Hands a query to a plugin; the returned function takes it back. The last hand-over of a query decides. */
  handQuery(query: LivingQuery): () => void
  /** Every request of every plugin link comes here. */
  handle(caller: Caller, request: IncomingRequest): JsonObject | Promise<JsonObject> | AsyncIterable<JsonObject>
}
