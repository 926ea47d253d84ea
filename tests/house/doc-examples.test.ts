import { expect, test } from 'vitest'
import { compileExamples, examplesOfMarkdown, examplesOfSource, readExamples } from '../../tools/src/doc-examples.ts'

const FENCE = '```'

test('every example of the documents and of the SDK compiles', { timeout: 120_000 }, () => {
  const { examples, unchecked } = readExamples()
  expect(unchecked).toEqual([])
  expect(examples.filter(({ file }) => file.startsWith('packages/sdk/')).length).toBeGreaterThan(5)
  expect(compileExamples(examples)).toEqual([])
})

test('an example that does not compile is named with its place', { timeout: 120_000 }, () => {
  const text = `# Title\n\n${FENCE}ts\nexport const a = 1\n\nexport const b: string = a\n${FENCE}\n`
  const errors = compileExamples(examplesOfMarkdown('docs/a.md', text))
  expect(errors.length).toBeGreaterThan(0)
  expect(errors[0]).toMatch(/^docs\/a\.md:6 error TS/)
})

test('examples of comments keep their line; one without a block is reported', () => {
  const source = `/** Head. */\n\n/**\n * Does.\n *\n * @example\n * ${FENCE}ts\n * const a = 1\n * ${FENCE}\n */\n\n/**\n * @example run(1)\n */\n`
  const { examples, unchecked } = examplesOfSource('a.ts', source)
  expect(examples).toEqual([{ file: 'a.ts', line: 8, code: 'const a = 1\n' }])
  expect(unchecked).toEqual(['a.ts:12 has an @example without a ```ts block.'])
})
