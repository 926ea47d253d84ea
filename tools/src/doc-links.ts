/** Paths that the documents name: each must exist, because documents that the tree denies are worse than none. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lineAt } from './sources/mask.ts'
import { filesUnder, PACKAGE_FOLDERS, ROOT, SINGLE_PACKAGES } from './sources/tree.ts'

const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g
const CODE = /`([^`\n]+)`/g
const FENCED = /^```[\s\S]*?^```/gm
const TOP = new Set<string>([...PACKAGE_FOLDERS, ...SINGLE_PACKAGES, 'docs', '.ci'])

/** A path that a text names, with its line. */
export interface NamedPath {
  readonly path: string
  readonly line: number
}

/**
 * The paths that a markdown text names: targets of links, relative to the text's own folder, and words in code marks that
 * begin with a folder of the root. `packages/*` and `x/{a,b}.ts` are patterns, not paths.
 */
export function pathsIn(file: string, text: string): NamedPath[] {
  const plain = text.replace(FENCED, (block) => block.replace(/[^\n]/g, ' '))
  const links = [...plain.matchAll(LINK)]
    .filter(([, target = '']) => !/^[a-z]+:/.test(target))
    .map((match) => ({ path: join(dirname(file), match[1] ?? ''), line: lineAt(text, match.index) }))
  const words = [...plain.matchAll(CODE)]
    .filter(([, word = '']) => TOP.has(word.split('/')[0] ?? '') && /^[\w./-]+\/[\w./-]*$/.test(word))
    .map((match) => ({ path: match[1] ?? '', line: lineAt(text, match.index) }))
  return [...links, ...words].sort((a, b) => a.line - b.line)
}

/** Every named path of the documents that does not exist, as `file:line path`. */
export function brokenLinks(): string[] {
  const isMarkdown = (name: string) => name.endsWith('.md')
  const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'REVIEW.md', ...filesUnder('docs', isMarkdown)]
  return documents.flatMap((file) =>
    pathsIn(file, readFileSync(join(ROOT, file), 'utf8'))
      .filter(({ path }) => !existsSync(join(ROOT, path)))
      .map(({ path, line }) => `${file}:${line} names ${path}, which is not there.`),
  )
}
