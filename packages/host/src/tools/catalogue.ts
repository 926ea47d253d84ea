/** Tools of all sources but the platform, by name: plugins, MCP servers, tables of tests. A doubled name is refused when it appears. */
import { type Json, WireError } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import type { ToolInfo, ToolSource } from './types.ts'

export class Catalogue {
  #sources = new Map<string, ToolSource>()

  /** HostError `conflict`: another source has a tool of that name, so that neither would be called in its place. */
  add(source: ToolSource, workspaceUuid: string): void {
    if (this.#sources.has(source.source))
      throw new HostError('conflict', `There is already a tool source "${source.source}".`)
    const taken = new Map(this.list(workspaceUuid).map((tool) => [tool.name, tool.source]))
    for (const tool of source.list(workspaceUuid)) {
      const other = taken.get(tool.name)
      if (other !== undefined)
        throw new HostError(
          'conflict',
          `Tool "${tool.name}" of "${source.source}" is there already, from "${other}". Rename one of them.`,
        )
    }
    this.#sources.set(source.source, source)
  }

  list(workspaceUuid: string): readonly ToolInfo[] {
    return [...this.#sources.values()].flatMap((source) => source.list(workspaceUuid))
  }

  find(workspaceUuid: string, name: string): ToolInfo | undefined {
    return this.list(workspaceUuid).find((tool) => tool.name === name)
  }

  /** Calls the tool of exactly this source: another of the same name is never called in its place. */
  call(source: string, request: Parameters<ToolSource['call']>[0]): Promise<Json> {
    const found = this.#sources.get(source)
    if (found === undefined)
      throw new WireError('not_available', `Tool "${request.name}" is gone: its source "${source}" is no longer there.`)
    return found.call(request)
  }
}
