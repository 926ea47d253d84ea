/** Splitting chains: every message fits, everything arrives once and in order, small messages are left alone. */
import type { MessageChain, MessageComponent } from '@runbound/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdapterLimits } from './adapter.ts'
import { attachmentsOf, chainText, isBlank } from './chain.ts'
import { measureOf, textLength } from './length.ts'
import { splitChain, splitText } from './split.ts'

const plain = (text: string): MessageComponent => ({ type: 'Plain', text })
const image = (url: string): MessageComponent => ({ type: 'Image', image_id: '', url, path: '', base64: '' })
const at = (target: string): MessageComponent => ({ type: 'At', target, display: '' })

const component = fc.oneof(
  fc
    .string({ minLength: 1, maxLength: 80, unit: fc.constantFrom('a', 'b', ' ', '天', '气', '\n', '👍🏽', '.') })
    .map(plain),
  fc.nat(1000).map((number) => image(`https://example.org/${number}`)),
  fc.constantFrom('ann', 'bob').map(at),
)

describe('splitChain', () => {
  test('[D33] [D37] messages fit, nothing is lost, repeated or moved', () => {
    fc.assert(
      fc.property(
        fc.array(component, { maxLength: 12 }),
        fc.integer({ min: 30, max: 120 }),
        fc.integer({ min: 1, max: 4 }),
        (chain, maxText, maxAttachments) => {
          const limits: AdapterLimits = { maxText, unit: 'byte', maxAttachments }
          const messages = splitChain(chain, limits)
          for (const message of messages) {
            expect(isBlank(message)).toBe(false)
            expect(textLength(chainText(message), 'byte')).toBeLessThanOrEqual(maxText)
            expect(attachmentsOf(message).length).toBeLessThanOrEqual(maxAttachments)
          }
          // Blank stretches between messages may go; every visible thing stays, in order.
          const flat = (parts: MessageChain) =>
            parts.flatMap((part) =>
              part.type === 'Plain' ? [...part.text.replaceAll(/\s/g, '')] : [JSON.stringify(part)],
            )
          expect(flat(messages.flat())).toEqual(flat(chain))
        },
      ),
      { numRuns: 400 },
    )
  })

  const limits: AdapterLimits = { maxText: 20, unit: 'codepoint', maxAttachments: 2 }

  test('a chain that fits is the same chain', () => {
    const chain = [plain('hello '), plain('there'), image('a')]
    expect(splitChain(chain, limits)[0]).toBe(chain)
  })

  test('attachments go on in the next message, with the text that follows them', () => {
    const chain = [plain('look'), image('1'), image('2'), image('3'), plain('end')]
    expect(splitChain(chain, limits)).toEqual([
      [plain('look'), image('1'), image('2')],
      [image('3'), plain('end')],
    ])
  })

  test('a mention takes the first words along, and neighbouring texts are one text', () => {
    const messages = splitChain([at('ann'), plain(' hello my wo'), plain('rd and good bye')], limits)
    expect(messages.map(chainText)).toEqual(['@ann hello my word ', 'and good bye'])
  })

  test('a quote stays with the first message', () => {
    const quote: MessageComponent = {
      type: 'Quote',
      id: 'm',
      group_id: null,
      sender_id: null,
      target_id: null,
      origin: [],
    }
    const messages = splitChain([quote, plain('one two three four five six')], limits)
    expect(messages.map((message) => message[0]?.type)).toEqual(['Quote', 'Plain'])
    expect(messages).toHaveLength(2)
  })

  test('[D33] a blank message is none', () => {
    expect(splitChain([plain(' \n')], limits)).toEqual([])
    expect(splitChain([], limits)).toEqual([])
  })

  test('without limits nothing is cut', () => {
    expect(
      splitChain([plain('x'.repeat(50_000))], { maxText: null, unit: 'utf16', maxAttachments: null }),
    ).toHaveLength(1)
    expect(splitText('x'.repeat(50_000), { maxText: null, unit: 'utf16', maxAttachments: null })).toHaveLength(1)
  })
})

describe('length', () => {
  test('counts what the platform counts', () => {
    expect(
      ['utf16', 'codepoint', 'byte'].map((unit) =>
        textLength('a天👍', unit === 'utf16' || unit === 'byte' ? unit : 'codepoint'),
      ),
    ).toEqual([4, 3, 8])
    const long = '天👍é'.repeat(9000)
    expect(textLength(long, 'byte')).toBe(Buffer.byteLength(long))
    expect(textLength('\ud83d', 'codepoint')).toBe(1)
  })

  test("rendered length is the adapter's own, and must be there", () => {
    expect(measureOf({ unit: 'rendered', measure: (text) => text.length * 2 })('ab')).toBe(4)
    expect(() => measureOf({ unit: 'rendered' })).toThrow(/measure/)
  })
})
