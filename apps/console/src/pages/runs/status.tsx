/** The state of a run as people read it: a dot in the colour of its news, and the word. */
import { type ReactNode, useEffect, useState } from 'react'
import { Dot, type Tone } from '../../parts/badge.tsx'
import { duration } from '../../parts/time-ago.tsx'
import { useRunStatusWord } from '../../words/run-status.ts'

const TONES: Readonly<Record<string, Tone>> = {
  completed: 'ok', failed: 'danger', timeout: 'danger', cancelled: 'neutral', running: 'accent',
  queued: 'info', created: 'info', claimed: 'info',
} // biome-ignore format: a table

const OVER = new Set(['completed', 'failed', 'cancelled', 'timeout'])

/** True for a state that a run never leaves. */
export function isOver(status: string): boolean {
  return OVER.has(status)
}

export function Status({ status }: { readonly status: string }): ReactNode {
  const word = useRunStatusWord()
  return (
    <span data-status={status} className="inline-flex min-w-0 items-center gap-2">
      <Dot tone={TONES[status] ?? 'neutral'} pulse={!isOver(status)} />
      <span className="truncate">{word(status)}</span>
    </span>
  )
}

export interface ElapsedProps {
  readonly ms: number | null
  /** Epoch milliseconds; counted from here while `ms` is null. */
  readonly since: number
  /** False: it stands still, because nothing runs. */
  readonly runs: boolean
}

/** How long it took, or how long it takes so far. */
export function Elapsed({ ms, since, runs }: ElapsedProps): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  const ticks = ms === null && runs
  useEffect(() => {
    if (!ticks) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [ticks])
  if (ms !== null) return <span className="tabular-nums">{duration(ms)}</span>
  if (!runs) return null
  return (
    <span className="text-accent tabular-nums">{duration(Math.max(0, Math.floor((now - since) / 1_000) * 1_000))}</span>
  )
}
