/** Platform calls of debug runs: plausible samples, or what the caller of the debug run wanted; the adapter is never called. */
import { type Json, type JsonObject, WireError } from '@runbound/protocol'
import type { Simulation } from '../gateway/types.ts'

const person = (id: string): JsonObject => ({
  id,
  nickname: `Sample person ${id}`,
  avatar_url: null,
  is_bot: false,
  username: null,
  remark: null,
})
const group = (id: string): JsonObject => ({
  id,
  name: `Sample group ${id}`,
  description: null,
  member_count: 2,
  avatar_url: null,
  owner_id: null,
})
const member = (groupId: string, id: string): JsonObject => ({
  user: person(id),
  group_id: groupId,
  role: 'member',
  display_name: null,
  joined_at: null,
  title: null,
})

const SAMPLES: { readonly [api: string]: (id: (name: string) => string) => Json } = {
  get_user_info: (id) => person(id('user_id')),
  get_friend_list: () => [person('sample-1'), person('sample-2')],
  get_group_info: (id) => group(id('group_id')),
  get_group_list: () => [group('sample-group')],
  get_group_member_list: (id) => [member(id('group_id'), 'sample-1'), member(id('group_id'), 'sample-2')],
  get_group_member_info: (id) => member(id('group_id'), id('user_id')),
  get_message: (id) => ({ message_id: id('message_id'), message_chain: [{ type: 'Plain', text: 'A sample message' }] }),
  get_file_url: (id) => `https://sample.invalid/${id('file_id')}`,
}

/** What a debug run reads. Throws WireError `platform_failed` where an error was asked for, `not_supported` likewise. */
export function simulated(simulation: Simulation, tool: string, api: string, params: JsonObject): JsonObject {
  const error = simulation.errors?.[tool] ?? simulation.errors?.[api]
  if (error !== undefined) throw new WireError('platform_failed', `Simulated failure of ${tool}: ${error}`)
  if (simulation.unsupported_apis?.includes(api))
    throw new WireError('not_supported', `This debug run has no "${api}".`, { details: { api_name: api } })
  const id = (name: string): string => String(params[name] ?? 'sample')
  const wanted = simulation.results?.[tool] ?? simulation.results?.[api]
  const result = wanted === undefined ? (SAMPLES[api]?.(id) ?? null) : (wanted as Json)
  return { ok: true, mock: true, delivery: 'simulated', tool, api, parameters: params, result }
}
