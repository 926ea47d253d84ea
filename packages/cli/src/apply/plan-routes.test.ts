import { SetupFileSchema } from '@runbound/api'
import { expect, test } from 'vitest'
import type { HostState } from './host-state.ts'
import { planRoutes } from './plan-routes.ts'

const stored = {
  bot_uuid: 'b-1',
  route_id: 'r-1',
  position: 0,
  event_pattern: 'message.received',
  filters: [],
  target_type: 'discard' as const,
  processor_id: null,
  priority: 0,
  scope: 'chat' as const,
  enabled: true,
  description: '',
}
const host = {
  bots: [
    { bot_uuid: 'b-1', name: 'Desk' },
    { bot_uuid: 'b-2', name: 'Other' },
  ],
  processors: [],
  routing: new Map([
    ['b-1', { routes: [stored], plugin_processors: [] }],
    ['b-2', { routes: [{ ...stored, bot_uuid: 'b-2' }], plugin_processors: [] }],
  ]),
} as unknown as HostState

const planned = (file: object) =>
  planRoutes({ content: SetupFileSchema.parse(file), place: () => 's.yaml:1:1' }, host).map(({ name, lines }) => ({
    name,
    lines,
  }))
const bots = [{ name: 'Desk', platform: 'webchat' }]

test('without the key the routes stay; an empty list takes them from the bots of the file, and from no other', () => {
  expect(planned({ bots })).toEqual([])
  expect(planned({ bots, routes: [] })).toEqual([{ name: 'Desk', lines: ['- message.received -> discard'] }])
  expect(planned({ bots, routes: [{ bot: 'Other', event: '*', discard: true }] }).map(({ name }) => name)).toEqual([
    'Other',
  ])
})

test('an empty list that is about no bot is a fault', () => {
  expect(() => planned({ routes: [] })).toThrow(/s\.yaml:1:1: no routes, but for which bots\?/)
})
