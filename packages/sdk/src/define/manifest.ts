/** Manifests derived from definitions: the same definition always gives the same text, key for key. */
import type { JsonObject } from '@runbound/protocol'
import { PERMISSIONS, RUNNER_CAPABILITIES } from '@runbound/protocol'
import type { Fields } from '../config/field.ts'
import { configItems } from '../config/item.ts'
import { type LocalText, localised } from '../text.ts'

interface Described {
  readonly name: string
  readonly label?: LocalText
  readonly description?: LocalText
}

function described({ name, label, description }: Described): JsonObject {
  return {
    name,
    label: localised(label ?? name),
    ...(description === undefined ? {} : { description: localised(description) }),
  }
}

/** The component manifest of a Runner (entities.md §1.10). */
export function runnerManifest(
  spec: Described & {
    readonly usages: readonly string[]
    readonly events?: readonly string[]
    readonly on?: object
    readonly capabilities?: { readonly [name: string]: boolean | undefined }
    readonly permissions?: { readonly [group: string]: readonly string[] | undefined }
    readonly config?: Fields
  },
): JsonObject {
  const { capabilities = {}, permissions = {} } = spec
  return {
    apiVersion: 'langbot/v1',
    kind: 'Runner',
    metadata: described(spec),
    spec: {
      usages: [...spec.usages],
      events: [...(spec.events ?? Object.keys(spec.on ?? {}))],
      // Names in the order of the specification, not of the author's object.
      capabilities: Object.fromEntries(RUNNER_CAPABILITIES.map((name) => [name, capabilities[name] === true])),
      permissions: Object.fromEntries(
        Object.entries(PERMISSIONS).map(([group, known]) => [
          group,
          known.filter((operation) => permissions[group]?.includes(operation)),
        ]),
      ),
      config: configItems(spec.config ?? {}, `Runner "${spec.name}"`),
    },
  }
}

/** The manifest of a plugin (entities.md §1.2). */
export function pluginManifest(
  spec: Described & {
    readonly author: string
    readonly version: string
    readonly icon?: string
    readonly config?: Fields
  },
): JsonObject {
  const { name, label, ...rest } = described(spec)
  return {
    apiVersion: 'v1',
    kind: 'Plugin',
    metadata: {
      author: spec.author,
      name,
      version: spec.version,
      label,
      ...rest,
      ...(spec.icon === undefined ? {} : { icon: spec.icon }),
    },
    spec: { config: configItems(spec.config ?? {}, `Plugin ${spec.author}/${spec.name}`), components: {}, pages: [] },
  }
}
