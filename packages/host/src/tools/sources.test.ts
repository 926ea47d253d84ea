import type { JsonObject } from '@runbound/protocol'
import { beforeEach, describe, expect, test } from 'vitest'
import { reasonOf, type ToolHost, toolHost, WEATHER } from './fixtures.ts'

let host: ToolHost
beforeEach(() => {
  host = toolHost()
})

describe('tools of other sources', () => {
  beforeEach(() => {
    host.tools.register(host.table([WEATHER]))
  })

  test('[run-api.get-tool-detail] [runner.tools.call] a granted tool is described and called', async () => {
    const living = host.run({ tools: ['get_weather'] }, {}, host.tools.list('w-1'))
    expect(await host.call('get_tool_detail', { run_id: 'run-1', tool_name: 'get_weather' })).toEqual({
      tool: {
        name: 'get_weather',
        description: 'Weather of a city',
        human_desc: 'Weather of a city',
        parameters: WEATHER.parameters,
      },
    })
    expect(await host.tool('get_weather', { city: 'bern', days: 2 })).toEqual({ result: { sky: 'blue' } })
    expect(host.toolCalls).toEqual([{ name: 'get_weather', parameters: { city: 'bern', days: 2 } }])
    expect(living.marks.count).toBe(0)
  })

  test.each<[JsonObject, string]>([
    [{}, 'parameters.city'],
    [{ city: '' }, 'parameters.city'],
    [{ city: 'Bern' }, 'parameters.city'],
    [{ city: 7 }, 'parameters.city'],
    [{ city: 'bern', days: 0 }, 'parameters.days'],
    [{ city: 'bern', days: 1.5 }, 'parameters.days'],
    [{ city: 'bern', extra: 1 }, 'parameters.extra'],
  ])(
    '[run-api.call-tool.parameters-checked] %j is refused at %s before anything is done',
    async (parameters, field) => {
      host.run({ tools: true }, {}, host.tools.list('w-1'))
      await expect(host.tool('get_weather', parameters)).rejects.toMatchObject({
        details: { reason: 'invalid_params', field },
      })
      expect(host.toolCalls).toEqual([])
    },
  )

  test('[runner.tools.not-listed-refused] a tool that is there and not granted is not called', async () => {
    host.run({ tools: [] }, {}, host.tools.list('w-1'))
    expect(await reasonOf(host.tool('get_weather', { city: 'bern' }))).toBe('permission_denied')
    expect(await reasonOf(host.call('get_tool_detail', { run_id: 'run-1', tool_name: 'get_weather' }))).toBe(
      'permission_denied',
    )
    expect(await reasonOf(host.tool('no_such_tool'))).toBe('permission_denied')
    expect(host.toolCalls).toEqual([])
  })

  test('a tool with an effect is noted before it is called; its failure is its own', async () => {
    const order: string[] = []
    host.tools.register({
      source: 'other',
      list: () => [
        {
          ...WEATHER,
          name: 'book',
          source: 'other',
          effect: 'outside',
          parameters: { type: 'object', properties: {} },
        },
      ],
      call: async () => {
        order.push(`marks ${living.marks.count}`)
        throw new RangeError('sold out')
      },
    })
    const living = host.run({ tools: true }, {}, host.tools.list('w-1'))
    await expect(host.tool('book', { _call: 'note of a model' })).rejects.toMatchObject({
      message: 'The tool book failed: sold out',
      details: { reason: 'tool_failed' },
    })
    expect(order).toEqual(['marks 1'])
  })

  test('what was granted is never another tool of the same name', async () => {
    const takeAway = host.tools.register(host.table([{ ...WEATHER, name: 'moved', source: 'second' }], 'second'))
    host.run({ tools: ['moved'] }, {}, host.tools.list('w-1'))
    takeAway()
    expect(await reasonOf(host.tool('moved', { city: 'bern' }))).toBe('not_available')
    host.tools.register(host.table([{ ...WEATHER, name: 'moved', source: 'third' }], 'third'))
    expect(await reasonOf(host.tool('moved', { city: 'bern' }))).toBe('not_available')
    expect(host.toolCalls).toEqual([])
  })

  test('a doubled name is refused: the older source keeps it, and the platform’s names are taken', async () => {
    host.tools.register(
      host.table(
        [
          { ...WEATHER, description: 'Another', source: 'second' },
          { ...WEATHER, name: 'event_reply', source: 'second' },
        ],
        'second',
      ),
    )
    expect(host.tools.list('w-1').map(({ name, source }) => [name, source])).toEqual([['get_weather', 'table']])
    expect(() => host.tools.register(host.table([], 'second'))).toThrow(/already/)
  })

  test('a hostile pattern does not hold the host up', async () => {
    const parameters = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } }
    host.tools.register(host.table([{ ...WEATHER, name: 'slow', parameters, source: 'slow' }], 'slow'))
    host.run({ tools: true }, {}, host.tools.list('w-1'))
    const at = performance.now()
    expect(await reasonOf(host.tool('slow', { text: `${'a'.repeat(60)}!` }))).toBe('invalid_params')
    expect(performance.now() - at).toBeLessThan(1_000)
  })
})
