/** Properties of splitting a text: fits, loses nothing, cuts no character, keeps code blocks balanced, stays linear. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textLength } from './length.ts'
import { cutAfter, cutText, type TextLimit } from './split-text.ts'

const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').length
const units: Record<string, (text: string) => number> = {
  utf16: (text) => textLength(text, 'utf16'),
  codepoint: (text) => textLength(text, 'codepoint'),
  byte: (text) => textLength(text, 'byte'),
  rendered: html,
}
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The source as the ranges of the parts give it. Checks on the way that they are in order and touch. */
function joined(source: string, parts: readonly { start: number; end: number }[]): string {
  let at = 0
  let text = ''
  for (const part of parts) {
    expect(source.slice(at, part.start).trim()).toBe('')
    text += source.slice(part.start, part.end)
    at = part.end
  }
  expect(source.slice(at).trim()).toBe('')
  return text
}

function texts(source: string, limit: TextLimit): string[] {
  return cutText(source, limit).map((part) => part.text)
}

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcdefg') }) },
  {
    weight: 4,
    arbitrary: fc.string({ minLength: 1, maxLength: 30, unit: fc.constantFrom(...'天气预报今天北京晴转多云。，！') }),
  },
  { weight: 2, arbitrary: fc.constantFrom('👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪🇫🇷', 'é', 'กำ', 'क्षि', '👍🏽', '𠮷') },
  { weight: 2, arbitrary: fc.constantFrom('&', '<b>', 'a&b', '. ', '!? ', '"') },
  { weight: 6, arbitrary: fc.constantFrom(' ', '  ', '\n', '\n\n', '\r\n') },
)
const prose = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(''))
const code = fc
  .record({
    mark: fc.constantFrom('```', '````', '~~~'),
    lang: fc.constantFrom('', 'ts', 'python'),
    lines: fc.array(
      prose.map((line) => line.replaceAll(/[\r\n]/g, ' ')),
      { maxLength: 12 },
    ),
  })
  .map(({ mark, lang, lines }) => `\n${mark}${lang}\n${lines.map((line) => `${line}x\n`).join('')}${mark}\n`)
const document = fc.array(fc.oneof(prose, code), { maxLength: 5 }).map((blocks) => blocks.join(''))

