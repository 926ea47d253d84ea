/** Writes a zod schema as one short line of TypeScript-like text, with the names of the schemas that have one. */
import * as schemas from '@runbound/protocol/schemas'
import * as z from 'zod'

const NAMES = new Map<unknown, string>(
  Object.entries(schemas)
    .filter(([name]) => name.endsWith('Schema'))
    .map(([name, schema]) => [schema, name.slice(0, -'Schema'.length)]),
)
/** Nobody learns from these names: they are written out. */
const PLAIN = new Set(['Boolean', 'Integer', 'IntegerId', 'Number', 'TextMap', 'Json', 'JsonObject', 'PlatformId'])
const PLAIN_TEXT: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  Integer: 'integer',
  IntegerId: 'integer',
  Number: 'number',
  TextMap: 'object of strings',
  Json: 'any JSON',
  JsonObject: 'object',
  PlatformId: 'string or integer',
}

interface Shape {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Shape>>
  readonly 'x-name'?: string
  readonly 'x-default'?: unknown
  readonly default?: unknown
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Shape
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** `input` for what a caller sends, `output` for what is read after defaults were filled in. */
export function schemaText(schema: z.ZodType, io: 'input' | 'output'): string {
  const json = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    cycles: 'ref',
    override: ({ zodSchema, jsonSchema }) => {
      const name = NAMES.get(zodSchema)
      if (name !== undefined) jsonSchema['x-name'] = name
    },
  })
  const shape = json as Shape
  return shapeText(withoutReferences(shape, shape.$defs ?? {}), true)
}

/** Schemas that hold themselves come as references; a reference to a named schema becomes its name. */
function withoutReferences<T>(value: T, definitions: Readonly<Record<string, Shape>>): T {
  return JSON.parse(JSON.stringify(value), (key, part) => {
    if (key === '$defs' || typeof part?.$ref !== 'string') return key === '$defs' ? undefined : part
    return { 'x-name': definitions[part.$ref.split('/').at(-1) ?? '']?.['x-name'], type: 'object' }
  })
}

function shapeText(shape: Shape, outermost = false): string {
  const name = shape['x-name']
  if (name !== undefined) return PLAIN.has(name) ? (PLAIN_TEXT[name] ?? name) : name
  const union = shape.anyOf ?? shape.oneOf
  if (union !== undefined) return unionText(union.map((option) => shapeText(option)))
  if (shape.enum !== undefined) return shape.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (Array.isArray(shape.type)) return unionText(shape.type.map((type: string) => shapeText({ ...shape, type })))
  if (shape.type === 'array')
    return `list of ${shape.items === undefined ? 'any' : shapeText(shape.items)}${range(shape.minItems, shape.maxItems, 'items')}`
  if (shape.type === 'string')
    return `string${range(shape.minLength === 1 ? undefined : shape.minLength, shape.maxLength, 'characters')}`
  if (shape.type === 'integer' || shape.type === 'number')
    return `${shape.type}${range(shape.minimum, shape.maximum, '')}`
  if (shape.type === 'object') return objectText(shape, outermost)
  return typeof shape.type === 'string' ? shape.type : 'any JSON'
}

function objectText(shape: Shape, outermost: boolean): string {
  const properties = Object.entries(shape.properties ?? {})
  if (properties.length === 0) {
    const values = shape.additionalProperties
    if (typeof values === 'object' && Object.keys(values).length > 0) return `object of ${shapeText(values)}`
    return outermost ? 'nothing' : 'object'
  }
  const parts = properties.map(([key, value]) => {
    const isOptional = !shape.required?.includes(key)
    const fallback = value['x-default'] ?? value.default
    const text = withoutNull(shapeText(value), isOptional)
    return `${key}${isOptional ? '?' : ''}: ${text}${fallback === undefined ? '' : ` = ${JSON.stringify(fallback)}`}`
  })
  return outermost ? parts.join('<br>') : `{ ${parts.join(', ')} }`
}

/** `key?: string or null` says no more than `key?: string`: null stands for "not given". */
function withoutNull(text: string, isOptional: boolean): string {
  return isOptional ? text.replace(/ or null$/, '') : text
}

function unionText(options: readonly string[]): string {
  const unique = [...new Set(options)]
  return [...unique.filter((option) => option !== 'null'), ...unique.filter((option) => option === 'null')].join(' or ')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const low = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least
  const high = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most
  if (low === undefined && high === undefined) return ''
  const text = low === undefined ? `at most ${high}` : high === undefined ? `at least ${low}` : `${low} to ${high}`
  return ` (${text}${unit === '' ? '' : ` ${unit}`})`
}
