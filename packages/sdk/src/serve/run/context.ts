/** Puts the context of a run together: its data and the methods of every file here. Types cut it down per Runner. */
import type { EventId, PlatformEventOf } from '@runbound/protocol'
import { PERMISSIONS, PLATFORM_EVENT_SUMMARY_FIELDS } from '@runbound/protocol'
import type { RunHost } from '../../context/host.ts'
import type { RunApi } from '../../context/run-api.ts'
import type { RunInput } from '../../context/run-data.ts'
import type { FullRunnerContext } from '../../context/runner-context.ts'
import { SdkError } from '../../errors.ts'
import type { EveryCapability, EveryPermission } from '../../rights.ts'
import { boxesOf } from '../calls/boxes.ts'
import { fromBase64 } from '../calls/bytes.ts'
import { assertJson } from '../calls/json.ts'
import { modelRequest, modelsOf } from '../calls/models.ts'
import { storageOf } from '../calls/storage.ts'
import { boxOf } from './box.ts'
import { allows } from './grants.ts'
import { historyOf } from './history.ts'
import { logOf } from './log.ts'
import type { RunParts } from './parts.ts'
import { runPlatformOf } from './platform.ts'
import { recordsOf } from './records.ts'
import { repliesOf } from './replies.ts'
import { stateOf } from './state.ts'
import { toolsOf } from './tools.ts'

type FullApi = RunApi<EveryPermission, FullRunnerContext['config'], EventId, EveryCapability>
type FullHost = RunHost<EveryPermission, EveryCapability>

/** Makes the context. `api` and `host` are made when they are first used. */
export function contextOf(run: RunParts): FullRunnerContext {
  const { context, life } = run
  const { getToolDetail, ...tools } = toolsOf(run)
  const own = { ...repliesOf(run), ...tools, ...historyOf(run), ...stateOf(run), ...recordsOf(run), ...boxOf(run) }
  let api: FullApi | undefined
  let host: FullHost | undefined
  const ctx: FullRunnerContext = {
    ...context,
    input: inputOf(context.input),
    signal: life.signal,
    get platform_event() {
      return platformEventOf(run)
    },
    get api() {
      const { getAvailableTools: _listed, reply: _reply, ...shared } = own
      api ??= { ctx, ...shared, getToolDetail, ...sharedOf(run), ...grantedOf(run), ...countingOf(run) }
      return api
    },
    get host() {
      host ??= {
        callTool: own.callTool,
        getToolDetail,
        ...sharedOf(run),
        ...listingsOf(run),
        getPluginConfig: () => settingsOf(run),
      }
      return host
    },
    ...own,
    ...logOf(run),
  }
  return ctx
}

function inputOf(input: RunParts['context']['input']): RunInput {
  return {
    ...input,
    toText() {
      if (this.text !== null) return this.text
      return this.contents.flatMap((part) => (part.type === 'text' && part.text !== null ? [part.text] : [])).join(' ')
    },
  }
}

function platformEventOf({ context }: RunParts): PlatformEventOf<EventId> {
  const { data, event_type } = context.event
  if (typeof data.type === 'string' && Object.hasOwn(PLATFORM_EVENT_SUMMARY_FIELDS, data.type)) {
    // The host has read the event with the schema of its type.
    return data as unknown as PlatformEventOf<EventId>
  }
  throw new SdkError(
    'no_platform_event',
    `The event ${event_type} of run ${context.run_id} is no platform event (its data has type ${JSON.stringify(data.type) ?? 'none'}). Use ctx.event and ctx.input.`,
  )
}

function settingsOf({ life, settings }: RunParts) {
  life.check('getPluginConfig')
  return settings()
}

/** What `ctx.api` and `ctx.host` have in common. */
function sharedOf(run: RunParts) {
  const { life, calls } = run
  const models = modelsOf(calls, (action) => life.check(action))
  const storage = storageOf(calls, (action) => life.check(action))
  return {
    ...models,
    ...storage,
    ...boxesOf(calls, (action) => life.check(action)),
    ...runPlatformOf(run),
    async getLangbotVersion() {
      return (await calls.free('get_langbot_version', {})).version
    },
    async retrieveKnowledge(
      kb_id: string,
      query_text: string,
      options: Parameters<FullHost['retrieveKnowledge']>[2] = {},
    ) {
      life.check('retrieveKnowledge')
      const filters = options.filters ?? {}
      assertJson(filters, 'filters')
      const { results } = await calls.run('retrieve_knowledge_base', {
        kb_id,
        query_text,
        top_k: options.top_k ?? 5,
        filters,
      })
      return results
    },
  }
}

/** Copies of what was granted. */
function grantedOf({ context: { resources }, life }: RunParts) {
  return {
    getAllowedModels() {
      life.check('getAllowedModels')
      return structuredClone(resources.models)
    },
    getAllowedTools() {
      life.check('getAllowedTools')
      return structuredClone(resources.tools)
    },
    getAllowedKnowledgeBases() {
      life.check('getAllowedKnowledgeBases')
      return structuredClone(resources.knowledge_bases)
    },
  }
}

function countingOf({ life, calls }: RunParts): Pick<FullApi, 'countTokens'> {
  return {
    async countTokens(model, messages, options = {}) {
      life.check('countTokens')
      const timeout = options.timeout ?? 30
      const request = { ...(await modelRequest(calls, model, messages, options)), timeout }
      return (await calls.run('count_tokens', request, { wait: timeout })).tokens
    },
  }
}

/** Listings of `ctx.host`: what the run was granted, without asking the host. */
function listingsOf({ context: { resources }, life, calls }: RunParts) {
  return {
    async getLlmModels() {
      life.check('getLlmModels')
      return resources.models
        .filter((model) => allows(model, 'invoke') || allows(model, 'stream'))
        .map((model) => model.model_id)
    },
    async listTools() {
      life.check('listTools')
      return structuredClone(resources.tools).map((tool) => ({
        name: tool.tool_name,
        label: { en_US: tool.tool_name },
        description: { en_US: tool.description ?? '' },
        icon: '',
        spec: { parameters: tool.parameters },
      }))
    },
    async listKnowledgeBases() {
      life.check('listKnowledgeBases')
      return resources.knowledge_bases
        .filter((base) => allows(base, PERMISSIONS.knowledge_bases[0]))
        .map((base) => ({ uuid: base.kb_id, name: base.kb_name ?? base.kb_id, description: null }))
    },
    async getConfigFile(file_key: string) {
      life.check('getConfigFile')
      return fromBase64('get_config_file', (await calls.free('get_config_file', { file_key })).file_base64)
    },
  }
}
