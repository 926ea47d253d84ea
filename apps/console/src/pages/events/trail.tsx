/** The trail of an event, step by step: what happened, when, at which processor, under which reason code. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Dot, type Tone } from '../../parts/badge.tsx'
import { duration, exactTime } from '../../parts/time-ago.tsx'
import { type EventDetail, OUTCOME_TONES, withNames } from './outcome.tsx'
import { usePageWords } from './words/words.ts'

export interface TrailProps {
  readonly event: EventDetail
  /** What a code decides, by code. */
  readonly decides: ReadonlyMap<string, keyof typeof OUTCOME_TONES>
  readonly processorName: (processorId: string) => string
}

export function Trail({ event, decides, processorName }: TrailProps): ReactNode {
  const words = usePageWords()
  const entries = event.trail
  const [first] = entries
  if (first === undefined) return <p className="text-ink-soft">{words.trailEmpty}</p>
  return (
    <ol aria-label={words.trail} className="flex flex-col">
      {entries.map((entry, index) => {
        const decided = decides.get(entry.code) ?? 'unknown'
        const tone: Tone =
          decided === 'silent' && entry.code === event.why?.code
            ? 'warn'
            : decided === 'open'
              ? 'neutral'
              : OUTCOME_TONES[decided]
        const processor = typeof entry.processor_id === 'string' ? entry.processor_id : null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added at the end
          <li key={index} className="group flex gap-3">
            <span className="flex w-2 flex-none flex-col items-center" aria-hidden>
              <span className="flex h-5 items-center">
                <Dot tone={tone} />
              </span>
              <span className="w-px flex-1 bg-line group-last:hidden" />
            </span>
            <div className="min-w-0 flex-1 pb-4 group-last:pb-0">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{words.steps[entry.step as keyof typeof words.steps] ?? entry.step}</span>
                <code className="text-ink-soft">{entry.code}</code>
                {processor !== null && (
                  <Link
                    to="/agents/$processorId"
                    params={{ processorId: processor }}
                    className="truncate text-ink-soft text-xs hover:text-ink hover:underline"
                  >
                    {processorName(processor)}
                  </Link>
                )}
                <span className="ml-auto text-ink-soft text-xs tabular-nums" title={exactTime(entry.at)}>
                  {index === 0
                    ? exactTime(entry.at).replace(/^.*?(\d\d:\d\d:\d\d\S*).*$/, '$1')
                    : `+${duration(entry.at - first.at)}`}
                </span>
              </p>
              <p className="break-words text-ink-soft">{withNames(entry.message, event.runs, processorName)}</p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}
