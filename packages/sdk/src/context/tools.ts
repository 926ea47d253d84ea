/** Tools of a run: what may be called, and calling it. */
import type { JsonObject, ToolOperation } from '@runbound/protocol'
import type { ActionResult } from './replies.ts'

/** A tool that this run can call. */
export interface AvailableTool {
  readonly name: string
  readonly description: string | null
  /** JSON Schema of the arguments; null when the host did not send it along (then see `ctx.api.getToolDetail`). */
  readonly parameters: JsonObject | null
  /** Where it comes from: `platform`, `plugin`, `mcp` ... */
  readonly type: string | null
  readonly operations: readonly ToolOperation[]
}

/** Every Runner can ask; without the permission the list is empty. */
export interface CanListTools {
  /**
   * Lists what `callTool` takes: context actions, platform APIs, plugin tools and MCP tools. A copy: changing it grants
   * nothing. Nothing is sent.
   *
   * @example
   * ```ts
   * import type { CanListTools } from '@runbound/sdk'
   *
   * export const names = async (ctx: CanListTools) => (await ctx.getAvailableTools()).map((tool) => tool.name)
   * ```
   */
  getAvailableTools(): Promise<AvailableTool[]>
}

/** Calls tools: needs the capability `tool_calling` and the permission `tools: ['call']`. */
export interface CanCallTools {
  /**
   * Calls a tool of {@link CanListTools.getAvailableTools}; resolves with its result. Default: no arguments. A result
   * that is no object comes wrapped, a list as `{items}`, anything else as `{value}`. Waits at most 180 s or until the
   * run's deadline.
   *
   * Fails with PermissionDeniedError for a tool outside the list, and before anything is sent with SdkError `not_json` for
   * arguments that JSON cannot hold; with AgentAPIException `details.reason` `invalid_params` when the arguments do not
   * fit the tool's schema, `tool_failed` when the tool itself failed.
   *
   * @example
   * ```ts
   * import type { CanCallTools } from '@runbound/sdk'
   *
   * export const group = (ctx: CanCallTools, id: string) => ctx.callTool('platform_get_group_info', { group_id: id })
   * ```
   */
  callTool(tool_name: string, parameters?: JsonObject | null): Promise<ActionResult>
}
