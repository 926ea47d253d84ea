/** tools/ owns what can be called by name: platform tools here; plugin, MCP and native tools join as sources. */
import type { Json, JsonObject } from '@runbound/protocol'
import type { Call } from '../gateway/types.ts'

export interface ToolInfo {
  readonly name: string
  readonly type: 'platform' | 'plugin' | 'mcp' | 'builtin' | 'skill'
  readonly description: string
  /** JSON Schema of the arguments, root `object`. */
  readonly parameters: JsonObject
  readonly effect: 'none' | 'host' | 'outside'
  readonly source: string
}

/** Where tools come from. Names are unique over all sources; a doubled name is refused when it appears. */
export interface ToolSource {
  readonly source: string
  list(workspaceUuid: string): readonly ToolInfo[]
  call(request: {
    readonly name: string
    readonly parameters: JsonObject
    readonly call: Call
    readonly signal: AbortSignal
  }): Promise<Json>
}
