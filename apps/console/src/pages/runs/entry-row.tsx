/** One entry on the timeline: when, which lane, what, a bar in the time of the run, how long; a refusal says who must act. */
import { MessageSquareDashed, MessageSquareWarning } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Badge } from '../../parts/badge.tsx'
import { cx } from '../../parts/class-names.ts'
import { duration, exactTime } from '../../parts/time-ago.tsx'
import { barOf, type Entry, hasSentence, LANE_ICONS, type News, newsOf, type Span } from './entries.ts'
import { repeatedName } from './repeats.ts'
import type { RunSearchParams } from './route.tsx'
import { RowLink, searchText } from './row-link.tsx'
import { sinceText } from './since.ts'
import { usePageWords } from './words/words.ts'

const HEIGHTS = { wide: { plain: 34, told: 56 }, phone: { plain: 44, told: 84 } } as const

export function entryHeight(entry: Entry, phone: boolean): number {
  return HEIGHTS[phone ? 'phone' : 'wide'][hasSentence(entry) ? 'told' : 'plain']
}

const MARKS: Readonly<Record<News, string>> = {
  bad: 'bg-danger-soft text-danger',
  doubt: 'bg-warn-soft text-warn',
  unsent: 'border border-warn border-dashed bg-ground text-warn',
  waiting: 'bg-accent-soft text-accent',
  good: 'bg-ok-soft text-ok',
  plain: 'bg-ground-hover text-ink-soft',
}
const BARS: Readonly<Record<News, string>> = {
  bad: 'bg-danger',
  doubt: 'bg-warn',
  unsent: 'bg-warn',
  waiting: 'bg-accent animate-[breathe_1.6s_infinite]',
  good: 'bg-ok',
  plain: 'bg-line-strong',
}
const GROUNDS: Readonly<Record<News, string>> = {
  bad: 'bg-danger-soft/60',
  doubt: 'bg-warn-soft/60',
  unsent: '',
  waiting: '',
  good: '',
  plain: '',
}

export interface EntryRowProps {
  readonly entry: Entry
  /** How many calls of the same it stands for. */
  readonly count: number
  /** All of them together in ms; null where it is not known. */
  readonly took: number | null
  readonly runId: string
  readonly search: RunSearchParams
  readonly span: Span
  /** The one before it stands on the same lane. */
  readonly sameLane: boolean
  readonly phone: boolean
  /** An open entry takes the room at the right. */
  readonly narrow: boolean
}

/** Drawn once: scrolling moves it, and draws only those that come. */
export const EntryRow = memo(Row)

