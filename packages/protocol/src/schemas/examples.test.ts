/** Every documented JSON example that a host meets reads back the same; the others say why not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MESSAGE_COMPONENT_TYPES } from '../messages.ts'
import { PIPELINE_EVENT_NAMES } from '../names.ts'
import * as schemas from '../schemas.ts'

interface Example {
  readonly under: string
  readonly name: string | null
  readonly line: number
  readonly value: unknown
}

const file = join(import.meta.dirname, '../../fixtures/examples.json')
const examples: Example[] = JSON.parse(readFileSync(file, 'utf8'))

/** Sections whose examples are of a type that neither heading nor comment names. */
const TYPE_BY_LINE_ORDER: Readonly<Record<string, readonly string[]>> = {
  '0.3 The three spellings of a message chain': ['MessageChain', 'nested'],
  '1.1 Files': ['OwnedManifest', 'ToolListEntry'],
  Conversation: ['Session', 'Conversation'],
  AdapterContext: ['smallest', 'RunnerContext', 'RunnerContext'],
  InteractionDeliveryCapabilities: ['InteractionRequest', 'AgentInput'],
}
const TYPE_BY_SECTION: Readonly<Record<string, string>> = {
  ProcessorLogPayload: 'RunnerResult',
  CommandReturn: 'CommandReturn',
}

/** Examples that are no wire data for a host. */
const SKIPPED: Readonly<Record<string, string>> = {
  nested: 'the spelling that no reader takes; refused by the test below',
  smallest: 'an input with defaults; compared with the line after it below',
  Query: 'lives in the host and has a shape of its own there',
  WeChatFile: 'written as type File with other field names, which is a fault of the reference',
  ParseContext: 'in-process only; the wire carries ParseRequest',
}

const registry = new Map<string, z.ZodType>()
for (const [name, value] of Object.entries(schemas)) {
  if (name.endsWith('Schema') && value instanceof z.ZodType) registry.set(name.slice(0, -'Schema'.length), value)
}

/** Pipeline events that mirror platform events have no schema of their own name: the union reads them. */
function schemaOf(type: string): z.ZodType {
  const own = registry.get(type)
  if (own !== undefined) return own
  if (PIPELINE_EVENT_NAMES.some((name) => name === type)) return schemas.PipelineEventSchema
  throw new Error(`No schema for ${type}`)
}

const seen = new Map<string, number>()
const cases = examples.map((example) => {
  const order = seen.get(example.under) ?? 0
  seen.set(example.under, order + 1)
  const listed = TYPE_BY_LINE_ORDER[example.under]?.[order] ?? TYPE_BY_SECTION[example.under]
  const named =
    example.name?.replace(/[ ,(].*$/, '') ??
    /\((\w+)\)$/.exec(example.under)?.[1] ??
    example.under.replace(' + reply', '')
  return { ...example, type: listed ?? named }
})

describe('documented examples', () => {
  test('there are all of them', () => {
    expect(cases).toHaveLength(155)
  })

  const read = cases.filter(({ type }) => SKIPPED[type] === undefined)
  test.each(read)('$type, line $line, reads back the same', ({ type, value }) => {
    const parsed = schemaOf(type).safeParse(value)
    expect(parsed.error?.issues ?? []).toEqual([])
    expect(parsed.data).toEqual(value)
  })

  test('each component example reads back the same inside a chain', () => {
    const components = cases.filter(({ type }) => MESSAGE_COMPONENT_TYPES.some((name) => name === type))
    const chain = components.filter(({ type }) => SKIPPED[type] === undefined).map(({ value }) => value)
    expect(chain).toHaveLength(20)
    expect(schemas.MessageChainSchema.parse(chain)).toEqual(chain)
  })

  test('the smallest context becomes the documented one', () => {
    const [smallest, filled] = cases.filter(({ under }) => under === 'AdapterContext')
    expect(schemas.RunnerContextSchema.parse(smallest?.value)).toEqual(filled?.value)
  })

  test('the nested spelling of Source is refused', () => {
    const nested = cases.find(({ type }) => type === 'nested')
    expect(schemas.MessageChainSchema.safeParse(nested?.value).success).toBe(false)
  })

  test('payloads of the documented results fit their records', () => {
    const results = cases.filter(({ under }) => under === 'ProcessorLogPayload')
    expect(results).toHaveLength(13)
    for (const { value } of results) {
      const result = schemas.RunnerResultSchema.parse(value)
      const record = schemas.resultRecord(result.type)
      if (record === undefined) expect(result.type).toBe('my.own')
      else expect(record.payload.safeParse(result.data).error?.issues ?? []).toEqual([])
    }
  })
})
