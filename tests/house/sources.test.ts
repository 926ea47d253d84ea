import { describe, expect, test } from 'vitest'
import { findImports } from '../../tools/src/sources/imports.ts'
import { maskSource } from '../../tools/src/sources/mask.ts'

// Kept out of the strings below, where a linter takes it for a mistake.
const HOLE = '$' + '{'

describe('the import scanner', () => {
  test.each([
    ["import a from 'x'", 'value'],
    ["import { a, b } from 'x'", 'value'],
    ["import a, { type B } from 'x'", 'value'],
    ["import { type A } from 'x'", 'value'],
    ["import * as a from 'x'", 'value'],
    ["import 'x'", 'value'],
    ["import type { A } from 'x'", 'type'],
    ["import type A from 'x'", 'type'],
    ["import type from 'x'", 'value'],
    ["export { a } from 'x'", 'value'],
    ["export * from 'x'", 'value'],
    ["export * as a from 'x'", 'value'],
    ["export type { A } from 'x'", 'type'],
    ["const a = await import('x')", 'dynamic'],
    ["type A = typeof import('x')", 'type'],
    ["new URL('./x', import.meta.url)", 'url'],
  ])('reads %s as %s', (text, kind) => {
    expect(findImports(text)).toEqual([{ specifier: kind === 'url' ? './x' : 'x', kind, line: 1 }])
  })

  test('reads imports over several lines and counts lines', () => {
    const text =
      "/** head */\n\nimport {\n  type A,\n  // from 'nowhere'\n  b,\n} from './b.ts'\nimport type {\n  C,\n} from './c.ts'\n"
    expect(findImports(text)).toEqual([
      { specifier: './b.ts', kind: 'value', line: 3 },
      { specifier: './c.ts', kind: 'type', line: 8 },
    ])
  })

  test.each([
    "// import { a } from 'x'",
    "/* export * from 'x' */",
    'const text = "import { a } from \'x\'"',
    "const text = `import { a } from 'x'`",
    `const text = \`${HOLE}\`}import { a } from 'x'\`} import 'x'\``,
    "const pattern = /import '[\"/]x'/",
    "array.from('x')",
    "import.meta.resolve('x')",
    "export const importing = 'x'",
    "export function from() { return 'x' }",
  ])('finds nothing in %s', (text) => {
    expect(findImports(text)).toEqual([])
  })

  test('finds the import behind what could be mistaken for a string', () => {
    const text = `const a = b / c // it's\nconst d = /'/g\nconst e = \`${HOLE}a}'\`\nimport { f } from 'x'\n`
    expect(findImports(text)).toEqual([{ specifier: 'x', kind: 'value', line: 4 }])
  })
})

test('masking keeps every offset and every line break', () => {
  const text = `const a = 'it' // x\n/* y\n */ const b = \`1${HOLE}a}2\`\n`
  const masked = maskSource(text)
  expect(masked).toHaveLength(text.length)
  expect(masked.split('\n')).toHaveLength(text.split('\n').length)
  expect(masked).toContain("const a = '  '")
  expect(masked).not.toContain('it')
  expect(masked).toContain('a')
})