describe('cutText', () => {
  test('[D36] [D37] every part fits its unit, and the joined ranges are the source', () => {
    fc.assert(
      fc.property(
        document,
        fc.constantFrom(...Object.keys(units)),
        fc.integer({ min: 30, max: 200 }),
        (source, unit, max) => {
          const measure = units[unit] ?? html
          const parts = cutText(source, { max, measure })
          for (const part of parts) {
            expect(measure(part.text)).toBeLessThanOrEqual(max)
            expect(part.text.trim()).not.toBe('')
          }
          // A blank stretch may be missing only where it would fill a part, and at the very end.
          const all = joined(source, parts)
          if (max >= 60 && !/\s{60}/.test(source)) expect(source.startsWith(all)).toBe(true)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('[D37] no character as people see it is cut', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 30, max: 80 }), (source, max) => {
        const starts = new Set([...graphemes.segment(source)].map((segment) => segment.index))
        starts.add(source.length)
        for (const part of cutText(source, { max, measure: (text) => textLength(text, 'byte') })) {
          expect(starts.has(part.start)).toBe(true)
          expect(starts.has(part.end)).toBe(true)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('[D34] code blocks are balanced in each part, and what was added is only fence lines', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 60, max: 200 }), (source, max) => {
        for (const part of cutText(source, { max, measure: (text) => text.length })) {
          let open: string | null = null
          for (const line of part.text.split('\n')) {
            const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
            if (mark === undefined) continue
            if (open === null) open = mark
            else if (mark.startsWith(open) && line.trim() === mark) open = null
          }
          expect(open).toBeNull()
          const own = source.slice(part.start, part.end)
          expect(part.text.includes(own)).toBe(true)
          const [before = '', after = ''] = part.text.split(own).length === 2 ? part.text.split(own) : ['', '']
          expect(before).toMatch(/^(\s*(`{3,}|~{3,})\w*\n)?$/)
          expect(after).toMatch(/^(\n?\s*(`{3,}|~{3,}))?$/)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('[D36] 800 times "a&b <c> " with 1,000 rendered: no word is cut', () => {
    const source = 'a&b <c> '.repeat(800)
    const parts = cutText(source, { max: 1000, measure: html })
    expect(joined(source, parts)).toBe(source)
    for (const part of parts) {
      expect(html(part.text)).toBeLessThanOrEqual(1000)
      expect(part.text.replaceAll(/a&b |<c> /g, '')).toBe('')
    }
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(html(source) / 980))
  })

  test('[D37] 1,500 Chinese characters and emoji in 2,048 bytes: whole characters, nothing lost', () => {
    const source = `${'今天北京晴转多云，最高气温三十度。'.repeat(88).slice(0, 1500)}${'👨‍👩‍👧‍👦'.repeat(40)}`
    const limit = { max: 2048, measure: (text: string) => textLength(text, 'byte') }
    expect(texts(source, limit).join('')).toBe(source)
    for (const part of texts(source, limit)) expect(textLength(part, 'byte')).toBeLessThanOrEqual(2048)
    expect(texts(source, limit)[0]?.endsWith('。')).toBe(true)
  })

  test('[D34] 6,000 characters at 4,096 are two parts', () => {
    expect(texts('word '.repeat(1200), { max: 4096, measure: (text) => text.length })).toHaveLength(2)
  })

  const measure = (text: string) => text.length
  test.each([
    ['a paragraph', 'first first\n\nsecond second', 20, ['first first\n\n', 'second second']],
    ['a line', 'first first\nsecond second', 20, ['first first\n', 'second second']],
    ['a sentence', 'One is here. Two is here.', 20, ['One is here. ', 'Two is here.']],
    ['a Chinese sentence', '今天天气很好。明天会下雨吗？', 10, ['今天天气很好。', '明天会下雨吗？']],
    ['a word', 'some words here and there', 13, ['some words ', 'here and ', 'there']],
    ['a Chinese word', '我们喜欢编程语言', 7, ['我们喜欢编程', '语言']],
    ['a long word stays whole', 'see https://example.org/a/long/path', 32, ['see ', 'https://example.org/a/long/path']],
    ['the last resort', 'x'.repeat(25), 10, ['x'.repeat(10), 'x'.repeat(10), 'x'.repeat(5)]],
  ])('prefers %s', (_name, source, max, parts) => {
    expect(texts(source, { max, measure })).toEqual(parts)
  })

  test('a code block that fits stays whole, one that does not is reopened with its language', () => {
    const small = 'Some words before it.\n```ts\nconst a = 1\n```\nafter'
    expect(texts(small, { max: 40, measure })).toEqual(['Some words before it.\n', '```ts\nconst a = 1\n```\nafter'])
    const long = '```ts\nconst a = 1\nconst b = 2\nconst c = 3\n```\n'
    expect(texts(long, { max: 40, measure })).toEqual([
      '```ts\nconst a = 1\nconst b = 2\n```',
      '```ts\nconst c = 3\n```\n',
    ])
  })

  test('[D33] no empty parts: blank text has none, blank tails and stretches are left out', () => {
    expect(cutText('', { max: 5, measure })).toEqual([])
    expect(cutText(' \n\n ', { max: 2, measure })).toEqual([])
    expect(texts('aaaa\n\n\n', { max: 4, measure })).toEqual(['aaaa'])
    expect(texts(`aaaa${' '.repeat(8)}bbbb`, { max: 4, measure })).toEqual(['aaaa', 'bbbb'])
  })

  test('a character over the limit is cut between code points, and one code point over it is an error', () => {
    const family = '👨‍👩‍👧‍👦'
    const bytes = { max: 10, measure: (text: string) => textLength(text, 'byte') }
    expect(texts(family, bytes).join('')).toBe(family)
    for (const part of texts(family, bytes)) expect(part.isWellFormed()).toBe(true)
    expect(() => cutText('👍', { ...bytes, max: 3 })).toThrow(RangeError)
  })

  test('time grows with the length, not with its square', () => {
    const samples = [
      'lorem ipsum dolor. ',
      '今天天气很好',
      '👨‍👩‍👧‍👦',
      '```ts\nx\n```\n',
      ' ',
      'a\u0301',
      '\n```\ncode code\n',
      'x',
    ]
    for (const sample of samples) {
      const time = (length: number) => {
        const source = `${sample.repeat(length / sample.length)}.`
        // Processor time, because other processes may keep this one waiting.
        const begin = process.threadCpuUsage()
        cutText(source, { max: 2000, measure: html })
        return process.threadCpuUsage(begin).user / 1000
      }
      time(100_000)
      // A quadratic splitter needs 64 times as long for 8 times the text.
      expect(time(800_000), sample).toBeLessThan(30 * Math.max(time(100_000), 10))
    }
  })
})

describe('cutAfter', () => {
  test('the first part has room for what is there already', () => {
    const limit = { max: 10, measure: (text: string) => text.length }
    expect(cutAfter('@Ann ', 'hello hello', limit)?.map((part) => part.text)).toEqual(['hello', ' hello'])
    expect(cutAfter('0123456789', 'x', limit)).toBeNull()
  })
})
