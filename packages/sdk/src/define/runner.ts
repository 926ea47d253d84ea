/** `defineRunner`: one Runner with its rights, its settings and what it does. */
import type { EventId, EventPattern, RunnerUsage } from '@runbound/protocol'
import type { ConfigOf, Fields, KnownReferences } from '../config/field.ts'
import type { FullRunnerContext, RunnerContext } from '../context/runner-context.ts'
import type { Capabilities, OnlyKeysOf, Permissions } from '../rights.ts'
import type { LocalText } from '../text.ts'
import { checkRunner } from './checks.ts'
import type { RunnerComponent } from './component.ts'
import type { HandlerReturn } from './handler.ts'
import { runnerManifest } from './manifest.ts'

/** Handlers by event id; `'*'` takes every event that has none of its own. */
export type Handlers<P extends Permissions, C, K extends Capabilities> = {
  readonly [E in EventId]?: (ctx: RunnerContext<P, C, E, K>) => HandlerReturn
} & { readonly '*'?: (ctx: RunnerContext<P, C, EventId, K>) => HandlerReturn }

/** What a Runner is made of. */
export interface RunnerSpec<
  P extends Permissions,
  F extends Fields,
  K extends Capabilities,
  U extends readonly RunnerUsage[],
> {
  /** Lower-case letters, digits, `_` and `-`, starting with a letter; unique in the plugin. */
  readonly name: string
  /** Default: the name. */
  readonly label?: LocalText
  readonly description?: LocalText
  /** `agent`: offered in agents and pipelines; `event`: offered as a plugin processor. */
  readonly usages: U
  /** Event ids or patterns such as `message.*`. Default: the keys of `on`. Usage `event` needs one of both. */
  readonly events?: readonly EventPattern[]
  /** Default: none. */
  readonly capabilities?: K & OnlyKeysOf<K, Record<keyof Capabilities, unknown>>
  /** What the Runner asks for at most. Default: nothing. */
  readonly permissions?: P & OnlyKeysOf<P, Record<keyof Permissions, unknown>>
  /** Settings of each agent or processor with this Runner: `ctx.config`. A field `timeout` (seconds) sets the deadline. */
  readonly config?: F & KnownReferences<F>
  /** Called for every event that has no handler in `on`. */
  run?(ctx: RunnerContext<P, ConfigOf<F>, EventId, K>): HandlerReturn
  /** Called instead of `run`: the event's own handler, else that of `'*'`. */
  readonly on?: Handlers<P, ConfigOf<F>, K>
}

/** Something has to run, and a plugin processor has to say which events it takes. */
export type CompleteFor<U extends readonly RunnerUsage[]> = ({ run: unknown } | { readonly on: object }) &
  ('event' extends U[number] ? { readonly events: readonly EventPattern[] } | { readonly on: object } : unknown)

/** A Runner for `definePlugin`. */
export interface Runner extends RunnerComponent {
  readonly kind: 'Runner'
}

/**
 * Defines a Runner. Its permissions, capabilities and settings shape the type of `ctx`; a misspelt name does not compile.
 * Runs overlap on one Runner: keep nothing of a run outside its function.
 *
 * Throws SdkError `invalid_definition` for names that don't fit.
 *
 * @example
 * ```ts
 * import { defineRunner, field } from '@runbound/sdk'
 *
 * export const welcome = defineRunner({
 *   name: 'welcome',
 *   usages: ['event'],
 *   capabilities: { tool_calling: true },
 *   permissions: { tools: ['call'] },
 *   config: { greeting: field.string({ default: 'Welcome' }) },
 *   on: {
 *     'group.member_joined': async (ctx) => {
 *       await ctx.reply(`${ctx.config.greeting}, ${ctx.platform_event.member.nickname}!`)
 *     },
 *   },
 * })
 * ```
 */
export function defineRunner<
  const U extends readonly RunnerUsage[],
  const P extends Permissions = Record<never, never>,
  const F extends Fields = Record<never, never>,
  const K extends Capabilities = Record<never, never>,
>(spec: RunnerSpec<P, F, K, U> & CompleteFor<U>): Runner {
  checkRunner(spec)
  return {
    kind: 'Runner',
    name: spec.name,
    manifest: runnerManifest(spec),
    handlerFor: (event) => {
      // The one seam between the typed definition and the wire: the host has validated the context, and its grant is
      // checked at each call, so what the type leaves out is refused and not undefined behaviour.
      const handlers = (spec.on ?? {}) as Readonly<Record<string, Handler | undefined>>
      const own = Object.hasOwn(handlers, event) ? handlers[event] : undefined
      const handler = own ?? handlers['*'] ?? (spec.run as Handler | undefined)?.bind(spec)
      return handler
    },
  }
}

type Handler = (ctx: FullRunnerContext) => HandlerReturn
