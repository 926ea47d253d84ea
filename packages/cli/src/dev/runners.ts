/** What a manifest says about its Runners, as far as a route needs it. */
import type { Client } from '@runbound/api'

type Installation = Awaited<ReturnType<Client['getPlugin']>>

/** A Runner of an installation. */
export interface RunnerFacts {
  readonly name: string
  /** `plugin:author/name/runner`. */
  readonly runner_id: string
  readonly usages: readonly ('agent' | 'event')[]
  /** Patterns that it declares; empty: none, which is every event for an agent. */
  readonly events: readonly string[]
  /** Names of its settings. */
  readonly config: readonly string[]
}

/** The Runners in the order of the manifest. */
export function runnersOf({ manifest, plugin_id }: Pick<Installation, 'manifest' | 'plugin_id'>): RunnerFacts[] {
  return list(at(manifest, 'components'))
    .filter((component) => at(component, 'kind') === 'Runner')
    .map((component) => {
      const spec = at(component, 'spec')
      const name = String(at(at(component, 'metadata'), 'name'))
      const usages = list(at(spec, 'usages'))
      return {
        name,
        runner_id: `plugin:${plugin_id}/${name}`,
        usages: (['agent', 'event'] as const).filter((usage) => usages.includes(usage)),
        events: list(at(spec, 'events')).map(String),
        config: list(at(spec, 'config')).map((item) => String(at(item, 'name'))),
      }
    })
}

/** A field of what may be an object. */
export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** What may be a list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
