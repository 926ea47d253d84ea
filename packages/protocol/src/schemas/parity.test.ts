/**
 * Our schemas and the JSON Schemas of the Python SDK accept and refuse the same: values are made from the JSON Schema, then
 * broken (a key dropped, a value of another type, a key added), and both judge them. Where we differ on purpose, DIFFERENT
 * says why.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MESSAGE_COMPONENT_TYPES } from '../messages.ts'
import * as schemas from '../schemas.ts'

type Node = Readonly<Record<string, unknown>>
const generated: Readonly<Record<string, Node>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/schemas.json'), 'utf8'),
)

/** Here the class is known by the field that holds it, so its own name may be left out. */
const NAMED_BY_FIELD = ['FriendMessage', 'GroupMessage', 'FeedbackEvent']

/**
 * The generated schema of a class, as the wire has it: fields that never travel are gone, and the name that picks the class
 * (`type`, `event_name`) has its one value.
 */
function onTheWire(type: string, node: Node): Node {
  if (!isNode(node.properties)) return node
  const never = Array.isArray(node['x-never-written']) ? node['x-never-written'] : []
  const properties = Object.fromEntries(Object.entries(node.properties).filter(([key]) => !never.includes(key)))
  const required = (Array.isArray(node.required) ? node.required : []).filter((key) => !never.includes(key))
  for (const key of ['type', 'event_name']) {
    const name = properties[key]
    if (!isNode(name) || typeof name.default !== 'string') continue
    properties[key] = { const: type === 'WeChatFile' ? type : name.default }
    if (!NAMED_BY_FIELD.includes(type)) required.push(key)
  }
  return { ...node, properties, required }
}

const documents = Object.fromEntries(Object.entries(generated).map(([type, node]) => [type, onTheWire(type, node)]))

/** Types that a host reads or writes; Python names on the left where ours differ. */
const OURS: Readonly<Record<string, string>> = {
  ForwardMessageDiaplay: 'ForwardDisplay',
  ForwardMessageNode: 'ForwardNode',
  DynamicFormItemSchema: 'ConfigItem',
  ImageURLContentObject: 'ImageUrl',
}

/** Types without a schema of ours to compare, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  MessageComponent: 'the bare base class, which erases fields; we read the real components',
  EventContext: 'the JSON Schema takes any event; ours checks the event by its name',
  ActionContext: 'empty texts are refused in code there, which JSON Schema does not say',
  InstallationBinding: 'the digest is checked in code there, which JSON Schema does not say',
  Execution: 'the paths of Python components are checked too',
  PythonExecution: 'the paths of Python components are checked too',
  ComponentManifest: 'raw documents there, a manifest by kind here',
}

/** Cases for each type; RUNBOUND_FUZZ multiplies them. */
const RUNS = 60 * Number(process.env.RUNBOUND_FUZZ ?? 1)

const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false })

/** What pydantic's lax mode takes for a scalar (entities.md §0.1), said again in JSON Schema. */
const LAX: Readonly<Record<string, Node>> = {
  integer: {
    anyOf: [
      { type: 'integer' },
      { type: 'boolean' },
      { type: 'string', pattern: '^\\s*[+-]?\\d+(_\\d+)*(\\.0+)?\\s*$' },
    ],
  },
  number: {
    anyOf: [
      { type: 'number' },
      { type: 'boolean' },
      { type: 'string', pattern: '^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*$' },
    ],
  },
  boolean: {
    anyOf: [
      { type: 'boolean' },
      { enum: [0, 1] },
      {
        type: 'string',
        pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|[yY][eE][sS]|[nN][oO]|[oO][nN]|[oO][fF][fF]|[tTfFyYnN10])$',
      },
    ],
  },
}

function isNode(value: unknown): value is Node {
  return schemas.isJsonObject(value)
}

/** The JSON Schema as the SDK really reads: lax scalars, real components in chains, wire ids. */
function asRead(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asRead)
  if (!isNode(node)) return node
  if (isNode(node['x-wire-items'])) {
    // What is no known component is read as an Unknown one, and so accepted.
    const known = { type: 'object', required: ['type'], properties: { type: { enum: MESSAGE_COMPONENT_TYPES } } }
    return { type: 'array', items: { anyOf: [asRead(node['x-wire-items']), { not: known }] } }
  }
  // Times that the SDK reads by hand take JSON numbers only.
  if (node['x-unit'] !== undefined) return { type: 'number' }
  const scalar = typeof node.type === 'string' ? LAX[node.type] : undefined
  if (scalar !== undefined) {
    const { type: _, ...rest } = node
    return { ...rest, ...scalar }
  }
  // An id keeps text as it is: only its other half is lax, and a boolean is the one thing that turns.
  if (Array.isArray(node.anyOf) && node.anyOf.some((part) => isNode(part) && part.type === 'integer')) {
    const texts = node.anyOf.some((part) => isNode(part) && part.type === 'string')
    if (texts) return { anyOf: [...node.anyOf, { type: 'boolean' }] }
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, asRead(value)]))
}

