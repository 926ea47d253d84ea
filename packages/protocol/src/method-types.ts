/** Parameters and answers of every method as types, read off the records. Only types: importing this loads nothing. */
import type { z } from 'zod'
import type { FormName } from './method.ts'
import type { HOST_METHODS } from './methods/host-calls.ts'
import type { METHODS } from './methods/index.ts'
import type { RESULTS } from './results/index.ts'

/** Methods that a plugin may call, by name. */
export type Methods = typeof METHODS
export type MethodName = keyof Methods
/** The record of a method. */
export type Method<N extends MethodName> = Methods[N]
/** The forms that a method has: `run`, `query`, `installation`. */
export type FormsOf<N extends MethodName> = keyof Methods[N]['forms'] & FormName

type Form<N extends MethodName, F extends FormsOf<N>> = Methods[N]['forms'][F]

/** What the handler of a method gets: read, with defaults filled in. */
export type Params<N extends MethodName, F extends FormsOf<N>> =
  Form<N, F> extends { readonly params: infer P extends z.ZodType } ? z.output<P> : never
/** What a caller sends: options may be left out. */
export type ParamsInput<N extends MethodName, F extends FormsOf<N>> =
  Form<N, F> extends { readonly params: infer P extends z.ZodType } ? z.input<P> : never
/** What a caller gets; for streams one frame. */
export type Result<N extends MethodName, F extends FormsOf<N>> =
  Form<N, F> extends { readonly result: infer R extends z.ZodType } ? z.output<R> : never
/** What a handler may answer; for streams one frame. */
export type ResultInput<N extends MethodName, F extends FormsOf<N>> =
  Form<N, F> extends { readonly result: infer R extends z.ZodType } ? z.input<R> : never

/** Methods that the host may call. */
export type HostMethods = typeof HOST_METHODS
export type HostMethodName = keyof HostMethods
/** What a plugin is asked with. */
export type HostParams<N extends HostMethodName> = z.output<HostMethods[N]['forms']['installation']['params']>
/** What the host sends. */
export type HostParamsInput<N extends HostMethodName> = z.input<HostMethods[N]['forms']['installation']['params']>
/** What the host reads of the answer; for streams one frame. */
export type HostResult<N extends HostMethodName> = z.output<HostMethods[N]['forms']['installation']['result']>
/** What a plugin may answer; for streams one frame. */
export type HostResultInput<N extends HostMethodName> = z.input<HostMethods[N]['forms']['installation']['result']>

/** Records of result kinds, by `type`. */
export type Results = typeof RESULTS
