/** Types the handlers of a method family from the records, so that parameters and answers can't drift from the wire. */
import type { FormName, FormRecord } from '@runbound/protocol'
import type { METHODS } from '@runbound/protocol/schemas'
import type * as z from 'zod'
import type { Call, HandlerTable } from './types.ts'

type Methods = typeof METHODS
export type MethodName = keyof Methods & string
type FormsOf<N extends MethodName> = Methods[N]['forms']
type FormsIn<N extends MethodName> = keyof FormsOf<N> & FormName
type RecordOf<N extends MethodName, F extends FormsIn<N>> = NonNullable<FormsOf<N>[F]>

/** What a handler gets: the parameters as the record's schema reads them. */
export type ParamsOf<N extends MethodName, F extends FormsIn<N>> =
  RecordOf<N, F> extends FormRecord<infer P, z.ZodType, F> ? z.output<P> : never

/** What a handler answers: anything that the record's schema takes. */
export type AnswerOf<N extends MethodName, F extends FormsIn<N>> =
  RecordOf<N, F> extends FormRecord<z.ZodType, infer R, F> ? z.input<R> : never

export type HandlerOf<N extends MethodName, F extends FormsIn<N>> = (
  call: Call<F>,
  params: ParamsOf<N, F>,
) => AnswerOf<N, F> | Promise<AnswerOf<N, F>> | AsyncIterable<AnswerOf<N, F>>

/** Every form of every method; a room gives those of its family. */
export type Handlers = { [N in MethodName]?: { [F in FormsIn<N>]?: HandlerOf<N, F> } }

/**
 * Declares the handlers of a method family, with parameters and answers inferred from the records.
 *
 * @example
 * handlers({ state_get: { run: (call, { scope, key }) => read(call.invocation, scope, key) } })
 */
export function handlers(table: Handlers): HandlerTable {
  // The records' types end here: the gateway has checked what it passes on.
  return table as HandlerTable
}
