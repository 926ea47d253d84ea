/**
 * Which granted tool a `call_platform_api` of a run is: the same action on the same bot, and for tools of the event the
 * same target. A grant for the event's target reaches no other one.
 */
import { type Denial, platformTool, type RunGrant } from '@runbound/protocol'
import type { GrantedTool } from '../types.ts'

export type PlatformCall = Parameters<RunGrant['platform']>[0]

export function toolOfPlatformCall(
  call: PlatformCall,
  botUuid: string | null,
  tools: ReadonlyMap<string, GrantedTool>,
): GrantedTool | Denial {
  const { action, params, context_tool } = call
  if (call.bot_uuid != null && call.bot_uuid !== botUuid) {
    return denied(
      'target_denied',
      `This run may use the bot that its event came through, not ${call.bot_uuid}.`,
      action,
    )
  }
  const able = [...tools.values()].filter((tool) => tool.api === action && tool.operations.includes('call'))
  if (context_tool != null) {
    const named = able.find((tool) => tool.name === context_tool && isEventTool(tool))
    return named ?? denied('permission_denied', `${context_tool} is not granted to this run for ${action}.`, action)
  }
  if (able.length === 0) {
    return denied(
      'permission_denied',
      `No tool that calls ${action} is granted to this run. See ctx.getAvailableTools().`,
      action,
    )
  }
  // A tool whose targets are free covers every target; else the target has to be the event's own.
  const fitting = able.find((tool) => !isEventTool(tool)) ?? able.find((tool) => sameTarget(tool, params))
  return fitting ?? denied('target_denied', `${action} is granted for the target of this event only.`, action)
}

function isEventTool(tool: GrantedTool): boolean {
  return platformTool(tool.name)?.scope === 'event'
}

/** Ids come as text or as numbers; the same digits are the same id. */
function sameTarget(tool: GrantedTool, params: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(tool.fixed ?? {}).every(([name, value]) => {
    const given = params[name]
    return (
      (typeof given === 'string' || typeof given === 'number' || typeof given === 'bigint') && String(given) === value
    )
  })
}

function denied(reason: Denial['reason'], message: string, action: string): Denial {
  return { reason, message, details: { action } }
}

/** True for a refusal. */
export function isDenial(value: GrantedTool | Denial): value is Denial {
  return 'reason' in value
}
