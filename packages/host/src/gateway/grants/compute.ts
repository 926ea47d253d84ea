/** Computes the grant of one run: what may be called, what the context says about it, and why. */
import type { AgentResources, ToolOperation, ToolResource } from '@runbound/protocol'
import { STATE_SCOPES, type StateScope } from '@runbound/protocol'
import type { GrantedTool, RunFacts } from '../types.ts'
import { Explanation, firstRefusal, type Refusal, unless } from './explanation.ts'
import { grantFlags } from './flags.ts'
import { grantModels } from './models.ts'
import { grantPlatformTools, type PlatformToolGrant } from './platform-tools.ts'
import { ComputedRunGrant } from './run-grant.ts'
import type { ComputedGrant, GrantInput } from './types.ts'

/** Manifest ∩ operator ∩ event and platform. The fourth part, the actor, joins where people have different rights. */
export function computeGrant(input: GrantInput): ComputedGrant {
  const explanation = new Explanation()
  const platform = grantPlatformTools(input, explanation)
  const tools = [...platform.tools, ...grantOtherTools(input, explanation)]
  const models = grantModels(input, explanation)
  const storage = grantStorage(input, explanation)
  const state_scopes = grantState(input, explanation)
  const reply = replyRefusal(explanation, tools)
  const state = state_scopes.length > 0
  const available_apis = grantFlags(input, { reply, state, storage: storage.plugin || storage.workspace }, explanation)
  explanation.note('interactions', interactionRefusal(input))
  const { lines } = explanation
  return {
    grant: new ComputedRunGrant({ explanation, tools, models, bot_uuid: input.facts.bot_uuid }),
    resources: {
      models: [...models],
      tools: tools.map(toolResource),
      knowledge_bases: [],
      skills: [],
      storage: { plugin_storage: storage.plugin, workspace_storage: storage.workspace },
      platform_capabilities: platformCapabilities(platform),
    },
    available_apis,
    state_scopes,
    lines,
    lines_text: JSON.stringify(lines),
  }
}

function grantOtherTools(input: GrantInput, explanation: Explanation): readonly GrantedTool[] {
  const { operator, manifest } = input
  const operations: readonly ToolOperation[] = manifest.permissions.tools
  const declared = firstRefusal(
    unless(manifest.capabilities.tool_calling, 'manifest', 'the Runner does not declare capabilities.tool_calling'),
    unless(operations.length > 0, 'manifest', 'the Runner does not declare permissions.tools'),
  )
  const chosen = operator.tools === true ? null : new Set(operator.tools ?? [])
  const granted: GrantedTool[] = []
  for (const tool of input.tools) {
    if (chosen !== null && !chosen.has(tool.name)) continue
    if (!explanation.note(`tool:${tool.name}`, declared)) continue
    granted.push({ ...tool, operations })
  }
  return granted
}

function toolResource(tool: GrantedTool): ToolResource {
  return {
    tool_name: tool.name,
    tool_type: tool.type,
    description: tool.description,
    operations: [...tool.operations],
    parameters: tool.parameters,
  }
}

function grantStorage({ manifest, operator }: GrantInput, explanation: Explanation) {
  const area = (name: 'plugin' | 'workspace', on: boolean) =>
    explanation.note(
      `storage:${name}`,
      firstRefusal(
        unless(
          manifest.permissions.storage.includes(name),
          'manifest',
          `the Runner does not declare permissions.storage with "${name}"`,
        ),
        unless(on, 'operator', `the operator did not allow ${name} storage`),
      ),
    )
  return {
    plugin: area('plugin', operator.storage?.plugin ?? true),
    workspace: area('workspace', operator.storage?.workspace ?? false),
  }
}

/** There is no permission for state in a manifest: the operator's scopes decide, and whether the event has the object. */
function grantState({ operator, facts }: GrantInput, explanation: Explanation): readonly StateScope[] {
  const on = operator.state ?? STATE_SCOPES
  return STATE_SCOPES.filter((scope) =>
    explanation.note(
      `state:${scope}`,
      firstRefusal(
        unless(on.includes(scope), 'operator', `the operator switched the scope ${scope} off`),
        unless(hasObject(scope, facts), 'event', `the event has no ${scope}`),
      ),
    ),
  )
}

function hasObject(scope: StateScope, facts: RunFacts): boolean {
  switch (scope) {
    case 'conversation':
      return facts.conversation_key !== null
    case 'actor':
      return facts.actor?.actor_id != null
    case 'subject':
      return facts.subject?.subject_id != null
    case 'runner':
      return true
  }
}

/** A stream of a reply is a reply: it needs `event_reply`, with `call`. */
function replyRefusal(explanation: Explanation, tools: readonly GrantedTool[]): Refusal | null {
  if (tools.some((tool) => tool.name === 'event_reply')) return null
  const line = explanation.lines.find(({ thing }) => thing === 'tool:event_reply')
  const { reason } = explanation.denial('tool:event_reply') ?? {}
  return {
    by: line?.by ?? 'operator',
    why: line?.why ?? 'event_reply is not granted',
    ...(reason === undefined ? {} : { reason }),
  }
}

function interactionRefusal({ manifest, operator }: GrantInput): Refusal | null {
  return firstRefusal(
    unless(manifest.capabilities.interactions, 'manifest', 'the Runner does not declare capabilities.interactions'),
    unless(
      manifest.permissions.interactions.includes('request'),
      'manifest',
      'the Runner does not declare permissions.interactions with "request"',
    ),
    unless(operator.interactions !== false, 'operator', 'the operator switched interactions off'),
    { by: 'host', why: 'interactions are not available in this version of Runbound', reason: 'not_available' },
  )
}

function platformCapabilities({ tools, unavailable }: PlatformToolGrant): AgentResources['platform_capabilities'] {
  return { authorized_tools: tools.map(({ name }) => name), unavailable_tools: [...unavailable] }
}
