/**
 * The platform tools of a run (entities.md §1.10, host-behaviour.md §4.8). Tools of scope `event` act on the event's own
 * target, which the host fixes; those of scope `platform` name their target and must be chosen by the operator.
 */
import { matchesAnyEvent } from './events.ts'
import type { JsonObject } from './json.ts'
import { effectOfPlatformApi, type PlatformApi, type Risk } from './platform-apis.ts'

/** One platform tool as the host offers it. */
export interface PlatformTool {
  readonly scope: 'event' | 'platform'
  /** What a model or author reads. */
  readonly description: string
  /** JSON Schema of the arguments; other keys are refused. */
  readonly parameters: JsonObject
  /** Events for which an `event` tool is offered. */
  readonly events: readonly string[]
  /** The adapter API behind it. */
  readonly api: PlatformApi
  /** Parameters of that API which the host takes from the event and never from the caller. */
  readonly fixed: readonly string[]
  readonly risk: Risk
}

const text = { type: 'string', minLength: 1, description: 'Text to send' }
const id = (of: string) => ({ type: 'string', minLength: 1, description: `Id of the ${of}` })
const duration = { type: 'integer', minimum: 0, description: 'Seconds; 0 takes the default of the platform' }
const chat_type = { type: 'string', enum: ['person', 'private', 'group'], description: 'Kind of the chat' }

