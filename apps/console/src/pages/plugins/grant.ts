/** The installation grant that stands for a list of allowed things, as `pluginPermissions` names them. */
import type { Installation } from './state.tsx'

type Grant = Installation['installation_grant']

/** `api:x`, `tool:x`, `storage:plugin`, `admin:x`; what this does not speak of stays as it was. Throws for other things. */
export function grantOf(things: readonly string[], before: Grant): Grant {
  const of = (kind: string): string[] =>
    things.filter((thing) => thing.startsWith(`${kind}:`)).map((thing) => thing.slice(kind.length + 1))
  const odd = things.find((thing) => !/^(api|tool|storage|admin):/.test(thing))
  if (odd !== undefined) throw new TypeError(`This console does not know how to allow "${odd}".`)
  const storage = new Set(of('storage'))
  return {
    ...before,
    apis: of('api'),
    tools: of('tool'),
    storage: { plugin: storage.has('plugin'), workspace: storage.has('workspace') },
    admin: of('admin'),
  }
}
