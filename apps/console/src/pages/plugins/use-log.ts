/** The lines of one plugin's log: those that the host keeps, then each as it comes. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { client } from '../../data/client.ts'
import { onReopened, useChanges } from '../../data/live.ts'
import { keepLines, type LineKeeper, type LogLine, lineOf } from './log-lines.ts'

/** As many as the host keeps. */
export const KEPT = 1_000
/** Lines come in hundreds: the page is drawn once for those of one moment. */
const TOGETHER_MS = 100

export interface Log {
  /** Null: not read yet. */
  readonly lines: readonly LogLine[] | null
  readonly error: Error | null
  readonly retry: () => void
}

export function useLog(installationUuid: string): Log {
  const [lines, setLines] = useState<readonly LogLine[] | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [round, setRound] = useState(0)
  const keeper = useRef<LineKeeper | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another plugin has lines of its own
  useEffect(() => {
    setLines(null)
    const own = keepLines(setLines, TOGETHER_MS)
    keeper.current = own
    return () => {
      own.stop()
      keeper.current = null
    }
  }, [installationUuid])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads anew
  useEffect(() => {
    let open = true
    client.pluginLogs({ params: { installation_uuid: installationUuid }, query: { limit: KEPT } }).then(
      ({ items }) => {
        if (!open) return
        setError(null)
        keeper.current?.read(items)
      },
      (fault: unknown) => open && setError(fault instanceof Error ? fault : new Error(String(fault))),
    )
    return () => {
      open = false
    }
  }, [installationUuid, round])
  // What was written while the connection was cut was not told.
  useEffect(() => onReopened(() => setRound((before) => before + 1)), [])
  useChanges(
    useCallback(
      (change) => {
        const line = change.kind === 'log' ? lineOf(change.data, installationUuid) : null
        if (line !== null) keeper.current?.came(line)
      },
      [installationUuid],
    ),
  )
  return { lines, error, retry: () => setRound((before) => before + 1) }
}
