/** Which Runners fit which processors: `agent` for agents and pipelines, `event` for plugin processors. */
import type { RunnerDescriptor } from '../plugins/types.ts'
import type { Processor } from './types.ts'

/** Why the Runner can't be used by a processor of this kind; null when it can. */
export function usageFault(kind: Processor['kind'], runner: RunnerDescriptor): string | null {
  const needed = kind === 'plugin_processor' ? 'event' : 'agent'
  if (runner.manifest.usages.includes(needed)) return null
  const has = runner.manifest.usages.join(', ')
  return `${runner.runner_id} declares usages: ${has}. A ${kind.replace('_', ' ')} needs a Runner with usage "${needed}".`
}
