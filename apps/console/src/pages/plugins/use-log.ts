/** The lines of one plugin's log: those that the host keeps, then each as it comes. */
import { useCallback, useEffect, useState } from 'react'
import { client, type Output } from '../../data/client.ts'
import { onReopened, useChanges } from '../../data/live.ts'

export type LogLine = Output<'pluginLogs'>['items'][number] & { readonly id: number }

/** As many as the host keeps. */
export const KEPT = 1_000
/** More than this is let go at the top; a page that stays open for days must not grow for ever. */
const MOST = 5_000
/** Lines come in hundreds: the page is drawn once for those of one moment. */
const TOGETHER_MS = 100

export interface Log {
  /** Null: not read yet. */
  readonly lines: readonly LogLine[] | null
  readonly error: Error | null
  readonly retry: () => void
}

let last = 0
const withId = (line: Output<'pluginLogs'>['items'][number]): LogLine => ({ ...line, id: ++last })

export function useLog(installationUuid: string): Log {
  const [lines, setLines] = useState<readonly LogLine[] | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [round, setRound] = useState(0)
  const [waiting] = useState<{ lines: LogLine[]; timer: ReturnType<typeof setTimeout> | undefined }>({
    lines: [],
    timer: undefined,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads anew
  useEffect(() => {
    let open = true
    client.pluginLogs({ params: { installation_uuid: installationUuid }, query: { limit: KEPT } }).then(
      ({ items }) => {
        if (!open) return
        // Those that came while it was asked for are in the answer: they are told twice, and shown once.
        const newest = items.at(-1)?.at ?? 0
        waiting.lines = waiting.lines.filter(({ at }) => at > newest)
        setError(null)
        setLines(items.map(withId))
      },
      (fault: unknown) => open && setError(fault instanceof Error ? fault : new Error(String(fault))),
    )
    return () => {
      open = false
    }
  }, [installationUuid, round])
  // What was written while the connection was cut was not told.
  useEffect(() => onReopened(() => setRound((before) => before + 1)), [])
  useEffect(() => () => clearTimeout(waiting.timer), [waiting])

  useChanges(
    useCallback(
      (change) => {
        const line = change.kind === 'log' ? lineOf(change.data, installationUuid) : null
        if (line === null) return
        waiting.lines.push(withId(line))
        waiting.timer ??= setTimeout(() => {
          waiting.timer = undefined
          const come = waiting.lines.splice(0)
          setLines((before) => (before === null ? before : [...before, ...come].slice(-MOST)))
        }, TOGETHER_MS)
      },
      [installationUuid, waiting],
    ),
  )
  return { lines, error, retry: () => setRound((before) => before + 1) }
}

const LEVELS = ['debug', 'info', 'warning', 'error'] as const

/** The line of a live change, where it is of this plugin. */
function lineOf(data: unknown, installationUuid: string): Output<'pluginLogs'>['items'][number] | null {
  if (typeof data !== 'object' || data === null || !('line' in data) || !('installation_uuid' in data)) return null
  const { line, installation_uuid } = data
  if (installation_uuid !== installationUuid || typeof line !== 'object' || line === null) return null
  const level = 'level' in line ? LEVELS.find((known) => known === line.level) : undefined
  if (level === undefined || !('at' in line) || !('text' in line)) return null
  return typeof line.at === 'number' && typeof line.text === 'string' ? { at: line.at, level, text: line.text } : null
}
