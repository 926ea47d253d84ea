/** Which lanes are shown: a switch for each that the run has entries on, and one for problems only. In the address. */
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../parts/class-names.ts'
import { type Entry, isProblem, LANE_ICONS, LANES, type Lane, lanesOf } from './entries.ts'
import type { RunSearchParams } from './route.tsx'
import { usePageWords } from './words/words.ts'

export interface LaneBarProps {
  readonly entries: readonly Entry[]
  readonly search: RunSearchParams
  readonly go: (search: RunSearchParams) => void
}

const CHIP =
  'quick inline-flex h-7 flex-none items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 text-sm max-wide:h-9'

export function LaneBar({ entries, search, go }: LaneBarProps): ReactNode {
  const words = usePageWords()
  const counts = new Map<Lane, number>()
  let problems = 0
  for (const entry of entries) {
    counts.set(entry.lane, (counts.get(entry.lane) ?? 0) + 1)
    if (isProblem(entry)) problems += 1
  }
  const shown = lanesOf(search)
  const present = LANES.filter((lane) => counts.has(lane))
  const onlyProblems = search.only === 'problems'

  function toggle(lane: Lane): void {
    const { lanes: _lanes, ...rest } = search
    // From all of them the first click means: only this one.
    const next = search.lanes === undefined ? [lane] : LANES.filter((one) => (one === lane) !== shown.has(one))
    const some = next.length > 0 && present.some((one) => !next.includes(one))
    go(some ? { ...rest, lanes: next.join(',') } : rest)
  }
  function toggleProblems(): void {
    const { only: _only, ...rest } = search
    go(onlyProblems ? rest : { ...rest, only: 'problems' })
  }

  return (
    <div
      role="toolbar"
      aria-label={words.lanesShown}
      className="flex flex-none items-center gap-1.5 overflow-x-auto border-line border-b px-4 py-2 [scrollbar-width:none] max-wide:px-3"
    >
      {problems > 0 && (
        <button
          type="button"
          aria-pressed={onlyProblems}
          onClick={toggleProblems}
          className={cx(
            CHIP,
            onlyProblems
              ? 'border-transparent bg-danger-strong text-on-danger'
              : 'border-transparent bg-danger-soft text-danger',
          )}
        >
          <CircleAlert className="size-3.5" aria-hidden />
          {words.problems(problems)}
        </button>
      )}
      {present.map((lane) => {
        const Icon = LANE_ICONS[lane]
        const on = search.lanes !== undefined && shown.has(lane)
        return (
          <button
            key={lane}
            type="button"
            aria-pressed={on}
            data-lane={lane}
            onClick={() => toggle(lane)}
            className={cx(
              CHIP,
              on
                ? 'border-transparent bg-accent-soft text-accent'
                : 'border-line text-ink-soft hover:bg-ground-hover hover:text-ink',
            )}
          >
            <Icon className="size-3.5" aria-hidden />
            {words.lanes[lane]}
            <span className="text-xs tabular-nums">{counts.get(lane)}</span>
          </button>
        )
      })}
    </div>
  )
}
