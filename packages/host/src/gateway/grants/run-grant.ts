/** The checks of one run, over what was computed when it started. Nothing here grows afterwards. */
import type { Denial, KnowledgeBaseOperation, ModelOperation, ModelResource, RunGrant } from '@runbound/protocol'
import type { GrantedTool, HostRunGrant } from '../types.ts'
import type { Explanation } from './explanation.ts'
import { isDenial, type PlatformCall, toolOfPlatformCall } from './platform-call.ts'

export interface GrantedThings {
  readonly explanation: Explanation
  readonly tools: readonly GrantedTool[]
  readonly models: readonly ModelResource[]
  readonly bot_uuid: string | null
}

export class ComputedRunGrant implements HostRunGrant {
  readonly #things: GrantedThings
  readonly tools: readonly GrantedTool[]
  readonly #byName: ReadonlyMap<string, GrantedTool>
  readonly #models: ReadonlyMap<string, ModelResource>
  readonly #explanation: Explanation
  readonly #botUuid: string | null

  constructor(things: GrantedThings) {
    this.#things = things
    this.tools = things.tools
    this.#byName = new Map(things.tools.map((tool) => [tool.name, tool]))
    this.#models = new Map(things.models.map((model) => [model.model_id, model]))
    this.#explanation = things.explanation
    this.#botUuid = things.bot_uuid
  }

  /** The same answers over tools with other targets. */
  withTools(tools: readonly GrantedTool[]): ComputedRunGrant {
    return new ComputedRunGrant({ ...this.#things, tools })
  }

  granted(tool: string): GrantedTool | undefined {
    return this.#byName.get(tool)
  }

  flag(name: string): Denial | null {
    return this.#explanation.denial(`flag:${name}`)
  }

  tool(name: string, operation: 'detail' | 'call'): Denial | null {
    const tool = this.#byName.get(name)
    if (tool === undefined) return this.#explanation.denial(`tool:${name}`)
    return tool.operations.includes(operation) ? null : undeclared(`tool:${name}`, 'tools', operation)
  }

  model(id: string, operation: ModelOperation): Denial | null {
    const model = this.#models.get(id)
    if (model === undefined) return this.#explanation.denial(`model:${id}`)
    return model.operations.includes(operation) ? null : undeclared(`model:${id}`, 'models', operation)
  }

  knowledgeBase(id: string, operation: KnowledgeBaseOperation): Denial | null {
    return this.#explanation.denial(`knowledge_base:${id}:${operation}`)
  }

  storage(area: 'plugin' | 'workspace'): Denial | null {
    return this.#explanation.denial(`storage:${area}`)
  }

  stateScope(scope: string): Denial | null {
    return this.#explanation.denial(`state:${scope}`)
  }

  platform(call: Parameters<RunGrant['platform']>[0]): Denial | null {
    const found = this.platformTool(call)
    return isDenial(found) ? found : null
  }

  platformTool(call: PlatformCall): GrantedTool | Denial {
    // `ctx.reply(chain)` is event_reply in another shape: it hears the same refusal.
    if (call.context_tool != null && !this.#byName.has(call.context_tool)) {
      return this.#explanation.denial(`tool:${call.context_tool}`) ?? undeclared(call.context_tool, 'tools', 'call')
    }
    return toolOfPlatformCall(call, this.#botUuid, this.#byName)
  }

  interaction(): Denial | null {
    return this.#explanation.denial('interactions')
  }
}

function undeclared(thing: string, group: string, operation: string): Denial {
  return {
    reason: 'permission_denied',
    message: `${thing} is granted to this run, but not to ${operation} it: the Runner does not declare permissions.${group} with "${operation}".`,
    details: { thing, by: 'manifest' },
  }
}
