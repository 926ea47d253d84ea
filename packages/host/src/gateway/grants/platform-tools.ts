/** Which platform tools a run gets (docs-facts.md §4.3): `event_*` by the event, `platform_*` by name, both by the adapter. */
import type { AdapterCapabilities } from '@runbound/platform-kit'
import {
  effectOfPlatformApi,
  type JsonObject,
  PLATFORM_TOOLS,
  type PlatformTool,
  platformTool,
  platformToolFits,
  type ToolOperation,
} from '@runbound/protocol'
import type { GrantedTool, RunFacts } from '../types.ts'
import { fixedParams } from './event-targets.ts'
import { type Explanation, firstRefusal, type Refusal, unless } from './explanation.ts'
import type { GrantInput } from './types.ts'

/** Reasons of `resources.platform_capabilities.unavailable_tools` (host-behaviour.md §2.5). */
type Unavailable =
  | 'runner_call_permission_missing'
  | 'unknown_tool'
  | 'adapter_api_unsupported'
  | 'event_incompatible'
  | 'event_target_unavailable'

export interface PlatformToolGrant {
  readonly tools: readonly GrantedTool[]
  /** What the operator wanted and the run does not get, with the reason. */
  readonly unavailable: readonly { readonly name: string; readonly reason: Unavailable }[]
}

const EVENT_TOOLS = Object.keys(PLATFORM_TOOLS).filter((name) => platformTool(name)?.scope === 'event')
const DEFAULT_EVENT_TOOLS = ['event_reply']

/** Frozen: the caller of a run may look at it, and the next run gets the same object. */
const TARGETS_OF_CALLER: JsonObject = Object.freeze({})

export function grantPlatformTools(input: GrantInput, explanation: Explanation): PlatformToolGrant {
  const { operator, facts } = input
  const operations = input.manifest.permissions.tools
  const callable = input.manifest.capabilities.tool_calling && operations.includes('call')
  const tools: GrantedTool[] = []
  const unavailable: { name: string; reason: Unavailable }[] = []

  const wantedEventTools = operator.event_tools === true ? EVENT_TOOLS : (operator.event_tools ?? DEFAULT_EVENT_TOOLS)
  const wanted = new Set([...wantedEventTools, ...(operator.platform_tools ?? [])])
  for (const name of wanted) {
    const tool = platformTool(name)
    const problem =
      tool === undefined ? UNKNOWN : ((callable ? null : NOT_CALLABLE) ?? unfit(tool, facts, input.platform))
    explanation.note(`tool:${name}`, problem)
    if (problem !== null || tool === undefined) {
      if (problem !== null) unavailable.push({ name, reason: problem.short })
      continue
    }
    tools.push(granted(name, tool, facts, operations))
  }
  return { tools, unavailable }
}

type Problem = Refusal & { readonly short: Unavailable }

const UNKNOWN: Problem = { by: 'host', why: 'there is no platform tool of this name', short: 'unknown_tool' }
const NOT_CALLABLE: Problem = {
  by: 'manifest',
  why: 'the Runner needs capabilities.tool_calling and permissions.tools with "call"',
  short: 'runner_call_permission_missing',
}

function unfit(tool: PlatformTool, facts: RunFacts, platform: AdapterCapabilities | undefined): Problem | null {
  if (!platformToolFits(tool, facts.event_type)) {
    return { by: 'event', why: `it does not fit the event ${facts.event_type}`, short: 'event_incompatible' }
  }
  if (tool.scope === 'event' && fixedParams(tool, facts) === null) {
    const reason = tool.api === 'send_message' ? ({ reason: 'no_reply_target' } as const) : {}
    return {
      by: 'event',
      why: 'the event does not say whom or what it is about',
      short: 'event_target_unavailable',
      ...reason,
    }
  }
  const refusal = firstRefusal(
    unless(facts.bot_uuid !== null || facts.simulate !== null, 'event', 'the event came through no bot'),
    unless(supports(tool, facts, platform), 'platform', `the platform has no ${tool.api}`),
  )
  return refusal === null ? null : { ...refusal, short: 'adapter_api_unsupported' }
}

/**
 * An answer to the event itself always has a way: it waits in the outbox while the bot is down. Everything else needs a
 * running adapter that says it can.
 */
function supports(tool: PlatformTool, facts: RunFacts, platform: AdapterCapabilities | undefined): boolean {
  if (facts.simulate !== null) return !(facts.simulate.unsupported_apis ?? []).includes(tool.api)
  if (tool.api === 'send_message') return tool.scope === 'event' || platform?.send === true
  return platform?.apis.includes(tool.api) === true
}

function granted(name: string, tool: PlatformTool, facts: RunFacts, operations: readonly ToolOperation[]): GrantedTool {
  return {
    name,
    type: 'platform',
    source: 'platform',
    description: tool.description,
    parameters: tool.parameters,
    operations,
    effect: effectOfPlatformApi(tool.api) === 'none' ? 'none' : 'outside',
    api: tool.api,
    fixed: tool.scope === 'event' ? (fixedParams(tool, facts) ?? TARGETS_OF_CALLER) : TARGETS_OF_CALLER,
  }
}
