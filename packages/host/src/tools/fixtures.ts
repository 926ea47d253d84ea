/** The tools room with a delivery, platforms and installations that are lists, and runs whose grants are really computed. */
import type { AdapterInstance } from '@runbound/platform-kit'
import { type Json, type JsonObject, WireError } from '@runbound/protocol'
import type { DeliveryResult, ReplyRequest, StreamRequest } from '../delivery/types.ts'
import {
  caller,
  FACTS,
  type FakeInvocation,
  handClock,
  invocation,
  memoryLogger,
  request,
} from '../gateway/fixtures.ts'
import { createGateway } from '../gateway/gateway.ts'
import { computeGrant } from '../gateway/grants/compute.ts'
import type { Caller, Gateway, RunFacts } from '../gateway/types.ts'
import type { Bot } from '../platforms/types.ts'
import type { Installation } from '../plugins/types.ts'
import { CAPABILITIES, descriptor } from '../runs/fixtures.ts'
import type { OperatorGrants } from '../runs/types.ts'
import { createTools } from './tools.ts'
import type { ToolInfo, ToolSource, Tools } from './types.ts'

const BOT: Bot = {
  bot_uuid: 'b-1',
  workspace_uuid: 'w-1',
  name: 'Bot',
  platform: 'demo',
  settings: { token: 'SECRET' },
  admins: [],
  enabled: true,
}
const INSTALLATION = {
  installation_uuid: 'mine',
  workspace_uuid: 'w-1',
  plugin_id: 'acme/mine',
  manifest: {
    manifest: { kind: 'Plugin', metadata: { name: 'mine' } },
    components: [
      { kind: 'Runner', metadata: { name: 'r' } },
      { kind: 'Command', metadata: { name: 'help' } },
    ],
    sdk: { name: 'x', version: '1' },
  },
  settings: { avatar: { file_key: 'own-file', mimetype: 'image/png' }, nested: [{ file_key: 'deep' }] },
} as unknown as Installation

export const WEATHER: ToolInfo = {
  name: 'get_weather',
  type: 'plugin',
  description: 'Weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1, pattern: '^[a-z]+$' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
  effect: 'none',
  source: 'table',
}

export interface ToolHost {
  readonly tools: Tools
  readonly gateway: Gateway
  readonly replies: ReplyRequest[]
  readonly streams: StreamRequest[]
  readonly apiCalls: { readonly bot: string; readonly action: string; readonly params: JsonObject }[]
  readonly toolCalls: { readonly name: string; readonly parameters: JsonObject }[]
  /** What platform, tools and delivery answer; a test may change it. */
  readonly answers: { api: () => Json; tool: () => Json; delivered: Partial<DeliveryResult> }
  /** Opens a run with a grant that is really computed. */
  run(operator?: OperatorGrants, facts?: Partial<RunFacts>, list?: readonly ToolInfo[], runId?: string): FakeInvocation
  call(action: string, data: JsonObject, by?: Caller): Promise<JsonObject>
  /** `call_tool` in the run. */
  tool(name: string, parameters?: JsonObject): Promise<JsonObject>
  /** `call_platform_api` in the run. */
  platform(data: JsonObject): Promise<JsonObject>
  /** A source that answers with `answers.tool`. */
  table(list: readonly ToolInfo[], source?: string): ToolSource
}

export function toolHost(): ToolHost {
  const replies: ReplyRequest[] = []
  const streams: StreamRequest[] = []
  const apiCalls: { bot: string; action: string; params: JsonObject }[] = []
  const toolCalls: { name: string; parameters: JsonObject }[] = []
  const answers: ToolHost['answers'] = {
    api: () => ({ id: 'u-1', nickname: 'Ann' }),
    tool: () => ({ sky: 'blue' }),
    delivered: {},
  }
  const tools = createTools({
    logger: memoryLogger(),
    version: 'v0.1.0',
    needs: {
      delivery: {
        reply: async (reply) => {
          await reply.commit?.([])
          replies.push(reply)
          return {
            status: reply.scope.debug ? 'simulated' : 'sent',
            delivery_id: 'd-1',
            message_id: 'sent-1',
            parts: 1,
            ...answers.delivered,
          }
        },
        stream: async (stream) => {
          streams.push(stream)
          return { stream_id: stream.stream_id, status: 'open', delivery: 'streaming', mock: stream.scope.debug }
        },
      },
      platforms: {
        bots: async () => [BOT, { ...BOT, bot_uuid: 'b-9', workspace_uuid: 'w-9' }],
        bot: async (id) =>
          id === 'b-1' ? BOT : id === 'b-9' ? { ...BOT, bot_uuid: 'b-9', workspace_uuid: 'w-9' } : undefined,
        adapter: () => ({ selfId: 'bot-account' }) as AdapterInstance,
        capabilities: () => CAPABILITIES,
        api: async (bot, action, params) => {
          apiCalls.push({ bot, action, params })
          return answers.api()
        },
      },
      installations: () => [INSTALLATION],
      conversationKey: ({ bot_uuid, target }) => `${bot_uuid}/${target.target_type}_${target.target_id}`,
      configFile: async (_uuid, key) => (key === 'own-file' ? new Uint8Array([1, 2, 3]) : undefined),
    },
  })
  const gateway = createGateway({
    store: { commit: async () => [] },
    clock: handClock(),
    logger: memoryLogger(),
    checkAnswers: true,
  })
  gateway.register(tools.handlers)

  const call: ToolHost['call'] = async (action, data, by = caller('mine')) => {
    const answer = await gateway.handle(by, request(action, data))
    if (Symbol.asyncIterator in answer) throw new Error('a stream was not expected')
    return answer
  }
  return {
    tools,
    gateway,
    replies,
    streams,
    apiCalls,
    toolCalls,
    answers,
    call,
    run(operator = {}, more = {}, list = [], runId = 'run-1') {
      const facts = { ...FACTS, ...more }
      const { manifest } = descriptor()
      const { grant } = computeGrant({
        manifest,
        operator,
        config: {},
        facts,
        platform: CAPABILITIES,
        tools: list,
        models: [],
      })
      const living = invocation(runId, 'mine', { grant, facts })
      gateway.open(living)
      return living
    },
    tool: (tool_name, parameters = {}) => call('call_tool', { run_id: 'run-1', tool_name, parameters }),
    platform: (data) => call('call_platform_api', { run_id: 'run-1', ...data }),
    table: (list, source = 'table') => ({
      source,
      list: () => list,
      call: async ({ name, parameters }) => {
        toolCalls.push({ name, parameters })
        return answers.tool()
      },
    }),
  }
}

/** The reason of a refusal, or `no error`. */
export async function reasonOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    if (WireError.is(error)) return error.reason
    throw error
  }
  return 'no error'
}
