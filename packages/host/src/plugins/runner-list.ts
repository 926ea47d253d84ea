/** The Runners of installations, as the host lists them (wire.md §6.1). A manifest that does not fit hides that Runner with a reason. */
import type { JsonObject, RunnerManifest } from '@runbound/protocol'
import { ComponentManifestSchema, RunnerManifestSchema } from '@runbound/protocol/schemas'
import type { Installation, Plugins, RunnerDescriptor } from './types.ts'

export function runnersOf(installation: Installation): {
  readonly runners: readonly RunnerDescriptor[]
  readonly faults: readonly string[]
} {
  const runners: RunnerDescriptor[] = []
  const faults: string[] = []
  for (const component of installation.manifest.components) {
    if (component.kind !== 'Runner') continue
    const manifest = listed(installation, component)
    if (typeof manifest === 'string') faults.push(manifest)
    else {
      runners.push({
        runner_id: manifest.id,
        runner_name: manifest.name,
        installation_uuid: installation.installation_uuid,
        plugin_id: installation.plugin_id,
        plugin_version: installation.version,
        manifest,
      })
    }
  }
  return { runners, faults }
}

function listed(installation: Installation, component: JsonObject): RunnerManifest | string {
  const parsed = ComponentManifestSchema.safeParse(component)
  if (!parsed.success || parsed.data.kind !== 'Runner')
    return `a Runner of ${installation.plugin_id} has a manifest that does not fit: ${parsed.error?.issues[0]?.message ?? 'wrong kind'}`
  const { metadata, spec } = parsed.data
  const result = RunnerManifestSchema.safeParse({
    id: `plugin:${installation.plugin_id}/${metadata.name}`,
    name: metadata.name,
    label: texts(metadata.label) ?? { en_US: metadata.name },
    usages: [...new Set(spec.usages)],
    supported_event_patterns: spec.events === undefined || spec.events.length === 0 ? ['*'] : spec.events,
    description: texts(metadata.description),
    capabilities: spec.capabilities ?? {},
    permissions: spec.permissions ?? {},
    config_schema: spec.config ?? [],
  })
  return result.success
    ? result.data
    : `Runner "${metadata.name}" of ${installation.plugin_id} is not listed: ${result.error.issues[0]?.path.join('.')}: ${result.error.issues[0]?.message}`
}

/** Why a Runner that is not listed can't be used, and what to do. `owner`: an installation of its plugin, where there is one. */
export function whyNoRunner(
  runnerId: string,
  owner: Installation | undefined,
  supervised: boolean,
): Exclude<ReturnType<Plugins['runner']>, RunnerDescriptor> {
  if (owner === undefined) {
    const plugin = /^plugin:(.+)\/[^/]+$/.exec(runnerId)?.[1] ?? runnerId
    return {
      code: 'runner.plugin_not_found',
      message: `There is no plugin ${plugin}. Install it, or choose another Runner.`,
    }
  }
  const { plugin_id, version } = owner
  if (!owner.enabled)
    return {
      code: 'runner.plugin_disabled',
      message: `Plugin ${plugin_id} is disabled. runbound plugin enable ${plugin_id} switches it on.`,
    }
  if (!owner.approved)
    return {
      code: 'runner.plugin_not_initialized',
      message: `Plugin ${plugin_id} ${version} waits for the operator's approval.`,
    }
  // Inline, debug and development plugins are not started by the host: somebody has to bring them again.
  if (!supervised)
    return {
      code: 'runner.plugin_not_initialized',
      message: `Plugin ${plugin_id} (${owner.source}) has not come back since the host started. Start or connect it again.`,
    }
  return { code: 'runner.not_found', message: `Plugin ${plugin_id} ${version} has no Runner "${runnerId}".` }
}

/** A localised text with only the languages that it has, as the listing wants it. */
function texts(text: object | null | undefined): Record<string, string> | null {
  if (text === null || text === undefined) return null
  return Object.fromEntries(
    Object.entries(text).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** When several installations bring the same Runner: the author's own work first, then debug, then what is installed. */
const ORDER: readonly Installation['source'][] = ['dev', 'debug', 'package', 'inline']

interface Candidate {
  readonly runner: RunnerDescriptor
  readonly installation: Installation
}

/** Every Runner that can be chosen, each once. `onFault`: a manifest that does not fit hides its Runner. */
export function listRunners(
  serving: readonly Installation[],
  onFault: (pluginId: string, fault: string) => void,
): readonly RunnerDescriptor[] {
  const candidates = new Map<string, Candidate[]>()
  for (const installation of serving) {
    if (!installation.approved || !installation.enabled) continue
    const { runners, faults } = runnersOf(installation)
    for (const fault of faults) onFault(installation.plugin_id, fault)
    for (const runner of runners) {
      candidates.set(runner.runner_id, [...(candidates.get(runner.runner_id) ?? []), { runner, installation }])
    }
  }
  return [...candidates.values()].flatMap((list) => chosen(list)?.runner ?? [])
}

/** A debug connection steps before an installed plugin only with the operator's yes. */
function chosen(candidates: readonly Candidate[]): Candidate | undefined {
  const installed = candidates.some(({ installation }) => installation.source !== 'debug')
  return candidates
    .filter(
      ({ installation }) =>
        installation.source !== 'debug' || !installed || installation.installation_grant.shadow === true,
    )
    .sort((a, b) => ORDER.indexOf(a.installation.source) - ORDER.indexOf(b.installation.source))[0]
}
