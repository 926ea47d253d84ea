/** The line of `dev` that tells what an operator's default grant leaves out: here everything is granted that is asked for. */
import type { Loaded } from './load-first.ts'
import { at, list } from './runners.ts'

/** What each permission reaches beyond the default grant: see the table of defaults in docs/plugin-guide.md. */
const BEYOND = [
  ['tools', 'call', 'tools other than event_reply'],
  ['models', null, 'models that its settings do not name'],
  ['knowledge_bases', null, 'knowledge bases'],
  ['storage', 'workspace', 'workspace storage'],
] as const

/** What the Runners of a plugin ask for and do not get until an operator says yes; each once, in the order of the table. */
export function needsYes({ manifest }: Pick<Loaded, 'manifest'>): readonly string[] {
  const asked = list(at(manifest, 'components')).map((component) => at(at(component, 'spec'), 'permissions'))
  return BEYOND.filter(([group, operation]) =>
    asked.some((permissions) => {
      const operations = list(at(permissions, group))
      return operation === null ? operations.length > 0 : operations.includes(operation)
    }),
  ).map(([, , thing]) => thing)
}

/** One line, or none where the default is enough. */
export function grantsLine(label: string, things: readonly string[]): readonly string[] {
  if (things.length === 0) return []
  return [
    `${label}dev allows all that it asks for; elsewhere these need an operator's yes: ${things.join(', ')} (docs/apply.md, "grants"; runbound runs show ID --grant)`,
  ]
}
