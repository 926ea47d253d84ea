/**
 * What manifest, operator, event and platform each say of one thing. A grant stops at the first no; here each is asked by
 * itself, by computing the grant with everybody else saying yes.
 */
import { PERMISSIONS, PLATFORM_TOOLS, platformTool, STATE_SCOPES } from '@runbound/protocol'
import type { OperatorGrants } from '../../runs/types.ts'
import { computeGrant } from './compute.ts'
import type { GrantInput, GrantLine, RefusedBy } from './types.ts'

export interface GrantVerdict {
  readonly says: 'yes' | 'no' | 'not_asked'
  readonly why: string | null
}

/** One thing that a run may be allowed, with everybody's word on it. */
export interface GrantThing {
  readonly thing: string
  readonly group: 'event_tools' | 'platform_tools' | 'tools' | 'models' | 'storage' | 'state' | 'context'
  readonly label: string
  readonly allowed: boolean
  readonly by: RefusedBy | null
  readonly why: string
  readonly manifest: GrantVerdict
  readonly operator: GrantVerdict
  readonly event: GrantVerdict
  readonly platform: GrantVerdict
  /** People have the same rights until rules for them exist. */
  readonly actor: GrantVerdict
  /** The operator's grant that switches it; null: it follows from others. */
  readonly switch: { readonly grant: keyof OperatorGrants; readonly item: string | null } | null
}

const YES: GrantVerdict = { says: 'yes', why: null }
const NOT_ASKED: GrantVerdict = { says: 'not_asked', why: null }

/** Everything that can be granted, in the order of the grant. */
export function grantMatrix(input: GrantInput): readonly GrantThing[] {
  const manifest = openManifest(input.manifest)
  const actual = byThing(computeGrant(input).lines)
  const asManifest = byThing(computeGrant({ ...input, operator: OPEN_OPERATOR }).lines)
  const asOperator = byThing(computeGrant({ ...input, manifest }).lines)
  const asEvent = computeGrant({ ...input, manifest, operator: OPEN_OPERATOR }).lines
  return asEvent.map((open): GrantThing => {
    const { thing } = open
    const line = actual.get(thing) ?? NOT_CHOSEN
    return {
      thing,
      ...switchOf(thing),
      label: labelOf(thing),
      allowed: line.allowed,
      by: line.by ?? null,
      why: line.allowed
        ? 'Manifest, operator, event and platform all allow it.'
        : sentence(line.why ?? 'it is not granted'),
      manifest: verdict(asManifest.get(thing), 'manifest'),
      operator: verdict(asOperator.get(thing) ?? NOT_CHOSEN, 'operator'),
      event: verdict(open, 'event'),
      platform: open.by === 'host' ? verdict(open, 'host') : verdict(open, 'platform'),
      actor: NOT_ASKED,
    }
  })
}

const NOT_CHOSEN = { allowed: false, by: 'operator', why: 'it is not among what the operator granted' } as const

function verdict(line: Pick<GrantLine, 'by' | 'why'> | undefined, by: RefusedBy): GrantVerdict {
  return line?.by === by ? { says: 'no', why: sentence(line.why ?? '') } : YES
}

const sentence = (why: string): string => `${why.charAt(0).toUpperCase()}${why.slice(1)}.`

const byThing = (lines: readonly GrantLine[]): ReadonlyMap<string, GrantLine> =>
  new Map(lines.map((line) => [line.thing, line]))

/** A Runner that asks for everything. */
function openManifest({ capabilities, config_schema }: GrantInput['manifest']): GrantInput['manifest'] {
  const open = Object.fromEntries(
    Object.entries(capabilities).map(([name, value]) => [name, value === false ? true : value]),
  )
  const permissions = Object.fromEntries(
    Object.entries(PERMISSIONS).map(([name, operations]) => [name, [...operations]]),
  )
  // The codec edge: both have exactly the keys of the schema, each with all that it allows.
  return { capabilities: open, permissions, config_schema } as unknown as GrantInput['manifest']
}

const OPEN_OPERATOR: OperatorGrants = {
  event_tools: true,
  platform_tools: Object.keys(PLATFORM_TOOLS).filter((name) => platformTool(name)?.scope !== 'event'),
  tools: true,
  models: true,
  knowledge_bases: true,
  storage: { plugin: true, workspace: true },
  state: [...STATE_SCOPES],
  run_admin: true,
}

const FLAG_SWITCHES: { readonly [flag: string]: keyof OperatorGrants } = {
  prompt_get: 'prompt',
  history_page: 'history',
  history_search: 'history',
  event_get: 'events',
  event_page: 'events',
  steering_pull: 'steering',
  run_get: 'run_records',
  run_list: 'run_records',
  run_events_page: 'run_records',
  run_cancel: 'run_records',
  run_append_result: 'run_admin',
  run_finalize: 'run_admin',
}

function switchOf(thing: string): Pick<GrantThing, 'group' | 'switch'> {
  const [kind = '', ...rest] = thing.split(':')
  const item = rest.join(':')
  switch (kind) {
    case 'tool': {
      const tool = platformTool(item)
      const grant = tool === undefined ? 'tools' : tool.scope === 'event' ? 'event_tools' : 'platform_tools'
      return { group: grant, switch: { grant, item } }
    }
    case 'model':
      return { group: 'models', switch: { grant: 'models', item } }
    case 'storage':
      return { group: 'storage', switch: { grant: 'storage', item } }
    case 'state':
      return { group: 'state', switch: { grant: 'state', item } }
    case 'interactions':
      return { group: 'context', switch: { grant: 'interactions', item: null } }
    default: {
      const grant = FLAG_SWITCHES[item]
      return { group: 'context', switch: grant === undefined ? null : { grant, item: null } }
    }
  }
}

/** Words of a thing: of a platform tool what it does, else its name. */
function labelOf(thing: string): string {
  const item = thing.includes(':') ? thing.slice(thing.indexOf(':') + 1) : thing
  const described = thing.startsWith('tool:') ? platformTool(item)?.description : undefined
  return described ?? item.replaceAll('_', ' ')
}
