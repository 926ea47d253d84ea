/** Rules about how sources are named and opened: file names, folder names, headers, entries, who touches the database. */
import { maskSource } from '../sources/mask.ts'
import { isTestFile, type SourceFile } from '../sources/tree.ts'
import { ROOM_ARROWS, roomOf } from './rooms.ts'
import type { Violation } from './violation.ts'

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|test-d|child|gen|config))?\.tsx?$/
const FOLDER = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Folders named after nothing: nobody can say what does not belong there. */
const VAGUE = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'manager', 'managers', 'misc', 'lib', 'shared'])
/** The only folder that may know which SQLite it is. */
const SQLITE = 'packages/store/src/sqlite/'

/** Checks each file by itself, then each room's header. */
export function checkShape(files: readonly SourceFile[]): Violation[] {
  return [...files.flatMap(checkFile), ...checkRoomHeaders(files)]
}

function checkFile(file: SourceFile): Violation[] {
  const found: Violation[] = []
  const report = (line: number, rule: string, says: string) => found.push({ file: file.path, line, rule, says })
  const folders = file.path.split('/')
  const name = folders.pop() ?? ''
  if (!NAME.test(name)) report(0, 'file name', `${name} is not kebab-case.`)
  for (const folder of folders) {
    if (VAGUE.has(folder)) report(0, 'folder name', `"${folder}" says nothing; name the folder after what it owns.`)
    else if (!FOLDER.test(folder)) report(0, 'folder name', `${folder} is not kebab-case.`)
  }
  // The title of a test says what it is about.
  if (!name.includes('.test') && !/^(#!.*\n)?\s*(\/\*\*|\/\/)/.test(file.text))
    report(1, 'header', 'a file begins with a comment that says what it owns.')
  for (const { line, says } of starExports(file)) report(line, 'star export', says)
  for (const { specifier, line } of file.imports) {
    const isSqlite = specifier === 'node:sqlite' || specifier === 'better-sqlite3'
    if (isSqlite && !file.path.startsWith(SQLITE) && !isTestFile(file.path))
      report(
        line,
        'database',
        `only ${SQLITE} imports ${specifier}; everything else goes through store.commit and reads.`,
      )
  }
  for (const line of isTestFile(file.path) ? [] : linesWith(file, /\.transaction\(\)/))
    report(line, 'database', 'transactions on one connection mix their statements; write with store.commit(unit).')
  const isPlugin = file.imports.some(({ specifier }) => specifier === '@runbound/sdk')
  for (const line of linesWith(file, /^export\s+default\b/m))
    if (!isPlugin && !isTestFile(file.path) && !name.endsWith('.config.ts'))
      report(line, 'default export', 'exports are named; only plugins have a default export.')
  return found
}

/** `export * from` anywhere; `export * as name` is a name like any other. */
function starExports(file: SourceFile): { line: number; says: string }[] {
  return linesWith(file, /^export\s+(type\s+)?\*\s+from\b/m).map((line) => ({
    line,
    says: 'an entry lists what it gives, name by name: nothing becomes public by accident.',
  }))
}

function linesWith(file: SourceFile, pattern: RegExp): number[] {
  return maskSource(file.text)
    .split('\n')
    .flatMap((text, index) => (pattern.test(text) ? [index + 1] : []))
}

/** Each room says what it owns, in the first line of its `types.ts`, of the file of its own name, or of its only file. */
function checkRoomHeaders(files: readonly SourceFile[]): Violation[] {
  const found: Violation[] = []
  for (const room of Object.keys(ROOM_ARROWS)) {
    const own = files.filter((file) => roomOf(file.path) === room && !isTestFile(file.path))
    if (own.length === 0) continue
    const folder = `packages/host/src/${room}/`
    const heads =
      own.length === 1 ? own : own.filter(({ path }) => path === `${folder}types.ts` || path === `${folder}${room}.ts`)
    const header = new RegExp(`^/\\*\\*\\s*(\\*\\s*)?${room}/ `)
    if (heads.some((file) => header.test(file.text))) continue
    found.push({
      file: heads[0]?.path ?? folder,
      line: heads.length === 0 ? 0 : 1,
      rule: 'room header',
      says: `begin ${heads[0]?.path ?? `${folder}types.ts`} with "${room}/ owns ...": what the room owns and must never do.`,
    })
  }
  return found
}