function Row({ entry, count, took, runId, search, span, sameLane, phone, narrow }: EntryRowProps): ReactNode {
  const words = usePageWords()
  const news = newsOf(entry)
  const Icon = LANE_ICONS[entry.lane]
  const open = search.entry === entry.id
  const told = hasSentence(entry)
  return (
    <RowLink
      to={`/runs/${runId}${searchText({ ...search, entry: entry.id })}`}
      replace={search.entry !== undefined}
      data-entry={entry.id}
      data-calls={count}
      data-news={news}
      aria-current={open ? 'true' : undefined}
      className={cx(
        'flex h-full gap-2.5 pr-4 pl-3 focus-visible:outline-offset-[-2px] max-wide:gap-2 max-wide:pr-3 max-wide:pl-2',
        open ? 'bg-accent-soft' : cx(GROUNDS[news], 'hover:bg-ground-soft'),
      )}
    >
      <span
        title={exactTime(entry.at)}
        className="w-16 flex-none whitespace-nowrap pt-2 text-right text-ink-soft text-xs leading-[18px] tabular-nums max-wide:w-14 max-wide:pt-[13px]"
      >
        {sinceText(entry.at - span.from)}
      </span>
      <span className="relative flex w-6 flex-none justify-center" aria-hidden>
        <span className="absolute inset-y-0 left-1/2 w-px -translate-x-1/2 bg-line" />
        <span
          className={cx(
            'relative mt-[5px] flex size-6 items-center justify-center rounded-full ring-2 ring-ground max-wide:mt-2.5',
            MARKS[news],
          )}
        >
          <Icon className="size-3.5" />
        </span>
      </span>
      <span className="sr-only">{words.lanes[entry.lane]}</span>
      {!narrow && (
        <span
          aria-hidden
          className="w-20 flex-none truncate pt-2 text-ink-soft text-xs leading-[18px] max-broad:hidden"
        >
          {!sameLane && words.lanes[entry.lane]}
        </span>
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex h-[34px] min-w-0 flex-none items-center gap-2 max-wide:h-11">
          <Title entry={entry} count={count} news={news} />
          {!phone && (
            <Bar
              entry={count === 1 ? entry : { ...entry, duration_ms: took }}
              news={news}
              span={span}
              narrow={narrow}
            />
          )}
          <span className="w-14 flex-none text-right text-ink-soft text-xs tabular-nums">
            {took === null ? '' : tookText(took)}
          </span>
        </span>
        {told && <Why entry={entry} bad={news === 'bad'} />}
      </span>
    </RowLink>
  )
}

/** The reason code, who must act, and the host's sentence: in this order, because the end may not fit. */
function Why({ entry, bad }: { readonly entry: Entry; readonly bad: boolean }): ReactNode {
  const words = usePageWords()
  const who = whoText(entry.who, words)
  return (
    <span className="-mt-1.5 min-w-0 truncate pb-1.5 text-sm max-wide:line-clamp-2 max-wide:whitespace-normal">
      {entry.reason !== null && <code className={cx('mr-2', bad ? 'text-danger' : 'text-warn')}>{entry.reason}</code>}
      {who !== null && <span className="mr-1 font-medium">{who} </span>}
      <span>{entry.sentence}</span>
    </span>
  )
}

interface TitleProps {
  readonly entry: Entry
  readonly count: number
  readonly news: News
}

function Title({ entry, count, news }: TitleProps): ReactNode {
  const words = usePageWords()
  const isCall = entry.origin === 'trace'
  const way = entry.way
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <span
        className={cx(
          'min-w-0 truncate',
          isCall && 'font-mono text-xs',
          news === 'unsent' && 'text-ink-soft italic',
          entry.lane === 'log' && 'text-ink-soft',
        )}
      >
        {count === 1 ? titleOf(entry, words) : words.calls(repeatedName(entry), count)}
      </span>
      {way !== null && (
        <Badge
          tone={news === 'doubt' || news === 'unsent' ? 'warn' : news === 'bad' ? 'danger' : 'neutral'}
          {...(way === 'not_sent'
            ? { icon: MessageSquareDashed }
            : way === 'unknown'
              ? { icon: MessageSquareWarning }
              : {})}
        >
          {words.ways[way]}
        </Badge>
      )}
      {entry.claimed && <Badge title={words.claimedAbout}>{words.claimed}</Badge>}
      {news !== 'bad' && !hasSentence(entry) && entry.sentence !== null && (
        <span className="min-w-0 flex-1 truncate text-ink-soft text-sm max-wide:hidden">{entry.sentence}</span>
      )}
      {entry.lane === 'reply' && entry.target !== null && entry.origin === 'outbox' && (
        <span className="flex-none text-ink-soft text-xs">{entry.target}</span>
      )}
    </span>
  )
}

interface BarProps {
  readonly entry: Entry
  readonly news: News
  readonly span: Span
  readonly narrow: boolean
}

function Bar({ entry, news, span, narrow }: BarProps): ReactNode {
  const bar = barOf(entry)
  const whole = span.to - span.from
  const left = Math.min(99.5, ((bar.from - span.from) / whole) * 100)
  const width = Math.max(0, ((bar.to - bar.from) / whole) * 100)
  return (
    <span aria-hidden className={cx('relative h-full flex-none', narrow ? 'w-12' : 'w-[22%] min-w-16')}>
      <span
        className={cx('absolute top-1/2 h-1.5 min-w-1 -translate-y-1/2 rounded-full', BARS[news])}
        style={{ left: `${left}%`, width: `${Math.min(width, 100 - left)}%` }}
      />
    </span>
  )
}

type PageWords = ReturnType<typeof usePageWords>

/** The stored title; what only names a step is said in words. */
export function titleOf(entry: Entry, words: PageWords): string {
  return words.titles[entry.title as keyof typeof words.titles] ?? entry.title
}

/** “The operator must act.” */
export function whoText(who: string | null, words: PageWords): string | null {
  return who === null ? null : (words.who[who as keyof typeof words.who] ?? null)
}

/** Calls take less than a millisecond: then in tenths. */
export function tookText(ms: number): string {
  return ms > 0 && ms < 10 ? `${ms < 0.1 ? '<0.1' : ms.toFixed(1)} ms` : duration(ms)
}
