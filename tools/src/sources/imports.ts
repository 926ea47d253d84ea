/** Finds what a TypeScript file imports, from its text alone: no parser, so that the house has no more dependencies. */
import { lineAt, maskSource } from './mask.ts'

/**
 * `type`: gone at run time (`import type`, `export type ... from`, `typeof import()`). `value`: loads the module.
 * `dynamic`: `import()`. `url`: a file started by its address (`new URL('./x.ts', import.meta.url)`), such as a worker.
 */
export type ImportKind = 'type' | 'value' | 'dynamic' | 'url'

export interface FoundImport {
  readonly specifier: string
  readonly kind: ImportKind
  readonly line: number
}

/** `import a, { b } from`, `import type ... from`, `export { a } from`, `export * from`; ends at the opening quote. */
const FROM = /(?<![\w$.])(?:import|export)\s+(type\s+)?(?:[\w$*]|\{)[^'"`;()=]*?\bfrom\s*(?=['"])/g
const BARE = /(?<![\w$.])import\s*(?=['"])/g
const DYNAMIC = /(?<![\w$.])(typeof\s+)?import\s*\(\s*(?=['"])/g
const ADDRESS = /\bnew\s+URL\s*\(\s*(?=['"])/g
/** `import type from './x.ts'` imports a default that happens to be called `type`. */
const NAMED_TYPE = /^import\s+type\s+from\s*$/

/**
 * Every import of a file, in the order of the text. An import whose names are all marked `type` one by one
 * (`import { type A }`) is a `value`: Node keeps the import and loads the module.
 */
export function findImports(text: string): FoundImport[] {
  const masked = maskSource(text)
  const found: (FoundImport & { offset: number })[] = []
  const take = (pattern: RegExp, kindOf: (match: RegExpExecArray) => ImportKind) => {
    for (const match of masked.matchAll(pattern)) {
      const quote = match.index + match[0].length
      const end = masked.indexOf(masked.charAt(quote), quote + 1)
      if (end === -1) continue
      found.push({
        specifier: text.slice(quote + 1, end),
        kind: kindOf(match),
        line: lineAt(text, match.index),
        offset: quote,
      })
    }
  }
  take(FROM, (match) => (match[1] !== undefined && !NAMED_TYPE.test(match[0]) ? 'type' : 'value'))
  take(BARE, () => 'value')
  take(DYNAMIC, (match) => (match[1] === undefined ? 'dynamic' : 'type'))
  take(ADDRESS, () => 'url')
  return found
    .filter((item) => item.kind !== 'url' || item.specifier.startsWith('.'))
    .sort((a, b) => a.offset - b.offset)
    .map(({ specifier, kind, line }) => ({ specifier, kind, line }))
}
