/** The registered tool sources, and one name for one tool. */
import type { JsonObject } from '@runbound/protocol'
import { platformTool } from '@runbound/protocol'
import { HostError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { ToolInfo, ToolSource } from './types.ts'

export interface FoundTool {
  readonly tool: ToolInfo
  readonly source: ToolSource
}

export class ToolSources {
  readonly #sources: ToolSource[] = []
  readonly #logger: Logger
  /** Doubled names that were reported, so that each listing does not report them again. */
  readonly #reported = new Set<string>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  add(source: ToolSource): () => void {
    if (this.#sources.some((other) => other.source === source.source)) {
      throw new HostError('programming', `there is a tool source "${source.source}" already`)
    }
    this.#sources.push(source)
    return () => {
      const index = this.#sources.indexOf(source)
      if (index >= 0) this.#sources.splice(index, 1)
    }
  }

  /** Every tool once. A name that is taken, by an older source or by the platform, is refused and reported. */
  all(workspaceUuid: string): ReadonlyMap<string, FoundTool> {
    const found = new Map<string, FoundTool>()
    for (const source of this.#sources) {
      for (const tool of source.list(workspaceUuid)) {
        const owner = platformTool(tool.name) === undefined ? found.get(tool.name)?.source.source : 'platform'
        if (owner === undefined) found.set(tool.name, { tool, source })
        else this.#report(tool.name, source.source, owner)
      }
    }
    return found
  }

  /** The tool of this name from exactly this source: what was granted is never another tool of the same name. */
  of(workspaceUuid: string, name: string, source: string): FoundTool | undefined {
    const found = this.all(workspaceUuid).get(name)
    return found?.source.source === source ? found : undefined
  }

  #report(name: string, source: string, owner: string): void {
    const key = `${source}\n${name}`
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    this.#logger.error({ tool: name, source, owner }, 'a tool is not offered because its name is taken')
  }
}

/** What `get_tool_detail` answers. */
export function detailOf(tool: {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}) {
  const { name, description, parameters } = tool
  return { tool: { name, description, human_desc: description, parameters } }
}
