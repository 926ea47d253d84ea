import { expect, test } from 'vitest'
import { compileExamples, examplesOfMarkdown, examplesOfSource, readExamples } from '../../tools/src/doc-examples.ts'

const FENCE = '```'

// That all of them compile is a step of `npm run validate`: it type checks the SDK once more, which takes its time.
test('every @example of what authors import can be compiled, and the guide has examples', () => {
  const { examples, unchecked } = readExamples()
  expect(unchecked).toEqual([])
  expect(examples.filter(({ file }) => file.startsWith('packages/sdk/')).length).toBeGreaterThan(40)
  expect(examples.filter(({ file }) => file === 'docs/plugin-guide.md').length).toBeGreaterThan(5)
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
