/** Routes as they are edited: order and priority, and the YAML of apply both ways. */
import { expect, test } from 'vitest'
import { en as forms } from '../../forms/words/en.ts'
import { type DraftRoute, draftOf, moved, type ProcessorItem, routesYaml } from './routes-draft.ts'
import { en } from './words/en.ts'

const route = (route_id: string, priority = 0, more: Partial<DraftRoute> = {}): DraftRoute => ({
  route_id,
  event_pattern: 'message.received',
  filters: [],
  target_type: 'agent',
  processor_id: 'p-1',
  priority,
  scope: 'chat',
  enabled: true,
  description: '',
  ...more,
})
const agent: ProcessorItem = {
  processor_id: 'p-1',
  kind: 'agent',
  name: 'greeter',
  runner_id: 'plugin:a/b/c',
  config: {},
  grants: {},
  options: {},
  enabled: true,
}

test('shown in the order in which they are tried', () => {
  const stored = [route('low'), route('high', 5)].map((one, position) => ({ ...one, bot_uuid: 'b', position }))
  expect(draftOf({ routes: stored, plugin_processors: [] }).routes.map(({ route_id }) => route_id)).toEqual([
    'high',
    'low',
  ])
})

test('a route that is moved takes a priority that keeps it there', () => {
  const routes = [route('a', 9), route('b', 9), route('c', 0), route('d', -1)]
  const tried = (list: readonly DraftRoute[]) =>
    draftOf({ routes: list.map((one, position) => ({ ...one, bot_uuid: 'b', position })), plugin_processors: [] })
      .routes
  for (const [from, to] of [[0, 3], [3, 0], [1, 2], [2, 1], [0, 1]] as const) {
    const next = moved(routes, from, to)
    expect(tried(next).map(({ route_id }) => route_id)).toEqual(next.map(({ route_id }) => route_id))
    expect(next[to]?.route_id).toBe(routes[from]?.route_id)
  } // biome-ignore format: a table
  expect(moved(routes, 0, 4)).toBe(routes)
})

test('the YAML of apply, both ways: ids stay, names lead to agents, another bot is refused at its line', () => {
  const codec = routesYaml('support', [agent], en, forms.yaml)
  const filters = [{ field: 'message_text', operator: 'starts_with' as const, value: '!' }]
  const before = {
    routes: [
      route('r-1', 2, { filters, target_type: 'discard', processor_id: null }),
      route('r-2', 0, { scope: 'member' }),
    ],
    plugin_processors: [{ processor_id: 'p-9', scope: 'chat' as const, enabled: true }],
  }
  const text = codec.write(before)
  expect(text).toContain('agent: greeter')
  expect(codec.read(text, before)).toEqual({ ok: true, value: before })
  expect(codec.read(text.replaceAll('support', 'other'), before)).toEqual({
    ok: false,
    line: 2,
    message: en.otherBot('support'),
  })
  expect(codec.read(text.replace('greeter', 'nobody'), before)).toMatchObject({
    ok: false,
    message: en.noAgent('nobody'),
  })
})
