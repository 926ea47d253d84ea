/** Manifests: what is required, what is kept, what is refused. */
import { describe, expect, test } from 'vitest'
import {
  ComponentManifestSchema,
  ConfigItemSchema,
  isInsidePath,
  PluginManifestSchema,
  RunnerManifestSchema,
} from '../schemas.ts'

const metadata = { name: 'm', label: { en_US: 'M' } }
const component = (kind: string, spec?: unknown) =>
  ComponentManifestSchema.safeParse({ apiVersion: 'v1', kind, metadata, ...(spec === undefined ? {} : { spec }) })
const runner = (spec: object) => component('Runner', spec)

describe('component manifests', () => {
  test.each(['EventListener', 'Command', 'KnowledgeEngine', 'KnowledgeRetriever', 'Parser', 'Page'])(
    '%s needs no spec',
    (kind) => expect(component(kind).success).toBe(true),
  )
  test.each(['EventListener', 'Command'])('%s may say spec: null', (kind) =>
    expect(component(kind, null).success).toBe(true),
  )
  test('an unknown kind is refused', () => expect(component('AgentRunner', {}).success).toBe(false))

  test('a Runner says its usages, and its events if it is a plugin processor', () => {
    expect(runner({}).success).toBe(false)
    expect(runner({ usages: [] }).success).toBe(false)
    expect(runner({ usages: ['agent'] }).success).toBe(true)
    expect(runner({ usages: ['event'] }).success).toBe(false)
    expect(runner({ usages: ['event'], events: ['message.*'] }).success).toBe(true)
    expect(runner({ usages: ['agent'], events: null }).success).toBe(false)
  })
  test('an unknown capability or permission is refused, not ignored', () => {
    const usages = ['agent']
    expect(runner({ usages, capabilities: { steering: true } }).success).toBe(true)
    expect(runner({ usages, capabilities: { steerin: true } }).success).toBe(false)
    expect(runner({ usages, permissions: { history: ['page'] } }).success).toBe(true)
    expect(runner({ usages, permissions: { history: ['pages'] } }).success).toBe(false)
    expect(runner({ usages, permissions: { files: ['config'] } }).success).toBe(false)
  })
  test('other spec keys are kept', () => {
    expect(runner({ usages: ['agent'], mine: { a: 1 } }).data?.spec).toMatchObject({ mine: { a: 1 } })
  })
  test('an execution of null is refused, one of either language is read', () => {
    const tool = (execution: unknown) =>
      ComponentManifestSchema.safeParse({ apiVersion: 'v1', kind: 'Tool', metadata, spec: {}, execution }).success
    expect(tool(null)).toBe(false)
    expect(tool({ python: { path: './a.py', attr: 'A' } })).toBe(true)
    expect(tool({ node: { path: 'index.js' } })).toBe(true)
    expect(tool({ python: { path: '../a.py', attr: 'A' } })).toBe(false)
    expect(tool({ python: { path: 'a.py', attr: 'A' }, sharedRuntime: null })).toBe(false)
  })
  test.each(['', '/a', '../a', 'a/../../b', 'C:/a', 'a\0', '..\\a', '.', './'])('%j is not inside', (path) =>
    expect(isInsidePath(path)).toBe(false),
  )
  test.each(['a', './a/b.py', 'a\\b', 'a..b', 'a/...'])('%j is inside', (path) => expect(isInsidePath(path)).toBe(true))
})

describe('plugin manifest', () => {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Plugin',
    metadata: { ...metadata, author: 'a', version: '1.0.0' },
    spec: { components: {} },
  }
  test('needs author, name, version and components', () => {
    expect(PluginManifestSchema.safeParse(manifest).success).toBe(true)
    expect(PluginManifestSchema.safeParse({ ...manifest, metadata }).success).toBe(false)
    expect(PluginManifestSchema.safeParse({ ...manifest, spec: {} }).success).toBe(false)
    expect(PluginManifestSchema.safeParse({ ...manifest, spec: { components: null } }).success).toBe(false)
    expect(PluginManifestSchema.safeParse({ ...manifest, kind: 'Tool' }).success).toBe(false)
  })
})

describe('config items and listings', () => {
  test('an item keeps keys that are not known', () => {
    const item = ConfigItemSchema.parse({
      type: 'file',
      name: 'f',
      accept: '.pdf',
      show_if: { field: 'a', operator: 'eq', value: 1 },
    })
    expect(item).toMatchObject({ accept: '.pdf', show_if: { value: 1 }, required: false, default: null })
  })
  test('a listing refuses keys that are not known', () => {
    const listing = { id: 'plugin:a/p/r', name: 'r', label: { en_US: 'R' }, usages: ['agent'] }
    expect(RunnerManifestSchema.parse(listing).supported_event_patterns).toEqual(['*'])
    expect(RunnerManifestSchema.safeParse({ ...listing, limits: {} }).success).toBe(false)
  })
})
