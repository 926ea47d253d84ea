/** Checks of definitions at run time: for authors without TypeScript, and for what types cannot say. */
import { EVENT_IDS, isEventId, PERMISSIONS, RUNNER_CAPABILITIES, RUNNER_USAGES } from '@runbound/protocol'
import { SdkError } from '../errors.ts'

const PLUGIN_NAME = /^[a-zA-Z0-9_-]+$/
const COMPONENT_NAME = /^[a-z][0-9a-z_-]*$/
const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/

function refuse(message: string): never {
  throw new SdkError('invalid_definition', message)
}

/** Refuses a name that cannot be part of an id. */
export function checkComponentName(kind: string, name: unknown): void {
  if (typeof name === 'string' && COMPONENT_NAME.test(name)) return
  refuse(`${kind} name ${JSON.stringify(name)}: use lower-case letters, digits, _ and -, starting with a letter.`)
}

interface LooseRunner {
  readonly name: string
  readonly usages: readonly string[]
  readonly events?: readonly string[]
  readonly capabilities?: object
  readonly permissions?: object
  readonly on?: object
  readonly run?: unknown
}

/** Refuses a Runner that could never run, or that asks for what does not exist. */
export function checkRunner(spec: LooseRunner): void {
  checkComponentName('Runner', spec.name)
  const at = `Runner "${spec.name}"`
  const { usages, capabilities = {}, permissions = {}, on = {} } = spec
  if (!Array.isArray(usages) || usages.length === 0) refuse(`${at}: usages is required: 'agent', 'event' or both.`)
  for (const usage of usages) checkName(at, 'usage', usage, RUNNER_USAGES)
  for (const name of Object.keys(capabilities)) checkName(at, 'capability', name, RUNNER_CAPABILITIES)
  for (const [group, operations] of Object.entries(permissions)) {
    checkName(at, 'permission group', group, Object.keys(PERMISSIONS))
    const known: readonly string[] = PERMISSIONS[group as keyof typeof PERMISSIONS]
    for (const operation of operations) checkName(at, `${group} permission`, operation, known)
  }
  for (const id of Object.keys(on)) checkName(at, 'event handler', id, [...EVENT_IDS, '*'])
  for (const pattern of spec.events ?? []) checkPattern(at, pattern)
  const handlers = Object.keys(on).length
  if (handlers === 0 && spec.run === undefined) refuse(`${at}: nothing to run. Give it run(ctx), or handlers in on.`)
  if (usages.includes('event') && handlers === 0 && (spec.events ?? []).length === 0) {
    refuse(`${at}: usage 'event' needs events, or handlers in on, to know which events it takes.`)
  }
}

function checkName(at: string, what: string, name: string, known: readonly string[]): void {
  if (!known.includes(name)) refuse(`${at}: there is no ${what} "${name}". Known: ${known.join(', ')}.`)
}

function checkPattern(at: string, pattern: string): void {
  const family = pattern.endsWith('.*') ? pattern.slice(0, -1) : undefined
  if (pattern === '*' || isEventId(pattern)) return
  if (family !== undefined && EVENT_IDS.some((id) => id.startsWith(family))) return
  refuse(
    `${at}: events names "${pattern}", which picks no event. Known: ${EVENT_IDS.join(', ')}, a family such as message.*, or *.`,
  )
}

/** Refuses a plugin whose identity cannot be told. */
export function checkPlugin(spec: {
  readonly author: string
  readonly name: string
  readonly version: string
  readonly components: readonly { readonly kind: string; readonly name: string }[]
}): void {
  for (const key of ['author', 'name'] as const) {
    if (!PLUGIN_NAME.test(spec[key] ?? '')) {
      refuse(`Plugin ${key} ${JSON.stringify(spec[key])}: use letters, digits, _ and -.`)
    }
  }
  const at = `Plugin ${spec.author}/${spec.name}`
  if (!VERSION.test(spec.version ?? '')) refuse(`${at}: version ${JSON.stringify(spec.version)} is not like 1.2.3.`)
  if (!Array.isArray(spec.components)) refuse(`${at}: components is required; a plugin that only has setup gives [].`)
  const seen = new Set<string>()
  for (const { kind, name } of spec.components) {
    if (seen.has(`${kind}/${name}`)) refuse(`${at}: two components are called ${kind} "${name}". Rename one.`)
    seen.add(`${kind}/${name}`)
  }
}
