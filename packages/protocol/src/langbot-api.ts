/**
 * What an installation may be allowed outside runs: the entries of `InstallationGrant.api`. The operator sees this list;
 * entries with `consent: 'own'` each need their own yes (DESIGN §5).
 */
import { PLATFORM_APIS } from './platform-apis.ts'

/** What one entry allows, and how the operator allows it. */
export interface InstallationApiFacts {
  /** `free`: every installation has it. `list`: approved with the list. `own`: needs its own yes. */
  readonly consent: 'free' | 'list' | 'own'
  readonly says: string
}

const METHOD_APIS = {
  get_langbot_version: { consent: 'free', says: 'ask which version the host is' },
  get_config_file: { consent: 'free', says: 'read files of its own settings' },
  get_bots: { consent: 'list', says: 'list the bots of the workspace' },
  get_bot_info: { consent: 'list', says: 'look up a bot, without its secrets' },
  get_llm_models: { consent: 'list', says: 'list the models of the workspace' },
  list_plugins_manifest: { consent: 'list', says: 'list the plugins of the workspace' },
  list_commands: { consent: 'list', says: 'list the commands of the workspace' },
  list_tools: { consent: 'list', says: 'list the plugin tools of the workspace' },
  list_knowledge_bases: { consent: 'list', says: 'list the knowledge bases of the workspace' },
  list_parsers: { consent: 'list', says: 'list the parsers of the workspace' },
  get_tool_detail: { consent: 'list', says: 'read how a tool is called' },
  invoke_llm: { consent: 'list', says: 'ask any model of the workspace' },
  invoke_llm_stream: { consent: 'list', says: 'ask any model of the workspace, streamed' },
  invoke_embedding: { consent: 'list', says: 'compute embeddings' },
  invoke_rerank: { consent: 'list', says: 'rank documents' },
  retrieve_knowledge: { consent: 'list', says: 'search any knowledge base of the workspace' },
  vector_upsert: { consent: 'list', says: 'write vectors of its own collections' },
  vector_search: { consent: 'list', says: 'search vectors of its own collections' },
  vector_delete: { consent: 'list', says: 'delete vectors of its own collections' },
  vector_list: { consent: 'list', says: 'list vectors of its own collections' },
  get_knowledge_file_stream: { consent: 'list', says: 'read documents given to its own knowledge engine' },
  invoke_parser: { consent: 'list', says: 'have a document parsed by a parser' },
  get_box_status: { consent: 'list', says: 'see how many boxes are free' },
  list_boxes: { consent: 'list', says: 'list the boxes of the workspace' },
  acquire_box: { consent: 'own', says: 'take a box' },
  send_message: { consent: 'own', says: 'send messages to any person or group' },
} as const satisfies Record<string, InstallationApiFacts>

type PlatformApiName = Exclude<keyof typeof PLATFORM_APIS, 'send_message'>
/** Name of an entry. */
export type InstallationApi = keyof typeof METHOD_APIS | `platform:${PlatformApiName}`

function platformEntries(): Record<string, InstallationApiFacts> {
  const entries: Record<string, InstallationApiFacts> = {}
  for (const [name, facts] of Object.entries(PLATFORM_APIS)) {
    if (name === 'send_message') continue
    entries[`platform:${name}`] = {
      consent: facts.risk === 'read' ? 'list' : 'own',
      says: `call ${name} of any bot of the workspace`,
    }
  }
  return entries
}

/** Entry name to facts: the methods by their wire name, platform calls as `platform:<action>`. */
export const INSTALLATION_APIS: Readonly<Record<string, InstallationApiFacts>> = {
  ...METHOD_APIS,
  ...platformEntries(),
}

/** The entry that a global `call_platform_api` needs: sending has one entry, whichever way it is called. */
export function installationApiOf(action: string): string {
  return action === 'send_message' ? 'send_message' : `platform:${action}`
}
