import type { ConfigItemInput, JsonObject } from '@runbound/protocol'
import { ConfigItemSchema } from '@runbound/protocol/schemas'
import { openStore, type Store } from '@runbound/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { configValues } from '../config-values.ts'
import { HostError } from '../errors.ts'
import { createSealer } from '../identity/secrets.ts'
import { createLogger } from '../telemetry/log.ts'
import { descriptor, processor } from './fixtures.ts'
import { createProcessors } from './processors.ts'
import type { Processors } from './types.ts'

const SCHEMA: ConfigItemInput[] = [
  { type: 'string', name: 'greeting', label: { en_US: 'Greeting' }, required: true, default: 'Hello' },
  { type: 'select', name: 'mode', options: [{ name: 'a' }, { name: 'b' }], default: 'a' },
  { type: 'integer', name: 'count', show_if: { field: 'mode', operator: 'eq', value: 'b' }, required: true },
]
const items = (given: ConfigItemInput[] = SCHEMA) => given.map((item) => ConfigItemSchema.parse(item))

const secrets = createSealer(null)
let store: Store
let processors: Processors
beforeEach(async () => {
  store = await openStore({ folder: ':memory:' })
  processors = createProcessors({
    store,
    clock: systemClock,
    logger: createLogger({ level: 'silent' }),
    secrets,
    runner: (id) =>
      id === 'plugin:acme/demo/talker'
        ? descriptor({ config_schema: SCHEMA })
        : id === 'plugin:acme/demo/events'
          ? descriptor({ usages: ['event'] }, id)
          : { code: 'runner.not_found', message: `There is no Runner ${id}.` },
  })
})
afterEach(() => store.close())

async function faultOf(promise: Promise<unknown>): Promise<[string, string | null]> {
  try {
    await promise
  } catch (error) {
    if (HostError.is(error)) return [error.code, error.at]
    throw error
  }
  return ['no fault', null]
}

describe('processors', () => {
  test('[runner.context.config] are kept with their settings, each its own, and replaced', async () => {
    const first = await processors.put(processor({ config: { greeting: 'Hi', timeout: 9n as never } }))
    expect(first.config).toEqual({ greeting: 'Hi', mode: 'a', timeout: 9n })
    await processors.put(
      processor({ processor_id: 'p-2', name: 'Other', grants: { tools: true }, options: { sentence: 'Sorry.' } }),
    )
    expect(await processors.get('p-1')).toEqual({ ...processor(), config: { greeting: 'Hi', mode: 'a', timeout: 9 } })
    expect(await processors.get('p-2')).toMatchObject({
      config: { greeting: 'Hello' },
      grants: { tools: true },
      options: { sentence: 'Sorry.' },
    })
    expect((await processors.list('w-1')).map(({ name }) => name)).toEqual(['Agent', 'Other'])
    expect(await processors.list('w-2')).toEqual([])
    await processors.put(processor({ config: { greeting: 'Hey' }, enabled: false }))
    expect(await processors.get('p-1')).toMatchObject({ config: { greeting: 'Hey' }, enabled: false })
    await processors.remove('p-1')
    expect(await processors.get('p-1')).toBeUndefined()
    expect(await faultOf(processors.remove('p-1'))).toEqual(['not_found', null])
  })

  test('one that did not exist is found once it does', async () => {
    expect(await processors.get('p-1')).toBeUndefined()
    await processors.put(processor())
    expect(await processors.get('p-1')).toBeDefined()
  })

  test.each([
    [{ runner_id: 'plugin:no/such/one' }, 'runner_id'],
    [{ runner_id: 'plugin:acme/demo/events' }, 'runner_id'],
    [{ kind: 'pipeline', runner_id: 'plugin:acme/demo/events' } as const, 'runner_id'],
    [{ config: { greeting: 7 } }, 'config.greeting'],
    [{ config: { greting: 'typo' } }, 'config.greting'],
    [{ config: { mode: 'c' } }, 'config.mode'],
    [{ config: { mode: 'b' } }, 'config.count'],
    [{ name: ' ' }, 'name'],
    [{ grants: { event_tools: ['event_replay'] } }, 'grants.event_tools[0]'],
    [{ grants: { platform_tools: ['event_reply'] } }, 'grants.platform_tools[0]'],
    [{ grants: { state: ['runner', 'moon'] } }, 'grants.state[1]'],
    [{ options: { deadline_seconds: -1 } }, 'options.deadline_seconds'],
    [{ options: { sentence: 'x'.repeat(2_001) } }, 'options.sentence'],
  ])('%j is refused at %s and nothing is kept', async (more, at) => {
    expect(await faultOf(processors.put(processor(more)))).toEqual(['invalid_config', at])
    expect(await processors.list('w-1')).toEqual([])
  })

  test('a name is used once; a processor with a route stays', async () => {
    await processors.put(processor())
    expect(await faultOf(processors.put(processor({ processor_id: 'p-2' })))).toEqual(['conflict', 'name'])
    await store.commit([
      {
        sql: "insert into bots (bot_uuid, workspace_uuid, name, platform, settings, created_at, updated_at) values ('b-1', 'w-1', 'b', 'demo', '{}', 0, 0)",
        params: [],
      },
      {
        sql: "insert into routes (route_id, workspace_uuid, bot_uuid, event_pattern, target_type, processor_id, position) values ('r', 'w-1', 'b-1', '*', 'agent', 'p-1', 0)",
        params: [],
      },
    ])
    expect(await faultOf(processors.remove('p-1'))).toEqual(['conflict', null])
    expect(await processors.get('p-1')).toBeDefined()
  })
})

