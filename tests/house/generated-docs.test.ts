import { REASONS } from '@runbound/protocol'
import { HOST_METHODS, METHODS, RESULTS } from '@runbound/protocol/schemas'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { needsText } from '../../tools/src/docs/needs-text.ts'
import { schemaText } from '../../tools/src/docs/schema-text.ts'
import { generatedPages, outdatedPages } from '../../tools/src/generate-docs.ts'

test('the generated pages are up to date (npm run validate -- --fix)', () => {
  expect(outdatedPages()).toEqual([])
})

test('every method, result and reason has its place in them', () => {
  const text = generatedPages()
    .map((page) => page.text)
    .join('\n')
  for (const name of Object.keys(METHODS)) expect(text).toContain(`\n### ${name}\n`)
  for (const name of Object.keys(HOST_METHODS)) expect(text).toContain(`\n### host: ${name}\n`)
  for (const name of [...Object.keys(RESULTS), ...Object.keys(REASONS)]) expect(text).toContain(`\n| \`${name}\` |`)
  expect(text).not.toMatch(/undefined|\[object/)
})

test('a page that differs is named', () => {
  expect(outdatedPages([{ name: 'protocol.md', text: 'other' }])).toEqual(['protocol.md'])
  expect(outdatedPages([{ name: 'not-there.md', text: '' }])).toEqual(['not-there.md'])
})

describe('what a record needs', () => {
  test('is read from its own authorize', () => {
    expect(needsText(METHODS.call_tool.forms.run.authorize)).toBe('tool `tool_name`: call')
    expect(needsText(METHODS.reply_stream.forms.run.authorize)).toBe(
      '`available_apis.reply_stream`; tool event_reply: call',
    )
    expect(needsText(METHODS.register_plugin.forms.installation.authorize)).toBe('nothing')
  })

  test('a question without a phrase is an error, not an empty cell', () => {
    const authorize = ({ grant }: { grant: { secret(): null } }) => grant.secret()
    expect(() => needsText(authorize)).toThrow('grant.secret')
  })
})

describe('a schema as text', () => {
  test.each([
    [z.object({}), 'nothing'],
    [
      z.object({ a: z.string().max(5), b: z.int().min(1).max(9).nullish() }),
      'a: string (at most 5 characters)<br>b?: integer (1 to 9)',
    ],
    [z.object({ a: z.array(z.enum(['x', 'y'])) }), 'a: list of "x" or "y"'],
    [z.object({ a: z.object({ b: z.boolean() }).nullable() }), 'a: { b: boolean } or null'],
  ])('%#', (schema, text) => {
    expect(schemaText(schema, 'input')).toBe(text)
  })
})
