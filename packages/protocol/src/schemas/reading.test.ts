/** How values are read: tolerance, unknown keys, chains (entities.md §0.1-§0.3). */
import { describe, expect, test } from 'vitest'
import {
  BooleanSchema,
  ContentElementSchema,
  InputAttachmentSchema,
  IntegerIdSchema,
  IntegerSchema,
  LLMTokenUsageSchema,
  MessageChainSchema,
  MessageOrChunkSchema,
  MessageReceivedEventSchema,
  NumberSchema,
  PlatformEventSchema,
  PlatformIdSchema,
  ProcessorLogPayloadSchema,
  StateUpdatedPayloadSchema,
} from '../schemas.ts'

const BIG = 2n ** 70n

describe('scalars', () => {
  test.each([
    [1, 1],
    [12, 12],
    [true, 1],
    ['12', 12],
    [' 12 ', 12],
    ['12.0', 12],
    ['1_000', 1000],
    ['-3', -3],
  ])('integer takes %j', (given, read) => expect(IntegerSchema.parse(given)).toBe(read))
  test.each([1.5, '', '1e3', '0x10', null, 'a', [], {}, Number.NaN, '1__0', '_1'])('integer refuses %j', (given) =>
    expect(IntegerSchema.safeParse(given).success).toBe(false),
  )
  test.each([
    [1, 1],
    [true, 1],
    ['1.5', 1.5],
    ['1e3', 1000],
    [BIG, Number(BIG)],
  ])('number takes %s', (given, read) => expect(NumberSchema.parse(given)).toBe(read))
  test.each([null, '', 'nan', Number.NaN, Number.POSITIVE_INFINITY])('number refuses %s', (given) =>
    expect(NumberSchema.safeParse(given).success).toBe(false),
  )
  test.each([
    [1, true],
    [0, false],
    ['YES', true],
    ['off', false],
    ['T', true],
  ])('boolean takes %j', (given, read) => expect(BooleanSchema.parse(given)).toBe(read))
  test.each([2, '', null, 'maybe', 'constructor'])('boolean refuses %j', (given) =>
    expect(BooleanSchema.safeParse(given).success).toBe(false),
  )
  test.each([[1], ['1'], [BIG], ['']])('an id keeps its type: %s', (given) =>
    expect(PlatformIdSchema.parse(given)).toBe(given),
  )
  test('an id refuses fractions and null, and reads true as 1', () => {
    expect(PlatformIdSchema.safeParse(1.5).success).toBe(false)
    expect(PlatformIdSchema.safeParse(null).success).toBe(false)
    expect(PlatformIdSchema.parse(true)).toBe(1)
  })
  test('a whole-number id is exact at any size, as number or text', () => {
    expect(IntegerIdSchema.parse(BIG)).toBe(BIG)
    expect(IntegerIdSchema.parse(String(BIG))).toBe(BIG)
    expect(IntegerIdSchema.parse('7')).toBe(7)
  })
})

