/** Plugin settings against the plugin's config schema: defaults filled, removed keys kept for a downgrade but not handed out. */
import type { Json, JsonObject } from '@runbound/protocol'
import type { Installation } from './types.ts'

interface Item {
  readonly name?: unknown
  readonly default?: Json
}

/** What the plugin gets: each declared key, with its default where nothing is stored. */
export function effectiveSettings(installation: Pick<Installation, 'manifest' | 'settings'>): JsonObject {
  const settings: Record<string, Json> = {}
  for (const item of configItems(installation.manifest.manifest)) {
    if (typeof item.name !== 'string') continue
    const value = installation.settings[item.name] ?? item.default
    if (value !== undefined) settings[item.name] = value
  }
  return settings
}

export function configItems(manifest: JsonObject): readonly Item[] {
  const spec = manifest.spec
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) return []
  const config = (spec as JsonObject).config
  return Array.isArray(config) ? (config as readonly Item[]) : []
}
