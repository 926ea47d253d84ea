/** What a plugin asks for and what of it is allowed: outside runs by the approval, inside runs by each processor. */
import type { PackageManifest } from '@runbound/link'
import { INSTALLATION_APIS } from '@runbound/protocol'
import type { InstallationGrantData } from '../../plugins/types.ts'
import { installationGrant } from './installation-grant.ts'

export interface PluginPermission {
  readonly group: 'outside' | 'inside'
  readonly component: string | null
  readonly thing: string
  readonly label: string
  readonly asked: boolean
  readonly allowed: boolean
  readonly own_yes: boolean
  /** Every plugin has it: it can't be taken away. */
  readonly fixed: boolean
  readonly why: string
}

/** `data`: what the operator approved; the defaults for a plugin that waits for its approval. */
export function pluginPermissions(manifest: PackageManifest, data: InstallationGrantData): readonly PluginPermission[] {
  const grant = installationGrant(data, manifest)
  const onlyRunners = manifest.components.length > 0 && manifest.components.every(({ kind }) => kind === 'Runner')
  // No manifest names what it needs outside runs: what a plugin of its kind gets by itself stands for what it asks.
  const byItself = installationGrant({}, manifest)
  const outside = (thing: string, label: string, asked: boolean, allowed: boolean, own_yes: boolean, why: string) =>
    ({ group: 'outside', component: null, thing, label, asked, allowed, own_yes, fixed: false, why }) as const
  const apis = Object.entries(INSTALLATION_APIS).map(([name, { consent, says }]) => {
    const allowed = grant.api(name) === null
    const why =
      consent === 'free'
        ? 'Every plugin may.'
        : allowed
          ? 'The operator allowed it.'
          : consent === 'own'
            ? 'It needs a yes of its own.'
            : onlyRunners
              ? 'A plugin with Runners only gets it when the operator names it.'
              : 'The operator left it out.'
    const asked = byItself.api(name) === null
    return { ...outside(`api:${name}`, says, asked, allowed, consent === 'own', why), fixed: consent === 'free' }
  })
  const areas = (['plugin', 'workspace'] as const).map((area) => {
    const allowed = grant.storage(area) === null
    const label = area === 'plugin' ? 'keep data of its own' : 'read and write what all plugins of the workspace share'
    const why = allowed ? 'The operator left or allowed it.' : 'The operator did not allow it.'
    const asked = byItself.storage(area) === null
    return outside(`storage:${area}`, label, asked, allowed, area === 'workspace', why)
  })
  const tools = (data.tools ?? []).map((name) =>
    outside(`tool:${name}`, `call the tool ${name}`, false, true, true, 'The operator allowed it.'),
  )
  const admin = (data.admin ?? []).map((name) =>
    outside(`admin:${name}`, `administer: ${name}`, false, true, true, 'The operator allowed it.'),
  )
  return [...apis, ...areas, ...tools, ...admin, ...inside(manifest)]
}

/** What the Runners declare; each processor decides about it when it is set up. */
function inside({ components }: PackageManifest): PluginPermission[] {
  return components.flatMap((component) => {
    const spec: unknown = Reflect.get(component, 'spec')
    const permissions: unknown =
      typeof spec === 'object' && spec !== null ? Reflect.get(spec, 'permissions') : undefined
    if (typeof permissions !== 'object' || permissions === null) return []
    const metadata: unknown = Reflect.get(component, 'metadata')
    const name: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'name') : undefined
    return Object.entries(permissions).flatMap(([group, operations]) =>
      (Array.isArray(operations) ? operations : []).map(
        (operation): PluginPermission => ({
          group: 'inside',
          component: typeof name === 'string' ? name : null,
          thing: `${group}:${String(operation)}`,
          label: `${group}: ${String(operation)}`,
          asked: true,
          allowed: true,
          own_yes: false,
          fixed: false,
          why: 'The manifest declares it; each agent or plugin processor leaves or takes it.',
        }),
      ),
    )
  })
}
