/** Platform tools: names, schemas, events and what the host fixes. */
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { INSTALLATION_APIS, installationApiOf } from './langbot-api.ts'
import { effectOfPlatformApi, PLATFORM_APIS } from './platform-apis.ts'
import {
  effectOfPlatformTool,
  isPlatformTool,
  PLATFORM_TOOLS,
  type PlatformTool,
  platformTool,
  platformToolFits,
} from './platform-tools.ts'
import { isJsonObject } from './schemas.ts'

const tools = Object.entries<PlatformTool>(PLATFORM_TOOLS).map(([name, tool]) => ({ name, tool }))
const NAMES = [
  'event_reply',
  'event_delete_message',
  'event_get_actor',
  'event_get_group',
  'event_get_group_member',
  'event_mute_member',
  'event_unmute_member',
  'event_kick_member',
  'event_respond_friend_request',
  'event_respond_group_invite',
  'platform_send_message',
  'platform_get_message',
  'platform_delete_message',
  'platform_get_group_info',
  'platform_get_group_list',
  'platform_get_group_member_list',
  'platform_get_group_member_info',
  'platform_set_group_name',
  'platform_mute_member',
  'platform_unmute_member',
  'platform_kick_member',
  'platform_leave_group',
  'platform_get_user_info',
  'platform_get_friend_list',
]

describe('platform tools', () => {
  test('are the documented ones', () => {
    expect(Object.keys(PLATFORM_TOOLS)).toEqual(NAMES)
    expect(isPlatformTool('hasOwnProperty')).toBe(false)
    expect(platformTool('weather')).toBeUndefined()
  })
  test.each(tools)('$name: caller and host together give what the API takes', ({ tool }) => {
    const own = isJsonObject(tool.parameters.properties) ? Object.keys(tool.parameters.properties) : []
    // A text of the caller becomes the message of the API.
    const given = [...own.map((key) => (key === 'text' ? 'message' : key)), ...tool.fixed]
    expect(given.toSorted()).toEqual(PLATFORM_APIS[tool.api].params.map((name) => name.replace('?', '')).toSorted())
    expect(own.filter((key) => tool.fixed.includes(key))).toEqual([])
  })
  test.each(tools)('$name: its schema refuses other keys and empty texts', ({ tool }) => {
    const accepts = new Ajv({ strict: true, allErrors: true }).compile(tool.parameters)
    const required = Array.isArray(tool.parameters.required) ? tool.parameters.required.map(String) : []
    const properties = isJsonObject(tool.parameters.properties) ? tool.parameters.properties : {}
    const sample = Object.fromEntries(
      required.map((key) => {
        const property = properties[key]
        if (!isJsonObject(property)) throw new Error(`${key} is required but not described`)
        return [key, Array.isArray(property.enum) ? property.enum[0] : property.type === 'boolean' ? true : 'x']
      }),
    )
    expect(accepts(sample)).toBe(true)
    expect(accepts({ ...sample, not_a_known_key: 1 })).toBe(false)
    for (const key of required) expect(accepts({ ...sample, [key]: '' })).toBe(false)
    for (const key of required) expect(accepts({ ...sample, [key]: undefined })).toBe(false)
  })
  test('event tools fit the documented events', () => {
    const fits = (name: string, id: string) => {
      const tool = platformTool(name)
      if (tool === undefined) throw new Error(name)
      return platformToolFits(tool, id)
    }
    expect(fits('event_reply', 'interaction.submitted')).toBe(true)
    expect(fits('event_reply', 'bot.muted')).toBe(false)
    expect(fits('event_kick_member', 'group.member_joined')).toBe(true)
    expect(fits('event_kick_member', 'group.info_updated')).toBe(false)
    expect(fits('event_get_group', 'bot.unmuted')).toBe(true)
    expect(fits('event_get_group', 'bot.other')).toBe(false)
    expect(fits('event_get_actor', 'platform.specific')).toBe(true)
    expect(fits('event_delete_message', 'message.reaction')).toBe(false)
    expect(fits('platform_leave_group', 'friend.added')).toBe(true)
  })
  test('reading ones have no effect, all others leave the host', () => {
    for (const name of NAMES) expect(effectOfPlatformTool(name)).toBe(/_get_/.test(name) ? 'none' : 'outside')
    expect(effectOfPlatformApi('get_user_info')).toBe('none')
    expect(effectOfPlatformApi('pin_message')).toBe('outside')
    expect(effectOfPlatformApi('toString')).toBe('outside')
  })
})

describe('entries of the installation grant', () => {
  test('sending, moderating and leaving need their own consent', () => {
    const own = Object.keys(INSTALLATION_APIS).filter((name) => INSTALLATION_APIS[name]?.consent === 'own')
    expect(own).toEqual(
      expect.arrayContaining([
        'send_message',
        'platform:kick_member',
        'platform:mute_member',
        'platform:leave_group',
        'platform:delete_message',
      ]),
    )
    expect(own.filter((name) => /:get_/.test(name))).toEqual([])
  })
  test('every platform call has an entry', () => {
    for (const action of Object.keys(PLATFORM_APIS))
      expect(INSTALLATION_APIS).toHaveProperty([installationApiOf(action)])
  })
})