const SCHEMA_ID = 'sdk'
ajv.addSchema({
  $id: SCHEMA_ID,
  ...Object.fromEntries(Object.entries(documents).map(([type, node]) => [type, asRead(node)])),
})

const exported: Readonly<Record<string, unknown>> = schemas
const pairs = Object.keys(documents).flatMap((type): { type: string; ours: z.ZodType }[] => {
  const ours = exported[`${OURS[type] ?? type}Schema`]
  return ours instanceof z.ZodType && DIFFERENT[type] === undefined ? [{ type, ours }] : []
})

const json = fc.jsonValue({ maxDepth: 2 })
const word = fc.constantFrom('a', 'member', '', '12', 'text with spaces', '1.5', 'yes')

/** Makes values that fit a JSON Schema; references are followed to a depth. */
function sampleOf(node: unknown, depth = 0): fc.Arbitrary<unknown> {
  if (!isNode(node)) return json
  if (typeof node.$ref === 'string') return sampleOf(documents[node.$ref.slice(2)], depth + 1)
  if (node.const !== undefined) return fc.constant(node.const)
  if (Array.isArray(node.enum)) return fc.constantFrom(...node.enum)
  if (Array.isArray(node.allOf)) {
    return fc.tuple(...node.allOf.map((part) => sampleOf(part, depth))).map((parts) => Object.assign({}, ...parts))
  }
  if (Array.isArray(node.anyOf)) return fc.oneof(...node.anyOf.map((part) => sampleOf(part, depth)))
  if (isNode(node['x-wire-items'])) {
    return depth > 4 ? fc.constant([]) : fc.array(sampleOf(node['x-wire-items'], depth + 1), { maxLength: 2 })
  }
  if (node.type === 'array')
    return depth > 5 ? fc.constant([]) : fc.array(sampleOf(node.items, depth + 1), { maxLength: 2 })
  if (node.type === 'integer')
    return fc.integer({ min: typeof node.minimum === 'number' ? node.minimum : -5, max: 1_700_000_000 })
  if (node.type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 })
  if (node.type === 'boolean') return fc.boolean()
  if (node.type === 'null') return fc.constant(null)
  if (node.type === 'string') {
    const min = typeof node.minLength === 'number' ? node.minLength : 0
    return min > 0 ? fc.string({ minLength: min, maxLength: min + 3 }) : word
  }
  if (isNode(node.properties)) {
    const required = Array.isArray(node.required) ? node.required : []
    const properties = Object.entries(node.properties).map(([key, child]) => [key, sampleOf(child, depth + 1)] as const)
    return fc.record(Object.fromEntries(properties), {
      requiredKeys: required.filter((key) => typeof key === 'string'),
    })
  }
  if (node.type === 'object' && isNode(node.additionalProperties)) {
    return fc.dictionary(fc.constantFrom('k', 'v'), sampleOf(node.additionalProperties, depth + 1), { maxKeys: 2 })
  }
  if (node.type === 'object') return fc.dictionary(fc.constantFrom('k', 'v'), json, { maxKeys: 2 })
  return json
}

/** One fault: at a random key of a random object inside. */
interface Fault {
  readonly kind: 'none' | 'drop' | 'replace' | 'add'
  readonly at: number
  readonly value: unknown
}
const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom('none', 'drop', 'replace', 'add'),
  at: fc.nat(40),
  value: fc.constantFrom<unknown>(null, 1.5, 'text', '7', true, [], {}, [1], { type: 'Plain' }, -1, 2),
})

function broken(value: unknown, { kind, at, value: replacement }: Fault): unknown {
  const copy: unknown = structuredClone(value)
  const places: { holder: Record<string, unknown>; key: string }[] = []
  const visit = (node: unknown) => {
    if (Array.isArray(node)) node.forEach(visit)
    else if (typeof node === 'object' && node !== null) {
      const holder: Record<string, unknown> = Object.assign(node)
      for (const key of Object.keys(holder)) {
        places.push({ holder, key })
        visit(holder[key])
      }
    }
  }
  visit(copy)
  const place = places[at % Math.max(places.length, 1)]
  if (place === undefined || kind === 'none') return copy
  if (kind === 'drop') delete place.holder[place.key]
  if (kind === 'replace') place.holder[place.key] = replacement
  if (kind === 'add') place.holder.not_a_known_key = replacement
  return copy
}

describe('parity with the JSON Schemas of the SDK', () => {
  test('enough types are compared', () => {
    expect(pairs.length).toBeGreaterThan(120)
  })

  test.each(pairs)('$type', ({ type, ours }: { type: string; ours: z.ZodType }) => {
    const theirs = ajv.compile({ $ref: `${SCHEMA_ID}#/${type}` })
    fc.assert(
      fc.property(sampleOf(documents[type]), fault, (value, how) => {
        const given = broken(value, how)
        const accepted = theirs(given)
        const read = ours.safeParse(given)
        const detail = read.success ? '' : schemas.issuesText(read.error)
        expect({ accepted: read.success, given, detail }).toEqual({ accepted, given, detail })
      }),
      { numRuns: RUNS, seed: 20_240_607 },
    )
  })
})
