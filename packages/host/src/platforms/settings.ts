/** Settings of a bot against what its platform declares: checked, defaults filled, secrets sealed at rest and hidden in views. */
import { SECRET_IS_SET } from '@runbound/api'
import { type AdapterSetting, ConfigError, type PlatformDefinition } from '@runbound/platform-kit'
import type { Json, JsonObject } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import type { Identity } from '../identity/types.ts'

const KINDS: { readonly [K in AdapterSetting['type']]: (value: Json, setting: AdapterSetting) => string | null } = {
  string: (value) => (typeof value === 'string' ? null : 'must be a text'),
  secret: (value) => (typeof value === 'string' ? null : 'must be a text'),
  integer: (value) => (typeof value === 'number' && Number.isSafeInteger(value) ? null : 'must be a whole number'),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number'),
  boolean: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  select: (value, setting) =>
    typeof value === 'string' && setting.options?.includes(value) === true
      ? null
      : `must be one of: ${(setting.options ?? []).join(', ')}`,
}

/**
 * Merges what was given into what is stored (plain texts on both sides) and checks the whole, with the platform's own checks
 * last: what an adapter would refuse at its start is not stored. Throws HostError `invalid_config` at `settings.<name>`.
 */
export function mergeSettings(platform: PlatformDefinition, stored: JsonObject, given: JsonObject): JsonObject {
  const known = new Map(platform.settings.map((setting) => [setting.name, setting]))
  for (const name of Object.keys(given)) {
    if (!known.has(name)) {
      const names = [...known.keys()].join(', ') || 'none'
      throw fault(name, `is no setting of platform "${platform.name}". It has: ${names}.`)
    }
  }
  const merged: Record<string, Json> = {}
  for (const setting of platform.settings) {
    const fresh = given[setting.name]
    const keeps = fresh === undefined || (setting.type === 'secret' && fresh === SECRET_IS_SET)
    const value = keeps ? (stored[setting.name] ?? setting.default) : fresh
    if (value === undefined || value === null) {
      if (setting.required === true) throw fault(setting.name, `is required: ${setting.label}.`)
      continue
    }
    const wrong = KINDS[setting.type](value, setting)
    if (wrong !== null) throw fault(setting.name, `${wrong}.`)
    merged[setting.name] = value
  }
  checkByPlatform(platform, merged)
  return merged
}

export function sealSettings(
  platform: PlatformDefinition,
  plain: JsonObject,
  botUuid: string,
  identity: Identity,
): JsonObject {
  return mapSecrets(platform, plain, (name, value) => identity.seal(value, place(botUuid, name)))
}

export function openSettings(
  platform: PlatformDefinition,
  stored: JsonObject,
  botUuid: string,
  identity: Identity,
): JsonObject {
  return mapSecrets(platform, stored, (name, value) => identity.open(value, place(botUuid, name)))
}

/** For views: a secret only says that it is set. */
export function showSettings(secretNames: ReadonlySet<string>, settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, secretNames.has(name) ? SECRET_IS_SET : value]),
  )
}

function mapSecrets(
  platform: PlatformDefinition,
  settings: JsonObject,
  change: (name: string, value: string) => string,
): JsonObject {
  const secrets = new Set(platform.settings.filter((s) => s.type === 'secret').map((s) => s.name))
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      secrets.has(name) && typeof value === 'string' ? change(name, value) : value,
    ]),
  )
}

function checkByPlatform(platform: PlatformDefinition, settings: JsonObject): void {
  try {
    platform.check?.(settings)
  } catch (error) {
    if (!ConfigError.is(error)) throw error
    throw new HostError('invalid_config', `Setting ${error.message}`, { at: `settings.${error.field}`, cause: error })
  }
}

const place = (botUuid: string, name: string): string => `bots/${botUuid}/${name}`

function fault(name: string, what: string): HostError {
  return new HostError('invalid_config', `Setting "${name}" ${what}`, { at: `settings.${name}` })
}
