/** What the scriptable platform answers to the documented platform APIs (docs-facts.md §4.1). */
import type { Json, JsonObject } from '@runbound/protocol'
import { AdapterError } from './errors.ts'
import { groupMember, user, userGroup } from './platform-events.ts'

type Answer = (params: JsonObject) => Json

const person = (id: string) => user(id, { nickname: `User ${id}` })
const group = (id: string) => userGroup(id, { name: `Group ${id}`, member_count: 2 })
const members = (id: string) => [groupMember(id, person('u-1')), groupMember(id, person('u-2'), { role: 'owner' })]

/** A parameter that must be an id; wrong ones are refused as a platform would. */
function id(params: JsonObject, name: string): string {
  const value = params[name]
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  throw new AdapterError('invalid', `${name} is missing. Give the id as text or number.`)
}

function done(...names: string[]): Answer {
  return (params) => {
    for (const name of names) id(params, name)
    return null
  }
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  get_user_info: (params) => ({ ...person(id(params, 'user_id')) }),
  get_friend_list: () => [{ ...person('u-1') }, { ...person('u-2') }],
  get_group_info: (params) => ({ ...group(id(params, 'group_id')) }),
  get_group_list: () => [{ ...group('g-1') }],
  get_group_member_list: (params) => members(id(params, 'group_id')).map((member) => ({ ...member })),
  get_group_member_info: (params) => ({ ...groupMember(id(params, 'group_id'), person(id(params, 'user_id'))) }),
  get_message: (params) => ({
    type: 'message.received',
    message_id: id(params, 'message_id'),
    message_chain: [{ type: 'Plain', text: 'hello' }],
    sender: { ...person('u-1') },
    chat_type: 'private',
    chat_id: id(params, 'chat_id'),
    group: null,
    timestamp: 1_700_000_000,
  }),
  delete_message: done('chat_id', 'message_id'),
  set_group_name: done('group_id'),
  mute_member: done('group_id', 'user_id'),
  unmute_member: done('group_id', 'user_id'),
  kick_member: done('group_id', 'user_id'),
  leave_group: done('group_id'),
  approve_friend_request: done('request_id'),
  approve_group_invite: done('request_id'),
  get_file_url: (params) => `https://files.example.org/${id(params, 'file_id')}`,
}

/** Names of the documented platform APIs, all of which {@link sampleAnswer} knows. */
export const SAMPLE_APIS: readonly string[] = Object.keys(ANSWERS)

/** A plausible answer of the API; rejects wrong parameters with kind `invalid`, others with `not_supported`. */
export function sampleAnswer(action: string, params: JsonObject): Json {
  const answer = Object.hasOwn(ANSWERS, action) ? ANSWERS[action] : undefined
  if (answer === undefined) throw new AdapterError('not_supported', `${action} is no API of this platform.`)
  return answer(params)
}
