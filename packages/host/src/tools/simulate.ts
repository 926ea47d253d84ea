/** Debug runs: a plausible answer for every platform call, and no adapter is called (host-behaviour.md §2.8, §4.8). */
import { type Json, type JsonObject, WireError } from '@runbound/protocol'
import type { GrantedTool, RunFacts, Simulation } from '../gateway/types.ts'

const NOTICE = 'Simulated: this is a debug run, and the platform was not called.'

/**
 * The answer of a simulated call. `simulate.results` gives a tool's result instead of the built-in sample,
 * `simulate.errors` makes it fail as a platform would: `platform_failed`.
 */
export function simulated(
  tool: Pick<GrantedTool, 'name' | 'api'>,
  parameters: JsonObject,
  facts: RunFacts,
  simulate: Simulation,
): JsonObject {
  const error = simulate.errors?.[tool.name]
  if (error !== undefined) throw new WireError('platform_failed', error, { details: { mock: true, tool: tool.name } })
  const own = simulate.results?.[tool.name]
  // Samples of a debug run come as JSON from whoever started it.
  const result = own === undefined ? sampleResult(tool.api ?? '', parameters, facts) : (own as Json)
  return {
    ok: true,
    mock: true,
    delivery: 'simulated',
    tool: tool.name,
    api: tool.api,
    parameters,
    result,
    notice: NOTICE,
  }
}

type Sample = (params: JsonObject, facts: RunFacts) => Json

const user = (id: Json | undefined, nickname = 'Sample person') => ({
  id: textOf(id, 'sample-user'),
  nickname,
  avatar_url: null,
  is_bot: false,
  username: null,
  remark: null,
})
const group = (id: Json | undefined) => ({
  id: textOf(id, 'sample-group'),
  name: 'Sample group',
  description: null,
  member_count: 2,
  avatar_url: null,
  owner_id: 'sample-owner',
})
const member = (groupId: Json | undefined, userId: Json | undefined, role = 'member') => ({
  user: user(userId),
  group_id: textOf(groupId, 'sample-group'),
  role,
  display_name: null,
  joined_at: null,
  title: null,
})

const SAMPLES: Readonly<Record<string, Sample>> = {
  send_message: (_params, { event_id }) => ({ message_id: `simulated-${event_id}` }),
  get_user_info: ({ user_id }, { actor }) => user(user_id, actor?.actor_name ?? undefined),
  get_friend_list: () => [user('sample-friend')],
  get_group_info: ({ group_id }) => group(group_id),
  get_group_list: () => [group(undefined)],
  get_group_member_list: ({ group_id }) => [member(group_id, 'sample-owner', 'owner'), member(group_id, 'sample-user')],
  get_group_member_info: ({ group_id, user_id }) => member(group_id, user_id),
  get_message: ({ chat_type, chat_id, message_id }) => ({
    type: 'message.received',
    message_id: textOf(message_id, 'sample-message'),
    message_chain: [{ type: 'Plain', text: 'Sample message' }],
    sender: user(undefined),
    chat_type: chat_type === 'group' ? 'group' : 'private',
    chat_id: textOf(chat_id, 'sample-chat'),
  }),
}

/** What the API would answer; calls that only do something answer null. */
function sampleResult(api: string, params: JsonObject, facts: RunFacts): Json {
  return SAMPLES[api]?.(params, facts) ?? null
}

function textOf(value: Json | undefined, fallback: string): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : fallback
}
