/**
 * Grants differ little from run to run: the same processor, event kind and abilities give the same answers, and only the
 * targets are new. So the answers are computed once, and each run gets its own targets.
 */
import { platformTool } from '@runbound/protocol'
import type { GrantedTool, RunFacts } from '../types.ts'
import { computeGrant } from './compute.ts'
import { fixedParams } from './event-targets.ts'
import type { ComputedGrant, GrantInput } from './types.ts'

/** Shapes of events kept per processor. */
const KEPT = 64

interface Known {
  readonly input: GrantInput
  readonly computed: ComputedGrant
}

export class GrantCache {
  readonly #known = new WeakMap<object, Map<string, Known>>()

  /** The grant for this input; `owner` is the processor's object, which is a new one whenever it changes. */
  of(owner: object, input: GrantInput): ComputedGrant {
    let shapes = this.#known.get(owner)
    if (shapes === undefined) {
      shapes = new Map()
      this.#known.set(owner, shapes)
    }
    const shape = shapeOf(input.facts)
    const known = shapes.get(shape)
    if (known !== undefined && sameRest(known.input, input)) return withTargets(known.computed, input.facts)
    const computed = computeGrant(input)
    if (shapes.size >= KEPT) shapes.clear()
    shapes.set(shape, { input, computed })
    return computed
  }
}

/** Everything about an event that changes an answer: its kind, and which targets it has, but not which they are. */
function shapeOf(facts: RunFacts): string {
  const { event_type, reply_target, subject, actor, simulate } = facts
  const has = [
    facts.bot_uuid,
    facts.conversation_key,
    facts.message_id,
    facts.request_id,
    actor?.actor_id,
    subject?.subject_id,
  ].map((value) => (value == null ? 0 : 1))
  const bot = facts.bot_uuid ?? ''
  const unsupported = simulate === null ? 'real' : (simulate.unsupported_apis ?? []).join()
  return [event_type, reply_target?.target_type, subject?.subject_type, bot, unsupported, ...has].join('|')
}

function sameRest(a: GrantInput, b: GrantInput): boolean {
  return (
    a.manifest === b.manifest &&
    a.operator === b.operator &&
    a.config === b.config &&
    a.platform === b.platform &&
    sameItems(a.tools, b.tools) &&
    sameItems(a.models, b.models)
  )
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

/** The same answers with the targets of another event. */
function withTargets(computed: ComputedGrant, facts: RunFacts): ComputedGrant {
  const { tools } = computed.grant
  if (!tools.some(isEventTool)) return computed
  const own = tools.map((tool) => (isEventTool(tool) ? { ...tool, fixed: targetsOf(tool, facts) } : tool))
  return { ...computed, grant: computed.grant.withTools(own) }
}

function isEventTool({ name }: GrantedTool): boolean {
  return platformTool(name)?.scope === 'event'
}

function targetsOf({ name }: GrantedTool, facts: RunFacts): NonNullable<GrantedTool['fixed']> {
  const tool = platformTool(name)
  const fixed = tool === undefined ? null : fixedParams(tool, facts)
  // The shape says that the targets are there; a tool without them would reach nobody.
  if (fixed === null) throw new TypeError(`the event lost the target of ${name}`)
  return fixed
}
