/** Plugin settings against the plugin's config schema: defaults filled, removed keys kept for a downgrade but not handed out. */
import type { ConfigItem, Json, JsonObject } from '@runbound/protocol'
import { configValues } from './config-values.ts'
import { HostError } from './errors.ts'
import type { Installation } from './plugins/types.ts'
import { keepSecrets } from './secret-values.ts'

type Configured = Pick<Installation, 'manifest' | 'settings'>

/** What the plugin gets: each declared key, with its default where nothing is stored. */
export function effectiveSettings(installation: Configured): JsonObject {
  const settings: Record<string, Json> = {}
  for (const item of configItems(installation.manifest.manifest)) {
    const value = installation.settings[item.name] ?? item.default
    if (value !== undefined) settings[item.name] = value
  }
  return settings
}

/**
 * What is stored when the operator saves these settings: checked against the schema; keys that an older or newer version
 * has stay; what equals its default and was never saved stays open, so that a later default counts.
 * HostError `invalid_config` at `settings.<name>`.
 */
export function savedSettings(installation: Configured, given: JsonObject): JsonObject {
  const schema = configItems(installation.manifest.manifest)
  const declared = new Map(schema.map((item) => [item.name, item]))
  const values = atSettings(() => keepSecrets(schema, installation.settings, given))
  check(schema, values)
  const saved: Record<string, Json> = {}
  for (const [name, value] of Object.entries(installation.settings))
    if (!declared.has(name) && value !== undefined) saved[name] = value
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue
    const untouched = installation.settings[name] === undefined && same(value, declared.get(name)?.default)
    if (!untouched) saved[name] = value
  }
  return saved
}

/** The declared settings; items without a name are left out. */
export function configItems(manifest: JsonObject): readonly ConfigItem[] {
  const spec = manifest.spec
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) return []
  const config = (spec as JsonObject).config
  return Array.isArray(config) ? (config.filter(isItem) as unknown as readonly ConfigItem[]) : []
}

/** Manifests were checked when the plugin was installed. */
function isItem(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string'
}

function check(schema: readonly ConfigItem[], values: JsonObject): void {
  const [first] = Object.keys(values)
  if (schema.length === 0 && first !== undefined)
    throw new HostError('invalid_config', `The setting "${first}": this plugin has no settings.`, {
      at: `settings.${first}`,
    })
  atSettings(() => configValues(schema, values))
}

/** Faults of Runner settings stand at `config.<name>`, those of plugins at `settings.<name>`. */
function atSettings<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!HostError.is(error)) throw error
    throw new HostError(error.code, error.message, {
      ...(error.at === null ? {} : { at: error.at.replace(/^config\./, 'settings.') }),
      cause: error,
    })
  }
}

function same(a: Json, b: Json | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b)
}
