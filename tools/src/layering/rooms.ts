/** The arrows between the rooms of `packages/host/src` (DESIGN §3): who may load whom, and that nothing goes round. */
import { isTestFile, resolveRelative, type SourceFile } from '../sources/tree.ts'
import type { Violation } from './violation.ts'

const HOST = 'packages/host/src/'

/**
 * Rooms whose code a room may load. Types of another room's `types.ts` cross everywhere; all the rest is given at the
 * start by `host.ts`, so that a room can be tested without its neighbours.
 */
export const ROOM_ARROWS: Readonly<Record<string, readonly string[]>> = {
  trail: [],
  gateway: [],
  plugins: [],
  identity: [],
  telemetry: [],
  platforms: [],
  http: [],
  storage: ['gateway'],
  models: ['gateway'],
  tools: ['gateway'],
  knowledge: ['gateway'],
  box: ['gateway'],
  unavailable: ['gateway'],
  delivery: ['gateway', 'trail'],
  pipelines: ['gateway', 'trail'],
  runs: ['gateway', 'trail'],
  conversations: ['runs', 'gateway', 'trail'],
  events: ['conversations', 'runs', 'gateway', 'trail'],
}

/** Files of the host that build it from its rooms: the only ones that load several. */
export const BUILDERS = ['host.ts', 'index.ts'] as const

/** A leaf room that belongs to everyone: reason codes with their sentences. */
const LEAF = 'trail'

/** The room of a host file; null for files that lie beside the rooms, undefined outside the host. */
export function roomOf(path: string): string | null | undefined {
  if (!path.startsWith(HOST)) return undefined
  const rest = path.slice(HOST.length)
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : null
}

/** Checks each import between rooms. `types` of a room may only be taken from files whose job is to be read. */
export function checkRooms(files: readonly SourceFile[]): Violation[] {
  const found: Violation[] = []
  for (const file of files) {
    const from = roomOf(file.path)
    if (from === undefined || isTestFile(file.path)) continue
    if (from !== null && ROOM_ARROWS[from] === undefined)
      found.push({
        file: file.path,
        line: 0,
        rule: 'room arrows',
        says: `the room ${from} has no row in ROOM_ARROWS; give it one.`,
      })
    for (const { specifier, kind, line } of file.imports) {
      if (!specifier.startsWith('.')) continue
      const target = resolveRelative(file.path, specifier)
      const to = roomOf(target)
      if (to === undefined || to === null || to === from) continue
      const says = refusal({ from, to, target, typeOnly: kind === 'type', file: file.path })
      if (says !== null) found.push({ file: file.path, line, rule: 'room arrows', says })
    }
  }
  return [...found, ...checkCycles(files)]
}

function refusal(edge: {
  from: string | null
  to: string
  target: string
  typeOnly: boolean
  file: string
}): string | null {
  const { from, to, target, typeOnly, file } = edge
  if (from === null) {
    if (typeOnly || to === LEAF || (BUILDERS as readonly string[]).includes(file.slice(HOST.length))) return null
    return `only ${BUILDERS.join(' and ')} load rooms; a file beside the rooms is ground that all stand on.`
  }
  if (ROOM_ARROWS[from]?.includes(to)) return null
  if (typeOnly) {
    const isOpen = to === LEAF || /\/(types|[\w-]+-types)\.ts$/.test(target)
    return isOpen ? null : `types of ${to} are taken from its types.ts, not from ${target.slice(HOST.length)}.`
  }
  return `${from} may not load ${to}; let host.ts give it what it needs.`
}

/** Files that load each other in a circle, in any package: the one with the smallest path names it. */
export function checkCycles(files: readonly SourceFile[]): Violation[] {
  const loads = new Map<string, { target: string; line: number }[]>()
  for (const file of files) {
    const targets = file.imports
      .filter(({ specifier, kind }) => specifier.startsWith('.') && kind === 'value')
      .map(({ specifier, line }) => ({ target: resolveRelative(file.path, specifier), line }))
    loads.set(file.path, targets)
  }
  const found: Violation[] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]) => {
    if (done.has(path)) return
    for (const { target, line } of loads.get(path) ?? []) {
      const start = [...trail, path].indexOf(target)
      if (start === -1) walk(target, [...trail, path])
      else {
        const circle = [...[...trail, path].slice(start), target]
        found.push({
          file: path,
          line,
          rule: 'cycle',
          says: `files load each other in a circle: ${circle.join(' -> ')}`,
        })
      }
    }
    done.add(path)
  }
  for (const file of files) walk(file.path, [])
  return found
}