describe('settings', () => {
  const fault = (schema: ConfigItemInput[], given: JsonObject): string => {
    try {
      configValues(items(schema), given)
    } catch (error) {
      if (HostError.is(error)) return error.message
      throw error
    }
    return 'no fault'
  }

  test.each<[ConfigItemInput['type'], JsonObject[string], JsonObject[string]]>([
    ['string', 'x', 1],
    ['text', 'x', []],
    ['secret', 'x', {}],
    ['integer', 3, '3'],
    ['float', 1.5, 'x'],
    ['boolean', false, 'yes'],
    ['array[string]', ['a'], ['a', 1]],
    ['file', { file_key: 'k', mimetype: 'image/png' }, 'k'],
    ['array[file]', [{ file_key: 'k' }], [{}]],
    ['llm-model-selector', 'm', { primary: 'm' }],
    ['model-fallback-selector', { primary: 'm', fallbacks: [] }, { fallbacks: [] }],
    ['model-fallback-selector', 'm', 7],
    ['knowledge-base-multi-selector', ['k'], 'k'],
    ['prompt-editor', [{ role: 'system', content: '' }], ['x']],
  ])('%s takes %j and not %j', (type, good, bad) => {
    expect(configValues(items([{ type, name: 'n' }]), { n: good })).toEqual({ n: good })
    expect(fault([{ type, name: 'n' }], { n: bad })).toMatch(/^The setting "n": expected/)
  })

  test('types of the author’s own, json, and Runners without a schema take anything', () => {
    for (const type of ['password', 'json'])
      expect(configValues(items([{ type, name: 'n' }]), { n: { a: [1] } })).toEqual({ n: { a: [1] } })
    expect(configValues([], { whatever: true })).toEqual({ whatever: true })
  })

  test('null and absent mean "not given": the default, or nothing', () => {
    expect(configValues(items(), { greeting: null, mode: null })).toEqual({ greeting: 'Hello', mode: 'a' })
    expect(fault([{ type: 'string', name: 'n', required: true }], { n: null })).toContain('it is required')
    expect(fault([{ type: 'string', name: 'n', required: true }], { n: '' })).toContain('must not be empty')
    expect(fault([{ type: 'array[string]', name: 'n', required: true }], { n: [] })).toContain('must not be empty')
  })

  test('a hidden field is not asked for and keeps its value; unknown conditions never hide', () => {
    expect(configValues(items(), { mode: 'a', count: 'kept as it is' })).toMatchObject({ count: 'kept as it is' })
    expect(configValues(items(), { mode: 'b', count: 2 })).toMatchObject({ count: 2 })
    const shown = (show_if: ConfigItemInput['show_if']) =>
      fault(
        [
          { type: 'string', name: 'a' },
          { type: 'string', name: 'n', required: true, show_if },
        ],
        { a: 'x' },
      )
    expect(shown({ field: 'a', operator: 'neq', value: 'x' })).toBe('no fault')
    expect(shown({ field: 'a', operator: 'in', value: ['y'] })).toBe('no fault')
    expect(shown({ field: 'a', operator: 'in', value: ['x'] })).toContain('required')
    expect(shown({ field: 'a', operator: 'matches', value: 'y' })).toContain('required')
  })

  test('keys that forms add beside the declared ones are kept; what is only shown has no value', () => {
    expect(configValues(items(), { timeout: 30, 'enable-all-tools': false })).toMatchObject({
      timeout: 30,
      'enable-all-tools': false,
    })
    expect(configValues(items([{ type: 'webhook-url', name: 'url', required: true }]), {})).toEqual({})
  })
})