describe('unknown keys', () => {
  test('are dropped, refused or kept, as the type says', () => {
    expect(ContentElementSchema.parse({ type: 'text', more: 1 })).not.toHaveProperty('more')
    expect(InputAttachmentSchema.safeParse({ more: 1 }).success).toBe(false)
    expect(LLMTokenUsageSchema.parse({ cached_tokens: 1 })).toHaveProperty('cached_tokens', 1)
  })
  test('a key of a prototype is data like any other', () => {
    const usage = LLMTokenUsageSchema.parse(JSON.parse('{"__proto__": {"polluted": true}}'))
    expect(Object.getPrototypeOf(usage)).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('chains', () => {
  test('an unknown component becomes Unknown and keeps its name', () => {
    expect(MessageChainSchema.parse([{ type: 'Sticker', id: 1 }])).toEqual([
      { type: 'Unknown', text: 'Unknown component type: Sticker' },
    ])
  })
  test.each([null, 3, 'text', [], { text: 'no type' }])('an item that is no component becomes Unknown: %j', (item) => {
    expect(MessageChainSchema.parse([item])).toEqual([
      { type: 'Unknown', text: `Invalid component data: ${JSON.stringify(item)}` },
    ])
  })
  test('a known component with a bad field refuses the whole chain', () => {
    expect(MessageChainSchema.safeParse([{ type: 'Plain', text: 'a' }, { type: 'Plain' }]).success).toBe(false)
  })
  test.each([null, 'text', {}])('%j is no chain', (given) =>
    expect(MessageChainSchema.safeParse(given).success).toBe(false),
  )
  test('the time of a Source: whole seconds, from either name, the wire name first', () => {
    const source = (fields: object) => MessageChainSchema.safeParse([{ type: 'Source', id: 'm', ...fields }])
    expect(source({ timestamp: 1.9 }).data).toEqual([{ type: 'Source', id: 'm', timestamp: 1 }])
    expect(source({ time: 5.5 }).data).toEqual([{ type: 'Source', id: 'm', timestamp: 5 }])
    expect(source({ time: 5, timestamp: 7 }).data).toEqual([{ type: 'Source', id: 'm', timestamp: 7 }])
    expect(source({}).success).toBe(false)
    expect(source({ timestamp: '7' }).success).toBe(false)
    expect(source({ time: '2023-11-14T22:13:20' }).success).toBe(false)
  })
  test('chains nest, and the rules hold inside', () => {
    const chain = [
      { type: 'Quote', origin: [{ type: 'Nope' }, { type: 'Plain', text: 'earlier' }] },
      { type: 'Forward', node_list: [{ sender_id: 5, message_chain: [{ type: 'Plain', text: 'hi' }] }] },
    ]
    const [quote, forward] = MessageChainSchema.parse(chain)
    expect(quote).toMatchObject({ origin: [{ type: 'Unknown' }, { type: 'Plain', text: 'earlier' }] })
    expect(forward).toMatchObject({ node_list: [{ sender_id: 5, message_chain: [{ text: 'hi' }], message_id: 0 }] })
    expect(MessageChainSchema.safeParse([{ type: 'Quote' }]).success).toBe(false)
  })
  test('reading does not change what it was given', () => {
    const chain = [{ type: 'Source', id: 1, time: 5 }, { type: 'Sticker' }]
    const before = structuredClone(chain)
    MessageChainSchema.parse(chain)
    expect(chain).toEqual(before)
  })
})

describe('events', () => {
  test('an unknown type is refused', () => {
    expect(PlatformEventSchema.safeParse({ type: 'message.recalled' }).success).toBe(false)
    expect(PlatformEventSchema.safeParse({}).success).toBe(false)
  })
  test('raw platform objects and host-side fields are never read', () => {
    const event = MessageReceivedEventSchema.parse({
      type: 'message.received',
      source_platform_object: { token: 'secret' },
      legacy_event: { type: 'FriendMessage' },
    })
    expect(event.source_platform_object).toBeNull()
    expect(event).not.toHaveProperty('legacy_event')
  })
  test('absent and null differ: a field with a default refuses null', () => {
    expect(MessageReceivedEventSchema.parse({ type: 'message.received' }).message_chain).toEqual([])
    expect(MessageReceivedEventSchema.safeParse({ type: 'message.received', message_chain: null }).success).toBe(false)
  })
})

describe('payloads', () => {
  test('[runner.log.levels] a level that is none is refused', () => {
    expect(ProcessorLogPayloadSchema.parse({ text: 'a' }).level).toBe('info')
    expect(ProcessorLogPayloadSchema.parse({ text: 'a', level: 'warning' }).level).toBe('warning')
    expect(ProcessorLogPayloadSchema.safeParse({ text: 'a', level: 'fatal' }).success).toBe(false)
  })
  test('a log entry has at most 65,536 characters, counted as code points', () => {
    const face = '\u{1F600}'
    expect(ProcessorLogPayloadSchema.safeParse({ text: face.repeat(65_536) }).success).toBe(true)
    expect(ProcessorLogPayloadSchema.safeParse({ text: `${face.repeat(65_536)}a` }).success).toBe(false)
    expect(ProcessorLogPayloadSchema.safeParse({ text: 'a'.repeat(65_537) }).success).toBe(false)
  })
  test('a state value may be null, but its key must be there', () => {
    expect(StateUpdatedPayloadSchema.parse({ scope: 'actor', key: 'k', value: null }).value).toBeNull()
    expect(StateUpdatedPayloadSchema.safeParse({ scope: 'actor', key: 'k' }).success).toBe(false)
    expect(StateUpdatedPayloadSchema.safeParse({ scope: 'user', key: 'k', value: 1 }).success).toBe(false)
  })
  test('a prompt entry is a chunk only if a key says so', () => {
    expect(MessageOrChunkSchema.parse({ role: 'user', content: 'a' })).not.toHaveProperty('is_final')
    expect(MessageOrChunkSchema.parse({ role: 'user', content: 'a', msg_sequence: 2 })).toHaveProperty('is_final')
  })
})
