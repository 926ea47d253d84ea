/** tools/ owns what can be called by name: platform tools here; plugin, MCP and native tools join as sources. */
import type { ReplyTarget } from '@runbound/platform-kit'
import type { Json, JsonObject } from '@runbound/protocol'
import type { Delivery } from '../delivery/types.ts'
import type { Call, HandlerTable } from '../gateway/types.ts'
import type { Platforms } from '../platforms/types.ts'
import type { Installation } from '../plugins/types.ts'

export interface ToolInfo {
  readonly name: string
  readonly type: 'platform' | 'plugin' | 'mcp' | 'builtin' | 'skill'
  readonly description: string
  /** JSON Schema of the arguments, root `object`. */
  readonly parameters: JsonObject
  readonly effect: 'none' | 'host' | 'outside'
  readonly source: string
}

/** A call that has been granted, checked and, where the tool has an effect, noted. */
export interface ToolCallRequest {
  readonly name: string
  readonly parameters: JsonObject
  readonly call: Call
  readonly signal: AbortSignal
}

/** Where tools come from. Names are unique over all sources; a doubled name is refused when it appears. */
export interface ToolSource {
  readonly source: string
  list(workspaceUuid: string): readonly ToolInfo[]
  /** Any other error than a WireError is the tool's own failure: `tool_failed`. */
  call(request: ToolCallRequest): Promise<Json>
}

export interface Tools {
  /** Adds a source; the returned function takes it away again. HostError `programming` for a source of the same name. */
  register(source: ToolSource): () => void
  /** Tools of all sources but the platform: each name once, the older source's. */
  list(workspaceUuid: string): readonly ToolInfo[]
  /** Handlers of tools, replies, platform calls and the listings of the LangBot API. */
  readonly handlers: HandlerTable
}

/** What tools/ needs of other rooms; given by host.ts. */
export interface ToolNeeds {
  readonly delivery: Pick<Delivery, 'reply' | 'stream'>
  readonly platforms: Pick<Platforms, 'bots' | 'bot' | 'adapter' | 'capabilities' | 'api'>
  /** Approved and enabled installations of a workspace (plugins/). */
  installations(workspaceUuid: string): readonly Installation[]
  /** Key of the conversation that a target is, so that history shows what was sent there (conversations/). */
  conversationKey(place: {
    readonly workspace_uuid: string
    readonly bot_uuid: string
    readonly target: ReplyTarget
  }): string | null
  /** A file that was uploaded into a plugin's settings; undefined when there is none (plugins/). */
  configFile(installationUuid: string, fileKey: string): Promise<Uint8Array | undefined>
}
