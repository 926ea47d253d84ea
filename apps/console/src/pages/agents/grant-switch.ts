/** What switching one thing does to the operator's grants. What was left to a default is written out as soon as it changes. */
import type { Output } from '../../data/client.ts'
import { isObject, type JsonObject } from '../../forms/json.ts'
import type { Grants } from './agent-draft.ts'

export type GrantThing = Output<'explainGrant'>['things'][number]

/** True where the operator lets it. */
export function isOn({ operator }: GrantThing): boolean {
  return operator.says === 'yes'
}

/** The grants with this thing switched; unchanged where it has no switch of its own. */
export function switched(grants: Grants, things: readonly GrantThing[], thing: GrantThing, on: boolean): Grants {
  if (thing.switch === null) return grants
  const { grant, item } = thing.switch
  const before: JsonObject = { ...grants } as JsonObject
  if (item === null) return { ...before, [grant]: on } as Grants
  const present = before[grant]
  if (grant === 'storage')
    return { ...before, storage: { ...(isObject(present) ? present : {}), [item]: on } } as Grants
  const beside = things.filter((one) => one.switch?.grant === grant && one.switch.item !== null)
  const shown = beside.filter(isOn).map((one) => one.switch?.item ?? '')
  // Names that nothing here explains (a tool whose plugin is away) stay as the operator wrote them.
  const known = new Set(beside.map((one) => one.switch?.item))
  const away = Array.isArray(present) ? present.filter((name) => typeof name === 'string' && !known.has(name)) : []
  const names = [...shown, ...away].filter((name) => name !== item)
  return { ...before, [grant]: on ? [...names, item] : names } as Grants
}
