/**
 * The shape of a method record: one record per RPC method drives types, validation, permission, docs and coverage
 * (DESIGN §5). Records live in `methods/`; this file imports zod as a type only.
 */
import type { z } from 'zod'
import type { Reason } from './errors.ts'

/**
 * What a call does beyond answering.
 * `none`: reads, logs, model calls (may repeat). `host`: writes or consumes something that the host keeps.
 * `outside`: leaves the host (a platform, a tool). `by-tool`: as the named tool's record says.
 */
export type Effect = 'none' | 'host' | 'outside' | 'by-tool'

/** One documented shape of an action: in a run (`run_id`), in a query (`query_id`), or outside both. */
export type FormName = 'run' | 'query' | 'installation'

/** Why a call is refused. `reason` is stable (pinned by a test); `message` says what was wrong and what to do. */
export interface Denial {
  readonly reason: Reason
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** What a run may do: manifest ∩ operator ∩ event and platform ∩ actor. Every method answers a {@link Denial} or null. */
export interface RunGrant {
  /** A flag of `context.available_apis`, such as `history_page`. */
  flag(name: string): Denial | null
  tool(name: string, operation: 'detail' | 'call'): Denial | null
  model(id: string, operation: 'invoke' | 'stream' | 'rerank' | 'count_tokens'): Denial | null
  knowledgeBase(id: string, operation: 'list' | 'retrieve'): Denial | null
  storage(area: 'plugin' | 'workspace'): Denial | null
  stateScope(scope: string): Denial | null
  /** A platform call with the target that the caller named; `context_tool` binds it to the event's own target. */
  platform(call: {
    readonly bot_uuid?: string | null
    readonly action: string
    readonly params: Readonly<Record<string, unknown>>
    readonly context_tool?: string | null
  }): Denial | null
  interaction(): Denial | null
}

/** What the operator allowed this plugin outside runs. */
export interface InstallationGrant {
  /** An entry of the LangBot API by its wire name, such as `send_message`. */
  api(name: string): Denial | null
  tool(name: string): Denial | null
  storage(area: 'plugin' | 'workspace'): Denial | null
  admin(permission: string): Denial | null
}

/** What holding a query allows; the last invocation that was handed it decides (DESIGN §5). */
export interface QueryGrant {
  query(queryId: number, queryUuid?: string | null): Denial | null
}

export interface AuthorizeInput<P, F extends FormName> {
  readonly params: P
  readonly grant: F extends 'run' ? RunGrant : undefined
  readonly query: F extends 'query' ? QueryGrant : undefined
  readonly installation: InstallationGrant
}

export interface FormRecord<P extends z.ZodType, R extends z.ZodType, F extends FormName> {
  readonly params: P
  /** The answer's `data`; for streams the shape of one frame. */
  readonly result: R
  readonly stream?: true
  readonly effect: Effect
  /** How long the Python SDK waits, in seconds; the host answers before that. */
  readonly waits: number
  authorize(input: AuthorizeInput<z.output<P>, F>): Denial | null
}

/** A form record whose schema types were forgotten; what the gateway works with. */
export interface AnyForm {
  readonly params: z.ZodType
  readonly result: z.ZodType
  readonly stream?: true
  readonly effect: Effect
  readonly waits: number
  authorize(input: never): Denial | null
}

export interface MethodRecord {
  readonly name: string
  readonly from: 'plugin' | 'host'
  /** One sentence for the generated tables. */
  readonly summary: string
  /** Section of the specification, such as `wire.md §5.4`. */
  readonly source: string
  readonly forms: { readonly [F in FormName]?: AnyForm }
}

type Forms = {
  run?: FormRecord<z.ZodType, z.ZodType, 'run'>
  query?: FormRecord<z.ZodType, z.ZodType, 'query'>
  installation?: FormRecord<z.ZodType, z.ZodType, 'installation'>
}

/** Types one form, so that `authorize` knows its params. */
export function form<F extends FormName, P extends z.ZodType, R extends z.ZodType>(
  _form: F,
  record: FormRecord<P, R, F>,
): FormRecord<P, R, F> {
  return record
}

/** Declares a method. The literal type of the record is kept, so that params and results can be inferred from it. */
export function method<const N extends string, F extends { [K in keyof Forms]?: AnyForm }>(record: {
  readonly name: N
  readonly from: 'plugin' | 'host'
  readonly summary: string
  readonly source: string
  readonly forms: F
}): {
  readonly name: N
  readonly from: 'plugin' | 'host'
  readonly summary: string
  readonly source: string
  readonly forms: F
} {
  return record
}
