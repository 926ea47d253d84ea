/** Lines of a plugin's log as the host numbers them: read from a live change, merged without loss or repetition. */
import type { Output } from '../../data/client.ts'

export type LogLine = Output<'pluginLogs'>['items'][number]

/** More than this is let go at the top; a page that stays open for days must not grow for ever. */
const MOST = 5_000

/**
 * Both, in the order of their sequences, each line once; the same array when nothing is new. Lines come late, twice, and
 * while the log is being read: their sequence alone says where they belong.
 */
export function mergedLines(known: readonly LogLine[], come: readonly LogLine[]): readonly LogLine[] {
  const has = new Set(known.map(({ sequence }) => sequence))
  const fresh = new Map(come.filter(({ sequence }) => !has.has(sequence)).map((line) => [line.sequence, line]))
  if (fresh.size === 0) return known
  return [...known, ...fresh.values()].sort((a, b) => a.sequence - b.sequence).slice(-MOST)
}

const LEVELS = ['debug', 'info', 'warning', 'error'] as const

/** The line of a live change; null where it is of another plugin, or none. */
export function lineOf(data: unknown, installationUuid: string): LogLine | null {
  if (typeof data !== 'object' || data === null || !('line' in data) || !('installation_uuid' in data)) return null
  const { line, installation_uuid } = data
  if (installation_uuid !== installationUuid || typeof line !== 'object' || line === null) return null
  const level = 'level' in line ? LEVELS.find((known) => known === line.level) : undefined
  if (level === undefined || !('at' in line) || !('text' in line) || !('sequence' in line)) return null
  const { at, text, sequence } = line
  return typeof at === 'number' && typeof text === 'string' && typeof sequence === 'number'
    ? { sequence, at, level, text }
    : null
}

export interface LineKeeper {
  /** A line came: it is shown with others of its moment, but never before the log was read. */
  readonly came: (line: LogLine) => void
  /** The log was read, once more or for the first time: what waited and what is shown stays. */
  readonly read: (lines: readonly LogLine[]) => void
  readonly stop: () => void
}

/**
 * Keeps the lines of one plugin; `show` gets all of them whenever some are new. `togetherMs`: lines come in hundreds, and
 * those of one moment are shown at once.
 */
export function keepLines(show: (lines: readonly LogLine[]) => void, togetherMs: number): LineKeeper {
  let shown: readonly LogLine[] | null = null
  let waiting: LogLine[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const put = (lines: readonly LogLine[]): void => {
    const next = mergedLines(shown ?? [], [...lines, ...waiting])
    waiting = []
    if (next === shown) return
    shown = next
    show(next)
  }
  return {
    came(line) {
      waiting.push(line)
      if (shown === null) {
        // Of a log that can't be read the newest are kept for when it can.
        if (waiting.length > MOST) waiting = waiting.slice(-MOST)
        return
      }
      timer ??= setTimeout(() => {
        timer = undefined
        put([])
      }, togetherMs)
    },
    read: put,
    stop: () => clearTimeout(timer),
  }
}
