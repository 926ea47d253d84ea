/** What a plugin is made of, as the part that serves it sees it. */
import type { JsonObject } from '@runbound/protocol'
import type { PluginHost } from '../context/plugin-host.ts'
import type { FullRunnerContext } from '../context/runner-context.ts'
import type { HandlerReturn } from './handler.ts'

/** A Runner whose types were forgotten. */
export interface RunnerComponent {
  readonly kind: 'Runner'
  readonly name: string
  /** Component manifest (entities.md §1.10). */
  readonly manifest: JsonObject
  /** The function for this event: its own handler, else that of `'*'`, else `run`; undefined when there is none. */
  handlerFor(event: string): ((ctx: FullRunnerContext) => HandlerReturn) | undefined
}

/** Any component of a plugin. */
export type Component = RunnerComponent

/** A plugin's definition whose types were forgotten, as the part that serves it sees it. */
export interface PluginParts {
  readonly author: string
  readonly name: string
  readonly components: readonly Component[]
  setup?(host: PluginHost, options: { readonly signal: AbortSignal }): void | Promise<void>
  onSettingsChanged?(settings: JsonObject): void | Promise<void>
  dispose?(): void | Promise<void>
}
