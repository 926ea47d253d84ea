/** Reads a set-up file: YAML, checked against its schema, `${NAME}` filled from the environment. Faults name line and column. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { type SetupFile, SetupFileSchema } from '@runbound/api'
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { CliError } from '../errors.ts'

type Path = readonly PropertyKey[]

/** What the file says, and where. */
export interface ReadFile {
  readonly content: SetupFile
  /** `setup.yaml:12:5` of the value at this path, or of what holds it. */
  place(path: Path): string
}

/** How deep a file may nest; the deepest setting needs far less. */
const DEPTH_MAX = 100
/** Aliases may repeat a node so often: a small file must not become a large one. */
const ALIASES = 100

/** CliError `invalid_file` with one line per fault, each with its place. */
export function readSetup(file: string, env: NodeJS.ProcessEnv = process.env): ReadFile {
  if (!existsSync(file)) throw new CliError('usage', `There is no file ${file}.`)
  if (!statSync(file).isFile()) throw new CliError('usage', `${file} is no file.`)
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const [fault] = document.errors
  if (fault !== undefined) {
    // The parser recurses, and passes the engine's own message on.
    const message = /call stack/.test(fault.message) ? `nested deeper than ${DEPTH_MAX} levels.` : fault.message
    throw new CliError('invalid_file', `${at(fault.pos[0])}: ${message}`)
  }
  const place = (path: Path): string => at(offsetOf(document, path))
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null))
    throw new CliError(
      'invalid_file',
      `${file} is empty. It needs at least one of: bots, agents, plugin_processors, routes.`,
    )
  const filled = fill(plain(document, at(0)), [], { env, place })
  const read = SetupFileSchema.safeParse(filled)
  if (read.success) return { content: read.data, place }
  const faults = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${at(keyOffset(document, issue.path, key))}: there is no key "${key}" here.`)
      : [`${place(issue.path)}: ${nameOf(issue.path)}${issue.message}.`],
  )
  throw new CliError('invalid_file', faults.join('\n'))
}

/** The file's values; the library refuses aliases that would make much of little. */
function plain(document: Document, place: string): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES })
  } catch (error) {
    throw new CliError(
      'invalid_file',
      `${place}: aliases (*name) repeat more than ${ALIASES} values: write them out.`,
      {
        cause: error,
      },
    )
  }
}

function nameOf(path: Path): string {
  return path.length === 0 ? '' : `${path.map(String).join('.')}: `
}

/** Where a value begins; of the nearest thing around it, when it is not there. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range != null) return node.range[0]
  }
  return 0
}

function keyOffset(document: Document, path: Path, key: string): number {
  const node: unknown = document.getIn(path, true)
  const pair = isMap(node) ? node.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === key) : null
  const found = pair != null && isScalar(pair.key) ? pair.key.range : null
  return found == null ? offsetOf(document, path) : found[0]
}

interface Filling {
  readonly env: NodeJS.ProcessEnv
  readonly place: (path: Path) => string
}

/** `${NAME}` in texts below `settings` and `config`: secrets stay out of the file. */
function fill(value: unknown, path: Path, filling: Filling): unknown {
  // An alias may hold itself.
  if (path.length > DEPTH_MAX)
    throw new CliError('invalid_file', `${filling.place(path)}: nested deeper than ${DEPTH_MAX} levels.`)
  if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index], filling))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, [...path, key], filling)]))
  if (typeof value !== 'string' || !(path.includes('settings') || path.includes('config'))) return value
  return value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, name: string) => {
    const found = filling.env[name]
    if (found !== undefined) return found
    throw new CliError('invalid_file', `${filling.place(path)}: the environment variable ${name} is not set.`)
  })
}
