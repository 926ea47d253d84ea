/** What a plugin may do outside runs (DESIGN §5): what the operator approved, or the defaults where that was left open. */

import type { PackageManifest } from '@runbound/link'
import { type Denial, INSTALLATION_APIS, type InstallationGrant, type JsonObject } from '@runbound/protocol'
import type { InstallationGrantData } from '../../plugins/types.ts'

/**
 * The grant of an installation. Defaults: a plugin with only Runners gets its own settings' files, the version and the plugin
 * storage that its manifests name; others get every entry of the documented list that needs no yes of its own, and plugin
 * storage. Workspace storage, tools and administration are never given by default.
 */
export function installationGrant(data: InstallationGrantData, manifest: PackageManifest): InstallationGrant {
  const kinds = manifest.components.map((component) => component.kind)
  const onlyRunners = kinds.length > 0 && kinds.every((kind) => kind === 'Runner')
  const approved = data.apis === undefined ? null : new Set(data.apis)
  const tools = new Set(data.tools ?? [])
  const pluginStorage = data.storage?.plugin ?? (!onlyRunners || namesPluginStorage(manifest.components))
  const workspaceStorage = data.storage?.workspace ?? false
  const permissions = data.admin ?? []

  return {
    api(name) {
      const consent = Object.hasOwn(INSTALLATION_APIS, name) ? INSTALLATION_APIS[name]?.consent : undefined
      if (consent === undefined) return denied(name, `"${name}" is nothing that a plugin can be allowed outside runs`)
      if (consent === 'free') return null
      const allowed = approved === null ? consent === 'list' && !onlyRunners : approved.has(name)
      return allowed ? null : denied(name, `the operator has not allowed this plugin to use ${name} outside runs`)
    },
    tool(name) {
      return tools.has(name)
        ? null
        : denied(`tool:${name}`, `the operator has not allowed this plugin to call the tool ${name} outside runs`)
    },
    storage(area) {
      const allowed = area === 'plugin' ? pluginStorage : workspaceStorage
      return allowed
        ? null
        : denied(`storage:${area}`, `the operator has not allowed this plugin to use ${area} storage outside runs`)
    },
    admin(permission) {
      return administers(permissions, permission)
        ? null
        : denied(
            permission,
            `only plugins that the operator lets administer (${permission}) may call this outside runs`,
          )
    },
  }
}

/** `runner:admin` covers every permission, `<domain>:*` its domain, `*` all. */
function administers(given: readonly string[], wanted: string): boolean {
  const domain = wanted.slice(0, wanted.indexOf(':'))
  return [wanted, `${domain}:*`, 'runner:admin', '*'].some((name) => given.includes(name))
}

function namesPluginStorage(components: readonly JsonObject[]): boolean {
  return components.some((component) => {
    const storage: unknown = at(at(at(component, 'spec'), 'permissions'), 'storage')
    return Array.isArray(storage) && storage.includes('plugin')
  })
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function denied(thing: string, why: string): Denial {
  return { reason: 'permission_denied', message: `Not allowed: ${why}.`, details: { thing, by: 'operator' } }
}
