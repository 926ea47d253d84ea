/** The codec loses nothing that Python writes, agrees with JSON.parse elsewhere, and refuses bombs before building. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS, LinkError, parse, stringify } from '../index.ts'

function refusal(text: string, limits = DEFAULT_LIMITS): LinkError {
  try {
    parse(text, limits)
  } catch (error) {
    if (LinkError.is(error)) return error
    throw error
  }
  return expect.fail(`parsed: ${text.slice(0, 80)}`)
}

/** JSON with everything that Python can write. */
const anyJson = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom(null, true, false, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    fc.integer(),
    // A float beyond 2^53 without a fraction looks like Python's whole number, and becomes one.
    // JSON has no -0.
    fc
      .double()
      .filter((n) => Number.isSafeInteger(n) || !Number.isInteger(n))
      .map((n) => n + 0),
    fc.bigInt().filter((n) => n > 2n ** 53n || n < -(2n ** 53n)),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud83d', '\udc00x', '{"seq_id"', '12345678901234567890', 'NaN', '\\', '\\"'),
  ),
  value: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 5 }),
  ),
})).value

test('what is written is read back the same, with every number and half character', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = stringify(value)
      expect(text.isWellFormed()).toBe(true)
      expect(stringify(parse(text))).toBe(text)
      expect(parse(text)).toEqual(value)
    }),
    { numRuns: 500 },
  )
})

test('agrees with JSON.parse where JSON.parse is right, also through the exact reader', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parse(text)).toEqual(parse(stringify(JSON.parse(text))))
      // A bare word in front forces the exact reader on the same text.
      const [, exact] = [parse(`[NaN,${text}]`)].flat() as unknown[]
      expect(exact).toEqual(parse(text))
    }),
    { numRuns: 500 },
  )
})

test('refuses what JSON.parse refuses, also through the exact reader', () => {
  const wrong = [
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '{"a" 1}',
    '{a:1}',
    '"x',
    '"\u0001"',
    '01',
    '1.',
    '-',
    '+1',
    'tru',
    '[1 2]',
  ]
  const more = ['nul', 'NaNx', 'Infinit', '--1', '1e', '{"a":1}x', '"\\x"', "'a'", '.5', '0x10', '-Infinit']
  for (const text of [...wrong, ...more]) {
    expect(refusal(text).code).toBe('protocol')
    expect(refusal(`[NaN,${text}`).code).toBe('protocol')
    expect(refusal(`{"a":NaN,"b":${text}}`).code).toBe('protocol')
  }
})

test('any text is read or refused with a LinkError, never another error', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    'NaN',
    '-',
    '9'.repeat(20),
    'e',
    '.',
    'null',
    ' ',
    'I',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      try {
        parse(parts.join(''))
      } catch (error) {
        expect(LinkError.is(error)).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})

describe('numbers', () => {
  test('whole numbers beyond 2^53 are exact, floats stay floats', () => {
    expect(parse('1180591620717411303424')).toBe(2n ** 70n)
    expect(parse('-9007199254740993')).toBe(-9007199254740993n)
    expect(parse('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    expect(parse('0.30000000000000004')).toBe(0.30000000000000004)
    expect(parse('12345678901234567890.0')).toBe(1.2345678901234567e19)
    expect(parse('1e400')).toBe(Number.POSITIVE_INFINITY)
  })

  test('bare words survive by default and become null on request', () => {
    const value = { a: Number.NaN, b: [Number.NEGATIVE_INFINITY], c: 1n, d: null }
    expect(stringify(value)).toBe('{"a":NaN,"b":[-Infinity],"c":1,"d":null}')
    expect(stringify(value, { nonFinite: 'null' })).toBe('{"a":null,"b":[null],"c":1,"d":null}')
  })
})

test('writes like JSON.stringify where no number is special', () => {
  const date = new Date(0)
  const value = { a: undefined, b: [undefined, () => 1], c: date, d: 1n }
  expect(stringify(value)).toBe(JSON.stringify({ ...value, d: 1 }))
})

test('a circular value and a value without JSON form are refused', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  expect(() => stringify(circle)).toThrow(LinkError)
  expect(() => stringify(undefined)).toThrow('no JSON form')
})

describe('bombs', () => {
  test('depth: named, before anything is built', () => {
    const bomb = '['.repeat(5_000_000)
    const begin = performance.now()
    expect(refusal(bomb)).toMatchObject({
      code: 'too_large',
      limit: 'depth',
      message: expect.stringContaining('depth (128)'),
    })
    expect(performance.now() - begin).toBeLessThan(100)
    expect(parse(`${'['.repeat(128)}${']'.repeat(128)}`)).toBeDefined()
    expect(refusal(`${'{"a":'.repeat(129)}1${'}'.repeat(129)}`).limit).toBe('depth')
    // Brackets in texts are no depth.
    expect(parse(JSON.stringify('['.repeat(500)))).toBe('['.repeat(500))
  })

  test('digits: named, whole or not', () => {
    expect(refusal('9'.repeat(1025))).toMatchObject({ code: 'too_large', limit: 'digits' })
    expect(refusal(`0.${'9'.repeat(1025)}`).limit).toBe('digits')
    expect(parse('9'.repeat(1024))).toBe(10n ** 1024n - 1n)
    expect(parse(JSON.stringify('9'.repeat(5000)))).toBe('9'.repeat(5000))
  })

  test('a run of backslashes costs no more than its length', () => {
    const text = JSON.stringify({ a: '\\"'.repeat(500_000) })
    const begin = performance.now()
    expect(parse(text)).toEqual({ a: '\\"'.repeat(500_000) })
    expect(performance.now() - begin).toBeLessThan(1000)
  })
})
