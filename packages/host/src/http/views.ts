/** What views of installations and processors show: secrets only say that they are set. */
import { isDeepStrictEqual } from 'node:util'
import type { Bot, BotStatus } from '../platforms/types.ts'
import { configItems, effectiveSettings } from '../plugin-settings.ts'
import type { Installation } from '../plugins/types.ts'
import type { Processor } from '../runs/types.ts'
import { hideSecrets } from '../secret-values.ts'

/** Settings as the plugin gets them, and names of those that are kept for another version. */
export function shownSettings(one: Installation) {
  const schema = configItems(one.manifest.manifest)
  const declared = new Set(schema.map(({ name }) => name))
  return {
    settings_schema: schema.map((item) => ({ ...item })) as never,
    settings: hideSecrets(schema, effectiveSettings(one)) as never,
    kept_settings: Object.keys(one.settings).filter((name) => !declared.has(name)),
  }
}

/** What the operator allowed outside runs. */
export function shownGrant({ installation_grant: { apis, tools, storage, admin, shadow } }: Installation) {
  return {
    ...(apis === undefined ? {} : { apis: [...apis] }),
    ...(tools === undefined ? {} : { tools: [...tools] }),
    ...(storage === undefined ? {} : { storage }),
    ...(admin === undefined ? {} : { admin: [...admin] }),
    ...(shadow === undefined ? {} : { shadow }),
  }
}

/** Names of what differs: `config.<name>` for settings, else the field. Everything, for one that is new. */
export function changedFields(before: Processor | undefined, next: Processor): string[] {
  const fields = ['kind', 'name', 'runner_id', 'grants', 'options', 'enabled'] as const
  const config = new Set([...Object.keys(before?.config ?? {}), ...Object.keys(next.config)])
  return [
    ...fields.filter((name) => !isDeepStrictEqual(before?.[name], next[name])),
    ...[...config]
      .filter((name) => !isDeepStrictEqual(before?.config[name], next.config[name]))
      .map((name) => `config.${name}`),
  ]
}

export function shownBot(bot: Bot, { state, message }: BotStatus) {
  return {
    bot_uuid: bot.bot_uuid,
    name: bot.name,
    platform: bot.platform,
    settings: bot.settings as never,
    admins: [...bot.admins],
    enabled: bot.enabled,
    state,
    message,
  }
}

export function shownInstallation(one: Installation) {
  return {
    installation_uuid: one.installation_uuid,
    plugin_id: one.plugin_id,
    version: one.version,
    source: one.source,
    folder: one.folder,
    manifest: one.manifest as never,
    manifest_digest: one.manifest_digest,
    package_digest: one.package_digest,
    approved: one.approved,
    enabled: one.enabled,
    ...shownSettings(one),
    installation_grant: shownGrant(one),
    isolation: one.isolation,
  }
}