function schema(properties: JsonObject = {}, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

function ofEvent(tool: Omit<PlatformTool, 'scope'>): PlatformTool {
  return { scope: 'event', ...tool }
}

/** Every argument of these is the caller's; only the bot is fixed, and it is the run's. */
function ofPlatform(tool: Omit<PlatformTool, 'scope' | 'events' | 'fixed'>): PlatformTool {
  return { scope: 'platform', events: [], fixed: [], ...tool }
}

const IN_GROUPS = ['message.*', 'group.*']
const ON_MEMBERS = ['message.*', 'group.member_*']

/** All platform tools by name. */
export const PLATFORM_TOOLS = {
  event_reply: ofEvent({
    description: 'Send a text to where this event came from.',
    parameters: schema({ text }, ['text']),
    events: ['message.*', 'friend.*', 'group.*', 'feedback.*', 'interaction.submitted'],
    api: 'send_message',
    fixed: ['target_type', 'target_id'],
    risk: 'write',
  }),
  event_delete_message: ofEvent({
    description: 'Delete the message of this event.',
    parameters: schema(),
    events: ['message.received', 'message.edited'],
    api: 'delete_message',
    fixed: ['chat_type', 'chat_id', 'message_id'],
    risk: 'dangerous',
  }),
  event_get_actor: ofEvent({
    description: 'Look up the person who caused this event.',
    parameters: schema(),
    events: ['*'],
    api: 'get_user_info',
    fixed: ['user_id'],
    risk: 'read',
  }),
  event_get_group: ofEvent({
    description: 'Look up the group in which this event happened.',
    parameters: schema(),
    events: [...IN_GROUPS, 'bot.invited_to_group', 'bot.removed_from_group', 'bot.muted', 'bot.unmuted'],
    api: 'get_group_info',
    fixed: ['group_id'],
    risk: 'read',
  }),
  event_get_group_member: ofEvent({
    description: 'Look up the member of the group who caused this event.',
    parameters: schema(),
    events: IN_GROUPS,
    api: 'get_group_member_info',
    fixed: ['group_id', 'user_id'],
    risk: 'read',
  }),
  event_mute_member: ofEvent({
    description: 'Mute the member of the group who caused this event.',
    parameters: schema({ duration }),
    events: ON_MEMBERS,
    api: 'mute_member',
    fixed: ['group_id', 'user_id'],
    risk: 'dangerous',
  }),
  event_unmute_member: ofEvent({
    description: 'Let the member of the group who caused this event speak again.',
    parameters: schema(),
    events: ON_MEMBERS,
    api: 'unmute_member',
    fixed: ['group_id', 'user_id'],
    risk: 'write',
  }),
  event_kick_member: ofEvent({
    description: 'Remove the member who caused this event from the group.',
    parameters: schema(),
    events: ON_MEMBERS,
    api: 'kick_member',
    fixed: ['group_id', 'user_id'],
    risk: 'dangerous',
  }),
  event_respond_friend_request: ofEvent({
    description: 'Accept or refuse the friend request of this event.',
    parameters: schema(
      { approve: { type: 'boolean' }, remark: { type: 'string', description: 'Name to keep for the friend' } },
      ['approve'],
    ),
    events: ['friend.request_received'],
    api: 'approve_friend_request',
    fixed: ['request_id'],
    risk: 'write',
  }),
  event_respond_group_invite: ofEvent({
    description: 'Accept or refuse the group invitation of this event.',
    parameters: schema({ approve: { type: 'boolean' } }, ['approve']),
    events: ['bot.invited_to_group'],
    api: 'approve_group_invite',
    fixed: ['request_id'],
    risk: 'write',
  }),
  platform_send_message: ofPlatform({
    description: 'Send a text to any person or group that the bot can reach.',
    parameters: schema(
      { target_type: { type: 'string', enum: ['person', 'group'] }, target_id: id('person or group'), text },
      ['target_type', 'target_id', 'text'],
    ),
    api: 'send_message',
    risk: 'write',
  }),
  platform_get_message: ofPlatform({
    description: 'Read one message of a chat.',
    parameters: schema({ chat_type, chat_id: id('chat'), message_id: id('message') }, [
      'chat_type',
      'chat_id',
      'message_id',
    ]),
    api: 'get_message',
    risk: 'read',
  }),
  platform_delete_message: ofPlatform({
    description: 'Delete one message of a chat.',
    parameters: schema({ chat_type, chat_id: id('chat'), message_id: id('message') }, [
      'chat_type',
      'chat_id',
      'message_id',
    ]),
    api: 'delete_message',
    risk: 'dangerous',
  }),
  platform_get_group_info: ofPlatform({
    description: 'Look up a group.',
    parameters: schema({ group_id: id('group') }, ['group_id']),
    api: 'get_group_info',
    risk: 'read',
  }),
  platform_get_group_list: ofPlatform({
    description: 'List the groups that the bot is in.',
    parameters: schema(),
    api: 'get_group_list',
    risk: 'read',
  }),
  platform_get_group_member_list: ofPlatform({
    description: 'List the members of a group.',
    parameters: schema({ group_id: id('group') }, ['group_id']),
    api: 'get_group_member_list',
    risk: 'read',
  }),
  platform_get_group_member_info: ofPlatform({
    description: 'Look up a member of a group.',
    parameters: schema({ group_id: id('group'), user_id: id('member') }, ['group_id', 'user_id']),
    api: 'get_group_member_info',
    risk: 'read',
  }),
  platform_set_group_name: ofPlatform({
    description: 'Rename a group.',
    parameters: schema({ group_id: id('group'), name: { type: 'string', minLength: 1, description: 'The new name' } }, [
      'group_id',
      'name',
    ]),
    api: 'set_group_name',
    risk: 'write',
  }),
  platform_mute_member: ofPlatform({
    description: 'Mute a member of a group.',
    parameters: schema({ group_id: id('group'), user_id: id('member'), duration }, ['group_id', 'user_id']),
    api: 'mute_member',
    risk: 'dangerous',
  }),
  platform_unmute_member: ofPlatform({
    description: 'Let a muted member of a group speak again.',
    parameters: schema({ group_id: id('group'), user_id: id('member') }, ['group_id', 'user_id']),
    api: 'unmute_member',
    risk: 'write',
  }),
  platform_kick_member: ofPlatform({
    description: 'Remove a member from a group.',
    parameters: schema({ group_id: id('group'), user_id: id('member') }, ['group_id', 'user_id']),
    api: 'kick_member',
    risk: 'dangerous',
  }),
  platform_leave_group: ofPlatform({
    description: 'Leave a group. The bot cannot come back by itself.',
    parameters: schema({ group_id: id('group') }, ['group_id']),
    api: 'leave_group',
    risk: 'dangerous',
  }),
  platform_get_user_info: ofPlatform({
    description: 'Look up a person.',
    parameters: schema({ user_id: id('person') }, ['user_id']),
    api: 'get_user_info',
    risk: 'read',
  }),
  platform_get_friend_list: ofPlatform({
    description: 'List the friends of the bot.',
    parameters: schema(),
    api: 'get_friend_list',
    risk: 'read',
  }),
} as const satisfies Record<string, PlatformTool>
export type PlatformToolName = keyof typeof PLATFORM_TOOLS

/** True if `name` is a platform tool. Those names are the host's: no plugin tool may take one. */
export function isPlatformTool(name: string): name is PlatformToolName {
  return Object.hasOwn(PLATFORM_TOOLS, name)
}

/** The tool of a name, or undefined when it is no platform tool. */
export function platformTool(name: string): PlatformTool | undefined {
  return isPlatformTool(name) ? PLATFORM_TOOLS[name] : undefined
}

/** True if the event tool fits the event. Tools of scope `platform` do not depend on the event. */
export function platformToolFits(tool: PlatformTool, eventId: string): boolean {
  if (tool.scope === 'platform') return true
  // `group.member_*` is a prefix inside a word, which no pattern of a manifest can say.
  return tool.events.some((pattern) =>
    pattern.endsWith('_*') ? eventId.startsWith(pattern.slice(0, -1)) : matchesAnyEvent([pattern], eventId),
  )
}

/** What a call of a platform tool does; undefined when it is no platform tool. */
export function effectOfPlatformTool(name: string): 'none' | 'outside' | undefined {
  const tool = platformTool(name)
  if (tool === undefined) return undefined
  return effectOfPlatformApi(tool.api) === 'none' ? 'none' : 'outside'
}
