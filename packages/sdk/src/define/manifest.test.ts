/** Manifests follow from definitions, fit the documented shape, and are the same text each time. */
import { ComponentManifestSchema, PluginManifestSchema } from '@runbound/protocol/schemas'
import { describe, expect, test } from 'vitest'
import { definePlugin, defineRunner, field, manifestOf, SDK_VERSION, SdkError } from '../index.ts'

const greeter = defineRunner({
  name: 'greeter',
  label: { zh_Hans: '问候', en_US: 'Greeter' },
  description: 'Greets',
  usages: ['event', 'agent'],
  capabilities: { steering: true, tool_calling: true, streaming: false },
  permissions: { storage: ['workspace', 'plugin'], tools: ['call'] },
  config: {
    greeting: field.string({ default: 'Hello', label: 'Greeting', required: true }),
    mode: field.select({
      options: ['a', { name: 'b', label: 'B' }],
      show_if: { field: 'greeting', operator: 'neq', value: '' },
    }),
  },
  on: { 'message.received': async () => {}, '*': async () => {} },
})
const plugin = definePlugin({
  author: 'acme',
  name: 'greeter',
  version: '1.0.0',
  icon: 'logo.png',
  components: [greeter],
  config: { key: field.secret({ required: true }), many: field.arrayOfStrings({ default: [] }) },
})

describe('manifestOf', () => {
  test('the documented shapes, names in the order of the specification', () => {
    const { manifest, components, sdk } = manifestOf(plugin)
    expect(sdk).toEqual({ name: '@runbound/sdk', version: SDK_VERSION })
    expect(manifest).toEqual({
      apiVersion: 'v1',
      kind: 'Plugin',
      metadata: { author: 'acme', name: 'greeter', version: '1.0.0', label: { en_US: 'greeter' }, icon: 'logo.png' },
      spec: {
        config: [
          { type: 'secret', name: 'key', label: { en_US: 'key' }, required: true },
          { type: 'array[string]', name: 'many', label: { en_US: 'many' }, default: [] },
        ],
        components: {},
        pages: [],
      },
    })
    expect(components).toEqual([
      {
        apiVersion: 'langbot/v1',
        kind: 'Runner',
        metadata: { name: 'greeter', label: { en_US: 'Greeter', zh_Hans: '问候' }, description: { en_US: 'Greets' } },
        spec: {
          usages: ['event', 'agent'],
          events: ['message.received', '*'],
          capabilities: {
            streaming: false,
            tool_calling: true,
            knowledge_retrieval: false,
            multimodal_input: false,
            skill_authoring: false,
            interrupt: false,
            steering: true,
            interactions: false,
          },
          permissions: {
            models: [],
            tools: ['call'],
            knowledge_bases: [],
            history: [],
            events: [],
            storage: ['plugin', 'workspace'],
            interactions: [],
          },
          config: [
            { type: 'string', name: 'greeting', label: { en_US: 'Greeting' }, required: true, default: 'Hello' },
            {
              type: 'select',
              name: 'mode',
              label: { en_US: 'mode' },
              options: [
                { name: 'a', label: { en_US: 'a' } },
                { name: 'b', label: { en_US: 'B' } },
              ],
              show_if: { field: 'greeting', operator: 'neq', value: '' },
            },
          ],
        },
      },
    ])
    PluginManifestSchema.parse(manifest)
    for (const component of components) ComponentManifestSchema.parse(component)
  })

  test('the same text each time, whatever the order of the author; a copy', () => {
    const again = defineRunner({
      usages: ['event', 'agent'],
      permissions: { tools: ['call'], storage: ['plugin', 'workspace'] },
      capabilities: { tool_calling: true, steering: true },
      config: {
        greeting: field.string({ required: true, label: 'Greeting', default: 'Hello' }),
        mode: field.select({
          show_if: { field: 'greeting', operator: 'neq', value: '' },
          options: ['a', { name: 'b', label: 'B' }],
        }),
      },
      description: 'Greets',
      label: { en_US: 'Greeter', zh_Hans: '问候' },
      name: 'greeter',
      on: { 'message.received': async () => {}, '*': async () => {} },
    })
    expect(JSON.stringify(again.manifest)).toBe(JSON.stringify(greeter.manifest))
    const copy = manifestOf(plugin)
    Object.assign(copy.manifest, { kind: 'changed' })
    expect(manifestOf(plugin).manifest.kind).toBe('Plugin')
  })

  test('the entry of a package is shown, in the documented shape', () => {
    const { manifest } = manifestOf(plugin, { entry: 'index.mjs' })
    expect(manifest.execution).toEqual({ node: { path: 'index.mjs' } })
    PluginManifestSchema.parse(manifest)
  })

  test('events: those given, else the keys of on', () => {
    const given = defineRunner({
      name: 'a',
      usages: ['event'],
      events: ['message.*'],
      on: { 'friend.added': () => {} },
    })
    expect(given.manifest.spec).toMatchObject({ events: ['message.*'] })
  })
})

describe('definitions that cannot work are refused where they stand', () => {
  const runner = (spec: object) => () => defineRunner({ name: 'r', usages: ['agent'], run() {}, ...spec } as never)
  const cases: [string, () => unknown, string][] = [
    ['a Runner name', runner({ name: 'My Runner' }), 'lower-case'],
    ['no usage', runner({ usages: [] }), 'usages is required'],
    ['a usage', runner({ usages: ['command'] }), 'no usage "command"'],
    ['a capability', runner({ capabilities: { tool_caling: true } }), 'no capability "tool_caling". Known: streaming'],
    ['a permission group', runner({ permissions: { tolls: [] } }), 'no permission group "tolls"'],
    ['a permission', runner({ permissions: { tools: ['calls'] } }), 'no tools permission "calls". Known: detail, call'],
    ['an event handler', runner({ on: { 'message.recieved': () => {} } }), 'no event handler "message.recieved"'],
    ['an event pattern', runner({ events: ['massage.*'] }), 'picks no event'],
    ['nothing to run', runner({ run: undefined }), 'nothing to run'],
    ['usage event without events', runner({ usages: ['event'] }), "usage 'event' needs events"],
    [
      'a condition',
      runner({ config: { a: field.string({ show_if: { field: 'b', operator: 'eq', value: 1 } }) } }),
      'names "b", which is no field',
    ],
    ['a field option', () => field.string({ defualt: 'x' } as never), 'no option "defualt"'],
    ['an author', () => definePlugin({ author: '', name: 'n', version: '1.0.0', components: [] }), 'Plugin author ""'],
    [
      'a version',
      () => definePlugin({ author: 'a', name: 'n', version: '1', components: [] }),
      'version "1" is not like 1.2.3',
    ],
    [
      'two of a name',
      () => definePlugin({ author: 'a', name: 'n', version: '1.0.0', components: [greeter, greeter] }),
      'Runner "greeter"',
    ],
  ]
  test.each(cases)('%s', (_what, define, says) => {
    let error: unknown
    try {
      define()
    } catch (caught) {
      error = caught
    }
    expect(SdkError.isInstance(error) && error.code).toBe('invalid_definition')
    expect(String(error)).toContain(says)
  })
})
