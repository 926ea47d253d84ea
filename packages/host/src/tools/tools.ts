/** The room tools/: platform tools and the sources of all others, behind the gateway. */
import type { Logger } from '../logger.ts'
import { listingHandlers } from './listings.ts'
import { toolHandlers } from './methods.ts'
import { ToolSources } from './sources.ts'
import type { ToolNeeds, Tools } from './types.ts'

export interface ToolsOptions {
  readonly logger: Logger
  /** The host's version as plugins read it: `v<major>.<minor>.<patch>`. */
  readonly version: string
  readonly needs: ToolNeeds
}

export function createTools({ logger, version, needs }: ToolsOptions): Tools {
  const sources = new ToolSources(logger)
  return {
    register: (source) => sources.add(source),
    list: (workspaceUuid) => Array.from(sources.all(workspaceUuid).values(), ({ tool }) => tool),
    handlers: { ...toolHandlers(needs, sources), ...listingHandlers(needs, sources, version) },
  }
}
