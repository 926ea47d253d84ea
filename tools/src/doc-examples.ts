/** Compiles every TypeScript example of the documents and of the SDK's TSDoc against the real packages, in one tsc run. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineAt } from './sources/mask.ts'
import { filesUnder, isTestFile, packageFolders, ROOT } from './sources/tree.ts'

/** An example, with where it stands: `line` is that of its first line of code. */
export interface Example {
  readonly file: string
  readonly line: number
  readonly code: string
}

const FENCE = /^([ \t]*)```ts[ \t]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm
const COMMENT = /\/\*\*[\s\S]*?\*\//g

/** The ```ts blocks of a markdown text. */
export function examplesOfMarkdown(file: string, text: string): Example[] {
  return [...text.matchAll(FENCE)].map((match) => ({
    file,
    line: lineAt(text, match.index) + 1,
    code: match[2] ?? '',
  }))
}

/** The examples of a source's comments: each `@example` has to hold a ```ts block, or it is an example that nobody checks. */
export function examplesOfSource(file: string, text: string): { examples: Example[]; unchecked: string[] } {
  const examples: Example[] = []
  const unchecked: string[] = []
  for (const comment of text.matchAll(COMMENT)) {
    const plain = comment[0].replace(/^[ \t]*(\/\*\*|\*(?!\/))[ \t]?/gm, '')
    const above = lineAt(text, comment.index) - 1
    const blocks = examplesOfMarkdown(file, plain)
    const tags = plain.match(/@example\b/g)?.length ?? 0
    if (tags > blocks.length) unchecked.push(`${file}:${above + 1} has an @example without a \`\`\`ts block.`)
    examples.push(...blocks.map((block) => ({ ...block, line: block.line + above })))
  }
  return { examples, unchecked }
}

/** Packages that authors and scripts import: there every `@example` is compiled; elsewhere the fenced ones are. */
const FOR_AUTHORS = /^packages\/(sdk|testing|api)\//

/** Every example of the repository. */
export function readExamples(): { examples: Example[]; unchecked: string[] } {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const isMarkdown = (name: string) => name.endsWith('.md')
  const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'REVIEW.md', ...filesUnder('docs', isMarkdown)]
  documents.push(...packageFolders().flatMap((folder) => filesUnder(folder, isMarkdown)))
  const sources = filesUnder('packages', (name) => name.endsWith('.ts')).filter((path) => !isTestFile(path))
  const found = sources.map((path) => examplesOfSource(path, read(path)))
  return {
    examples: [
      ...documents.flatMap((path) => examplesOfMarkdown(path, read(path))),
      ...found.flatMap(({ examples }) => examples),
    ],
    unchecked: found.flatMap(({ unchecked }) => unchecked).filter((place) => FOR_AUTHORS.test(place)),
  }
}

/** Compiles the examples, each as a module of its own; answers one sentence per error, with the place in the document. */
export function compileExamples(examples: readonly Example[]): string[] {
  const folder = join(ROOT, 'dist', `doc-examples-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const fileOf = new Map<string, string>()
    for (const [index, example] of examples.entries()) {
      const name = `example-${index}.ts`
      fileOf.set(name, example.file)
      // Empty lines above, so that the compiler's line numbers are those of the document.
      writeFileSync(join(folder, name), '\n'.repeat(example.line - 1) + example.code)
    }
    const options = {
      extends: '../../tsconfig.json',
      compilerOptions: { moduleDetection: 'force' },
      include: ['*.ts'],
      exclude: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const ran = spawnSync(process.execPath, [compiler, '-p', folder, '--noEmit', '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    })
    if (ran.status === 0) return []
    const errors = ran.stdout.split('\n').flatMap((line) => {
      const match = /^(example-\d+\.ts)\((\d+),\d+\): (.*)$/.exec(line)
      return match === null ? [] : [`${fileOf.get(match[1] ?? '')}:${match[2]} ${match[3]}`]
    })
    return errors.length > 0 ? errors : [`The compiler failed elsewhere: ${ran.stdout}${ran.stderr}`.trim()]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
