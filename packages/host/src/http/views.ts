/** What views of installations and processors show: secrets only say that they are set. */
import { isDeepStrictEqual } from 'node:util'
import { configItems, effectiveSettings } from '../plugin-settings.ts'
import type { Installation } from '../plugins/types.ts'
import type { Processor } from '../runs/types.ts'
import { hideSecrets } from '../secret-values.ts'

/** Settings as the plugin gets them, and names of those that are kept for another version. */
export function shownSettings(one: Installation) {
  const schema = configItems(one.manifest.manifest)
  const declared = new Set(schema.map(({ name }) => name))
  return {
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
