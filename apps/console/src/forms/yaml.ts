/** YAML of what a form holds, both ways. Faults name their line; nothing is guessed. */
import { type SetupFile, SetupFileSchema } from '@runbound/api'
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, stringify } from 'yaml'
import type { FormItem } from './items.ts'
import { isObject, type JsonObject } from './json.ts'
import { maskSecrets, unmaskSecrets } from './values.ts'
import type { FormWords } from './words/words.ts'

export interface YamlFault {
  readonly ok: false
  /** From 1. */
  readonly line: number
  readonly message: string
}
export type YamlReading<T> = { readonly ok: true; readonly value: T } | YamlFault

/** How one kind of object is written as YAML and read again. */
export interface YamlCodec<T> {
  /** True: what it writes is what `runbound apply` takes. */
  readonly applies: boolean
  readonly write: (value: T) => string
  /** `before` is what the form holds: secrets that are marked as set are taken from it. */
  readonly read: (text: string, before: T) => YamlReading<T>
}

type Path = readonly PropertyKey[]
type ListName = keyof SetupFile
type Words = FormWords['yaml']

/** Aliases may repeat a node so often: a small text must not become a large value. */
const ALIASES = 100
const WIDTH = 100

export function writeYaml(value: unknown): string {
  return stringify(value, { lineWidth: WIDTH, aliasDuplicateObjects: false })
}

/** Settings alone, one key each: for objects that `runbound apply` does not know. */
export function settingsYaml(items: readonly FormItem[], words: Words): YamlCodec<JsonObject> {
  return {
    applies: false,
    write: (values) => writeYaml(maskSecrets(items, values)),
    read: (text, before) => {
      const parsed = parse(text, words)
      if (!parsed.ok) return parsed
      const { value, document, lines } = parsed.value
      if (!isObject(value)) return fault(lines, 0, words.noObject)
      const known = new Set(items.map(({ name }) => name))
      const odd = Object.keys(value).find((key) => !known.has(key))
      if (odd !== undefined) return fault(lines, keyOffset(document, [], odd), words.unknownKey(odd))
      return { ok: true, value: unmaskSecrets(items, before, value) }
    },
  }
}

/** The lists of the file; one that is absent has no entries here. */
type Lists = { readonly [L in ListName]: NonNullable<SetupFile[L]> }
type Entries<L extends ListName> = Lists[L]

/** What is common to objects of the set-up file: exactly one entry of a list, as the file's own schema takes it. */
export function readSetupEntry<L extends ListName>(
  text: string,
  list: L,
  words: Words,
  refine?: Refine<Entries<L>>,
): YamlReading<Entries<L>[number]> {
  const all = readSetupList(text, list, words, refine)
  if (!all.ok) return all
  const [entry, second] = all.value
  if (entry === undefined || second !== undefined) return { ok: false, line: 1, message: words.notOne(list) }
  return { ok: true, value: entry }
}

/** What is wrong with entries beyond their schema: where, from the list on. */
export type Refine<T> = (entries: T) => { readonly path: Path; readonly message: string } | null

/** The entries of one list of the set-up file; no other list may be there. */
export function readSetupList<L extends ListName>(
  text: string,
  list: L,
  words: Words,
  refine?: Refine<Entries<L>>,
): YamlReading<Entries<L>> {
  const parsed = parse(text, words)
  if (!parsed.ok) return parsed
  const { value, document, lines } = parsed.value
  const read = SetupFileSchema.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    if (issue?.code === 'unrecognized_keys') {
      const [key = ''] = issue.keys
      return fault(lines, keyOffset(document, issue.path, key), words.unknownKey(key))
    }
    const path = issue?.path ?? []
    return fault(
      lines,
      offsetOf(document, path),
      `${path.slice(2).map(String).join('.')} ${issue?.message ?? ''}`.trim(),
    )
  }
  const other = isObject(value) ? Object.keys(value).find((key) => key !== list) : undefined
  if (other !== undefined) return fault(lines, keyOffset(document, [], other), words.notOne(list))
  const lists: Lists = { ...read.data, routes: read.data.routes ?? [] }
  const refused = refine?.(lists[list]) ?? null
  if (refused !== null) return fault(lines, offsetOf(document, [list, ...refused.path]), refused.message)
  return { ok: true, value: lists[list] }
}

interface Parsed {
  readonly value: unknown
  readonly document: Document
  readonly lines: LineCounter
}

function parse(text: string, words: Words): YamlReading<Parsed> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [wrong] = document.errors
  if (wrong !== undefined) return fault(lines, wrong.pos[0], wrong.message)
  // `runbound apply` fills these in from its own environment; here they would be stored as they stand.
  const place = /\$\{([A-Za-z_]\w*)\}/.exec(text)
  if (place !== null) return fault(lines, place.index, words.environment(place[1] ?? ''))
  try {
    return { ok: true, value: { value: document.toJS({ maxAliasCount: ALIASES }) ?? {}, document, lines } }
  } catch (error) {
    return fault(lines, 0, error instanceof Error ? error.message : String(error))
  }
}

function fault(lines: LineCounter, offset: number, message: string): YamlFault {
  return { ok: false, line: Math.max(1, lines.linePos(offset).line), message }
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
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
  const pair = isMap(node) ? node.items.find((one) => isPair(one) && isScalar(one.key) && one.key.value === key) : null
  const found = pair != null && isScalar(pair.key) ? pair.key.range : null
  return found == null ? offsetOf(document, path) : found[0]
}
