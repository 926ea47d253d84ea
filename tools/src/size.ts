/** How long the source files are: over 500 lines needs a reason in `tools/size-exceptions.json`, over 200 is a warning. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder, isTestFile, packageFolders, ROOT } from './sources/tree.ts'

/** Over this many lines a file needs a reason. */
export const MOST_LINES = 500
/** Over this many lines a file is named in the report. */
export const MANY_LINES = 200

const SOURCES = /\.(ts|tsx|js|mjs|css)$/
export const SIZE_EXCEPTIONS_FILE = join(ROOT, 'tools/size-exceptions.json')

/** A file and its number of lines. */
export interface FileSize {
  readonly path: string
  readonly lines: number
}

export interface SizeReport {
  /** What fails the check, as sentences. */
  readonly failures: readonly string[]
  /** Sources without tests that are over {@link MANY_LINES}, longest first. */
  readonly long: readonly FileSize[]
  readonly largest: FileSize | undefined
  readonly median: number
  readonly files: number
}

/** Every source of the repository with its number of lines. */
export function readSizes(): FileSize[] {
  return packageFolders()
    .flatMap((folder) => filesUnder(folder, (name) => SOURCES.test(name)))
    .map((path) => ({ path, lines: countLines(readFileSync(join(ROOT, path), 'utf8')) }))
}

/** The files that may be longer, each with its reason. */
export function readSizeExceptions(): Record<string, string> {
  return JSON.parse(readFileSync(SIZE_EXCEPTIONS_FILE, 'utf8'))
}

/** Judges the sizes; an exception without a reason, or for a file that is short again, fails too. */
export function judgeSizes(sizes: readonly FileSize[], exceptions: Readonly<Record<string, string>>): SizeReport {
  const failures = sizes
    .filter(({ path, lines }) => lines > MOST_LINES && exceptions[path] === undefined)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines (most: ${MOST_LINES}). Split it, or give a reason in tools/size-exceptions.json.`,
    )
  for (const [path, reason] of Object.entries(exceptions)) {
    if (reason.trim() === '') failures.push(`${path} has an entry in tools/size-exceptions.json without a reason.`)
    const size = sizes.find((item) => item.path === path)
    if (size === undefined || size.lines <= MOST_LINES)
      failures.push(`${path} needs no exception any more; take it out of tools/size-exceptions.json.`)
  }
  const shipped = sizes.filter(({ path }) => !isTestFile(path)).sort((a, b) => b.lines - a.lines)
  return {
    failures,
    long: shipped.filter(({ lines }) => lines > MANY_LINES),
    largest: shipped[0],
    median: shipped[Math.floor(shipped.length / 2)]?.lines ?? 0,
    files: shipped.length,
  }
}

/** The report as lines for the terminal. */
export function sizeText(report: SizeReport): string[] {
  const { largest, median, files, long } = report
  return [
    `${files} source files, median ${median} lines, largest ${largest?.path ?? 'none'} (${largest?.lines ?? 0}), ${long.length} over ${MANY_LINES}.`,
    ...long.slice(0, 10).map(({ path, lines }) => `  warning: ${lines} lines in ${path} (aim for 40 to ${MANY_LINES})`),
    ...report.failures,
  ]
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
