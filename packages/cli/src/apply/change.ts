/** A change that a set-up file makes: what a person reads, and the call that makes it. */
import type { Client } from '@runbound/api'

/** One change. */
export interface Change {
  readonly what: 'bot' | 'agent' | 'plugin_processor' | 'routes'
  readonly name: string
  readonly kind: 'new' | 'changed'
  /** `field: old -> new`; secrets only as set. */
  readonly lines: readonly string[]
  carryOut(client: Client, ids: Ids): Promise<void>
}

/** Ids by name; those of new things are added as they are made. */
export interface Ids {
  readonly bots: Map<string, string>
  /** By kind and name, as {@link processorKey} says. */
  readonly processors: Map<string, string>
}

/** Agents and plugin processors may have the same name. */
export const processorKey = (kind: string, name: string): string => `${kind} ${name}`
