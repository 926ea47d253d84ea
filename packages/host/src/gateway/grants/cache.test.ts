import { describe, expect, test } from 'vitest'
import { CAPABILITIES, descriptor } from '../../runs/fixtures.ts'
import type { OperatorGrants } from '../../runs/types.ts'
import type { ToolInfo } from '../../tools/types.ts'
import { FACTS } from '../fixtures.ts'
import type { RunFacts } from '../types.ts'
import { GrantCache } from './cache.ts'
import { computeGrant } from './compute.ts'
import type { GrantInput } from './types.ts'

const WEATHER: ToolInfo = {
  name: 'get_weather',
  type: 'plugin',
  description: 'Weather',
  parameters: { type: 'object' },
  effect: 'none',
  source: 'table',
}

function input(more: Partial<GrantInput> = {}, facts: Partial<RunFacts> = {}): GrantInput {
  return {
    manifest: descriptor().manifest,
    operator: {},
    config: {},
    facts: { ...FACTS, ...facts },
    platform: CAPABILITIES,
    tools: [WEATHER],
    models: [],
    ...more,
  }
}

describe('the cache of grants', () => {
  const facts = (n: number): Partial<RunFacts> => ({
    actor: { actor_type: 'user', actor_id: `u-${n}`, actor_name: null, metadata: {} },
    subject: { subject_type: 'group', subject_id: `g-${n}`, data: {} },
    reply_target: { target_type: 'group', target_id: `g-${n}` },
    message_id: `m-${n}`,
  })

  test('[context.one-per-invocation] the answers are those of a fresh grant, and the targets those of the event', () => {
    const cache = new GrantCache()
    const operator: OperatorGrants = { event_tools: true, platform_tools: ['platform_get_user_info'] }
    const { manifest } = descriptor()
    const owner = {}
    const config = {}
    const shapes: Partial<RunFacts>[] = [
      facts(1),
      facts(2),
      { ...facts(3), message_id: null },
      { ...facts(4), actor: null },
      { ...facts(5), event_type: 'group.member_joined' },
      { ...facts(6), reply_target: { target_type: 'person', target_id: 'u-6' }, subject: null },
      { ...facts(7), conversation_key: null },
      { ...facts(8), simulate: { unsupported_apis: ['mute_member'] } },
      { ...facts(9), bot_uuid: 'b-2' },
      { ...facts(10), subject: null },
      { ...facts(11), subject: null, reply_target: { target_type: 'person', target_id: 'u-11' } },
      facts(12),
    ]
    for (const shape of shapes) {
      const given = input({ manifest, operator, config }, shape)
      const cached = cache.of(owner, given)
      const fresh = computeGrant(given)
      expect(cached.grant.tools).toEqual(fresh.grant.tools)
      expect([cached.resources, cached.available_apis, cached.lines]).toEqual([
        fresh.resources,
        fresh.available_apis,
        fresh.lines,
      ])
      const params = { group_id: `g-${shape.actor?.actor_id?.slice(2)}`, user_id: shape.actor?.actor_id ?? 'nobody' }
      for (const bot_uuid of ['b-1', 'b-2']) {
        const call = { bot_uuid, action: 'mute_member', params }
        expect(cached.grant.platform(call)).toEqual(fresh.grant.platform(call))
      }
    }
  })

  test('what changes an answer is never taken from it', () => {
    const cache = new GrantCache()
    const owner = {}
    const base = input({ operator: { tools: true } })
    expect(cache.of(owner, base).grant.tool('get_weather', 'call')).toBeNull()
    expect(cache.of(owner, { ...base, tools: [] }).grant.tool('get_weather', 'call')).not.toBeNull()
    expect(cache.of(owner, { ...base, operator: {} }).grant.tool('get_weather', 'call')).not.toBeNull()
    expect(cache.of(owner, { ...base, platform: undefined }).resources.tools).toHaveLength(2)
    const { manifest } = descriptor({ capabilities: {} })
    expect(cache.of(owner, { ...base, manifest }).resources.tools).toEqual([])
    expect(cache.of(owner, base).grant.tool('get_weather', 'call')).toBeNull()
  })
})
