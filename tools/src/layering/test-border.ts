/** What ships never loads what is only for tests. */
import { isTestFile, resolveRelative, type SourceFile } from '../sources/tree.ts'
import type { Violation } from './violation.ts'

/** Reports each import of a test's file by a file that ships. */
export function checkTestBorder(files: readonly SourceFile[]): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    if (isTestFile(file.path) || !/^(packages|platforms|engines|bundled|apps)\//.test(file.path)) continue
    for (const { specifier, line } of file.imports) {
      if (!specifier.startsWith('.') || !isTestFile(resolveRelative(file.path, specifier))) continue
      found.push({ file: file.path, line, rule: 'test border', says: `${specifier} is only for tests.` })
    }
  }
  return found
}
