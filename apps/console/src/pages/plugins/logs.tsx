/** The live log of a plugin: narrowed by level and text, paused and followed; only what is seen is in the page. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, Pause, Play, ScrollText, Search } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Select, TextInput } from '../../parts/field.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { exactTime } from '../../parts/time-ago.tsx'
import type { LogLine } from './log-lines.ts'
import { LEVELS, type PluginSearch } from './route.tsx'
import { KEPT, useLog } from './use-log.ts'
import { usePageWords } from './words/words.ts'

export interface LogsProps {
  readonly installationUuid: string
  readonly search: PluginSearch
  readonly go: (search: PluginSearch) => void
}

export function Logs({ installationUuid, search, go }: LogsProps): ReactNode {
  const words = usePageWords()
  const log = useLog(installationUuid)
  const [held, setHeld] = useState<readonly LogLine[] | null>(null)
  const { level = 'debug', q = '' } = search
  const shown = held ?? log.lines ?? []
  const lines = useMemo(() => {
    const least = LEVELS.indexOf(level)
    const wanted = q.toLowerCase()
    return shown.filter(
      (line) => LEVELS.indexOf(line.level) >= least && (wanted === '' || line.text.toLowerCase().includes(wanted)),
    )
  }, [shown, level, q])
  const newest = log.lines?.at(-1)?.sequence ?? 0
  const come =
    held === null ? 0 : (log.lines ?? []).filter(({ sequence }) => sequence > (held.at(-1)?.sequence ?? 0)).length
  const put = (change: PluginSearch): void => {
    const next = { ...search, ...change }
    go({
      tab: 'logs',
      ...(next.level === undefined || next.level === 'debug' ? {} : { level: next.level }),
      ...(next.q === undefined || next.q === '' ? {} : { q: next.q }),
    })
  }
  return (
    <>
      <search className="flex flex-none flex-wrap items-center gap-2 border-line border-b px-4 py-2 max-wide:px-3">
        <div className="relative min-w-40 flex-1">
          <Search className="icon absolute top-2 left-2 text-ink-soft" aria-hidden />
          <TextInput
            type="search"
            aria-label={words.filterLines}
            placeholder={words.filterLines}
            value={q}
            onChange={(event) => put({ q: event.target.value })}
            className="!pl-7"
          />
        </div>
        <Select
          aria-label={words.level}
          value={level}
          onValue={(value) => put({ level: value })}
          choices={LEVELS.map((value) => ({ value, label: words.levels[value] }))}
          className="!w-44 flex-none"
        />
        <Button
          icon={held === null ? Pause : Play}
          aria-pressed={held !== null}
          onClick={() => setHeld(held === null ? (log.lines ?? []) : null)}
        >
          {held === null ? words.pause : come > 0 ? `${words.resume} · ${words.waitingLines(come)}` : words.resume}
        </Button>
      </search>
      {log.error !== null && <Failure error={log.error} onRetry={log.retry} />}
      {log.lines === null && log.error === null && <SkeletonRows rows={12} />}
      {log.lines !== null && lines.length === 0 && (
        <Empty icon={ScrollText} title={shown.length === 0 ? words.noLines : words.noLinesFit}>
          {shown.length === 0 ? words.noLinesAbout : words.noLinesFitAbout}
        </Empty>
      )}
      {lines.length > 0 && <Lines lines={lines} newest={held === null ? newest : 0} />}
      {lines.length > 0 && (
        <p className="flex-none border-line border-t px-4 py-1.5 text-ink-soft text-xs max-wide:px-3">
          {words.lines(lines.length)} · {words.bounded(KEPT)}
        </p>
      )}
    </>
  )
}

const INKS: Readonly<Record<LogLine['level'], string>> = {
  debug: 'text-ink-soft',
  info: 'text-ink',
  warning: 'text-warn',
  error: 'text-danger',
}
/** The level stands beside the line already. */
const LEVEL_MARK = /^\[(DEBUG|INFO|WARNING|ERROR)\] /
/** Nearer to the foot than this, new lines keep it in view. Pixels. */
const AT_FOOT = 40

function Lines({ lines, newest }: { readonly lines: readonly LogLine[]; readonly newest: number }): ReactNode {
  const words = usePageWords()
  const scroller = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [away, setAway] = useState(false)
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    getItemKey: (index) => lines[index]?.sequence ?? index,
    overscan: 20,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks whenever a line came
  useEffect(() => {
    if (follows.current && lines.length > 0) rows.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [newest, lines.length])
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        role="log"
        aria-label={words.logs}
        aria-live="off"
        onScroll={({ currentTarget: list }) => {
          const near = list.scrollHeight - list.scrollTop - list.clientHeight < AT_FOOT
          follows.current = near
          if (near === away) setAway(!near)
        }}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-2 font-mono text-xs focus-visible:outline-offset-[-2px]"
      >
        <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((place) => {
            const line = lines[place.index]
            return (
              <div
                key={place.key}
                data-index={place.index}
                ref={rows.measureElement}
                className="absolute inset-x-0 top-0 flex gap-3 px-4 py-0.5 hover:bg-ground-soft max-wide:flex-col max-wide:gap-0 max-wide:px-3"
                style={{ transform: `translateY(${place.start}px)` }}
              >
                {line !== undefined && <Line line={line} />}
              </div>
            )
          })}
        </div>
      </div>
      {away && (
        <Button
          size="small"
          icon={ArrowDown}
          className="absolute bottom-4 left-1/2 -translate-x-1/2 shadow-raised"
          onClick={() => rows.scrollToIndex(lines.length - 1, { align: 'end' })}
        >
          {words.follow}
        </Button>
      )}
    </div>
  )
}

function Line({ line }: { readonly line: LogLine }): ReactNode {
  const exact = exactTime(line.at)
  return (
    <>
      <span className="flex flex-none gap-3 text-ink-soft">
        <time dateTime={new Date(line.at).toISOString()} title={exact}>
          {new Date(line.at).toTimeString().slice(0, 8)}
        </time>
        <span className={cx('w-14', INKS[line.level])}>{line.level}</span>
      </span>
      <span className={cx('min-w-0 flex-1 whitespace-pre-wrap break-words', INKS[line.level])}>
        {line.text.replace(LEVEL_MARK, '')}
      </span>
    </>
  )
}
