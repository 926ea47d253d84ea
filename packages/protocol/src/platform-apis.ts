/** What adapters can be asked to do (entities.md §3.4), and what each call does to the world. */
import type { Effect } from './method.ts'

/** `read` looks, `write` changes, `dangerous` takes something away from people or leaves a place. */
export type Risk = 'read' | 'write' | 'dangerous'

interface PlatformApiFacts {
  /** Parameters in the order of the adapter's method; `?` marks optional ones. */
  readonly params: readonly string[]
  readonly risk: Risk
}

/** Every adapter API that `call_platform_api` can name. `call_platform_api` itself carries a vendor's own action. */
export const PLATFORM_APIS = {
  send_message: { params: ['target_type', 'target_id', 'message'], risk: 'write' },
  reply_message: { params: ['message_source', 'message', 'quote_origin'], risk: 'write' },
  edit_message: { params: ['chat_type', 'chat_id', 'message_id', 'new_content'], risk: 'write' },
  delete_message: { params: ['chat_type', 'chat_id', 'message_id'], risk: 'dangerous' },
  forward_message: {
    params: ['from_chat_type', 'from_chat_id', 'message_id', 'to_chat_type', 'to_chat_id'],
    risk: 'write',
  },
  get_message: { params: ['chat_type', 'chat_id', 'message_id'], risk: 'read' },
  get_group_info: { params: ['group_id'], risk: 'read' },
  get_group_list: { params: [], risk: 'read' },
  get_group_member_list: { params: ['group_id'], risk: 'read' },
  get_group_member_info: { params: ['group_id', 'user_id'], risk: 'read' },
  set_group_name: { params: ['group_id', 'name'], risk: 'write' },
  mute_member: { params: ['group_id', 'user_id', 'duration?'], risk: 'dangerous' },
  unmute_member: { params: ['group_id', 'user_id'], risk: 'write' },
  kick_member: { params: ['group_id', 'user_id'], risk: 'dangerous' },
  leave_group: { params: ['group_id'], risk: 'dangerous' },
  get_user_info: { params: ['user_id'], risk: 'read' },
  get_friend_list: { params: [], risk: 'read' },
  approve_friend_request: { params: ['request_id', 'approve?', 'remark?'], risk: 'write' },
  approve_group_invite: { params: ['request_id', 'approve?'], risk: 'write' },
  upload_file: { params: ['file_data', 'filename'], risk: 'write' },
  get_file_url: { params: ['file_id'], risk: 'read' },
  call_platform_api: { params: ['action', 'params?'], risk: 'dangerous' },
} as const satisfies Record<string, PlatformApiFacts>
export type PlatformApi = keyof typeof PLATFORM_APIS

/** True if adapters may have an API of this name. */
export function isPlatformApi(name: string): name is PlatformApi {
  return Object.hasOwn(PLATFORM_APIS, name)
}

/** What calling the API does: reading ones nothing, everything else leaves the host. */
export function effectOfPlatformApi(name: string): Exclude<Effect, 'by-tool'> {
  return isPlatformApi(name) && PLATFORM_APIS[name].risk === 'read' ? 'none' : 'outside'
}
