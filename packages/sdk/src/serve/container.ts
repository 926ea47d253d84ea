/** What a plugin shows of itself when it registers and when it is asked (wire.md §3.2). */
import type { PackageManifest } from '@runbound/link'
import type { JsonObject } from '@runbound/protocol'
import type { SetupState } from './lifecycle.ts'

/** File that the manifest is written to beside the package. */
const MANIFEST_FILE = 'runbound.manifest.json'

/** Makes the container. `sdk` and `setup` are ours; readers of the documented fields pass them by. */
export function containerOf(
  { manifest, components, sdk }: PackageManifest,
  now: { readonly settings: JsonObject | undefined; readonly setup: SetupState; readonly debug: boolean },
): JsonObject {
  const owned = (document: JsonObject): JsonObject => ({
    owner: 'builtin',
    manifest: document,
    rel_path: MANIFEST_FILE,
  })
  return {
    debug: now.debug,
    install_source: '',
    install_info: {},
    manifest: owned(manifest),
    plugin_instance: null,
    enabled: true,
    priority: 0,
    plugin_config: now.settings ?? {},
    status: now.settings === undefined ? 'mounted' : 'initialized',
    components: components.map((component) => ({
      manifest: owned(component),
      component_instance: null,
      component_config: {},
    })),
    sdk: { ...sdk },
    setup: { ...now.setup },
  }
}
