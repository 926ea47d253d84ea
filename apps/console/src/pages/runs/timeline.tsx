/** The timeline of a run: entries down the time, at the right what is open in it. A living run follows its newest entry. */
import { ArrowDown, ArrowUp, Hourglass } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/states.tsx'
import { AnchoredList, type ListHandle } from './anchored-list.tsx'
import type { Folded } from './claims.ts'
import { type Entry, isProblem, lanesOf, spanOf } from './entries.ts'
import { DetailHead, EntryDetail, type EntryDetailProps } from './entry-detail.tsx'
import { EntryRow, entryHeight, titleOf } from './entry-row.tsx'
import { rowHolding, rowsOf, type TimelineRow } from './repeats.ts'
import type { RunSearchParams } from './route.tsx'
import { usePhone } from './use-phone.ts'
import { usePageWords } from './words/words.ts'

export interface TimelineProps {
  readonly run: EntryDetailProps['run']
  /** A run that is over opens at its beginning, a living one at its newest entry. */
  readonly over: boolean
  readonly told: Folded
  /** False: older entries are on their way. */
  readonly complete: boolean
  readonly search: RunSearchParams
  readonly go: (search: RunSearchParams) => void
  readonly onChanged: () => void
}

const NO_CLAIMS: readonly Entry[] = []

export function Timeline({ run, over, told, complete, search, go, onChanged }: TimelineProps): ReactNode {
  const words = usePageWords()
  const phone = usePhone()
  // As it was when the page was opened: an end does not take away what is looked at.
  const [fromStart] = useState(over)
  const shown = useMemo(() => narrowed(told.entries, search), [told.entries, search])
  const span = useMemo(() => spanOf(told.entries), [told.entries])
  // An address may name a claim from before its answer was sent.
  const openId = told.ownerOf.get(search.entry ?? '') ?? search.entry
  const open = told.entries.find(({ id }) => id === openId)
  const claims = (open && told.claims.get(open.id)) ?? NO_CLAIMS
  const close = useCallback(() => {
    const { entry: closed, ...rest } = search
    go(rest)
    // Where it folds back into its group, the row of the group is what was left.
    const id = CSS.escape(rowHolding(shown, closed ?? ''))
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-entry="${id}"]`)?.focus({ preventScroll: true }),
    )
  }, [search, go, shown])
  useEffect(() => {
    if (search.entry === undefined || phone) return
    const down = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open]') === null) close()
    }
    document.addEventListener('keydown', down)
    return () => document.removeEventListener('keydown', down)
  }, [search.entry, phone, close])

  return (
    <div className="flex min-h-0 flex-1">
      {shown.length === 0 ? (
        <Empty
          icon={Hourglass}
          title={told.entries.length === 0 ? words.noEntries : words.nothingOnLanes}
          action={told.entries.length > 0 && <Button onClick={() => go({})}>{words.allLanes}</Button>}
        />
      ) : (
        <Entries
          // Another selection of lanes is another list; one that grows stays the same. What has its beginning only now begins there.
          key={`${search.lanes} ${search.only} ${phone} ${fromStart && complete}`}
          shown={shown}
          openId={openId}
          fromStart={fromStart}
          span={span}
          run={run}
          search={search}
          phone={phone}
          complete={complete}
        />
      )}
      {open !== undefined && !phone && (
        <aside
          aria-label={titleOf(open, words)}
          className="flex w-[min(460px,46%)] flex-none flex-col border-line border-l bg-ground"
        >
          <DetailHead entry={open} onClose={close} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto focus-visible:outline-offset-[-2px]">
            <EntryDetail key={open.id} entry={open} claims={claims} run={run} onChanged={onChanged} />
          </div>
        </aside>
      )}
      {open !== undefined && phone && (
        <Dialog title={titleOf(open, words)} onClose={close}>
          <div className="-m-4">
            <EntryDetail key={open.id} entry={open} claims={claims} run={run} onChanged={onChanged} />
          </div>
        </Dialog>
      )}
    </div>
  )
}

/** More entries than this have buttons to both ends. */
const MANY = 40

interface EntriesProps {
  readonly shown: readonly Entry[]
  readonly openId: string | undefined
  readonly fromStart: boolean
  readonly span: ReturnType<typeof spanOf>
  readonly run: EntryDetailProps['run']
  readonly search: RunSearchParams
  readonly phone: boolean
  readonly complete: boolean
}

function Entries({ shown, openId, fromStart, span, run, search, phone, complete }: EntriesProps): ReactNode {
  const words = usePageWords()
  const list = useRef<ListHandle>(null)
  const rows = useMemo(() => rowsOf(shown, openId), [shown, openId])
  const at = rows.findIndex(({ entry }) => entry.id === openId)
  const first = at < 0 && fromStart ? 0 : at
  const [atEnd, setAtEnd] = useState(first < 0)
  const heightOf = useCallback(({ entry }: TimelineRow) => entryHeight(entry, phone), [phone])
  // A group that opens or folds changes how many rows there are: what is open stays in view.
  const before = useRef({ openId, count: rows.length })
  useLayoutEffect(() => {
    const changed = before.current.openId !== openId && before.current.count !== rows.length
    before.current = { openId, count: rows.length }
    if (changed && at >= 0) list.current?.toIndex(at)
  }, [openId, rows.length, at])
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <AnchoredList
        label={words.timeline}
        items={rows}
        keyOf={({ entry }) => entry.id}
        heightOf={heightOf}
        grows="at-end"
        {...(first < 0 ? {} : { first })}
        onEdge={setAtEnd}
        handle={list}
        foot={rows.length > MANY ? 52 : 8}
        row={({ entry, count, took }, place) => (
          <EntryRow
            entry={entry}
            count={count}
            took={took}
            runId={run.run_id}
            search={search}
            span={span}
            sameLane={rows[place - 1]?.entry.lane === entry.lane}
            narrow={search.entry !== undefined}
            phone={phone}
          />
        )}
      />
      <p
        role="status"
        className={cx('absolute top-2 right-4 rounded-md bg-raised px-2 text-ink-soft text-xs', complete && 'sr-only')}
      >
        {complete ? words.entries(shown.length) : words.olderComing}
      </p>
      {rows.length > MANY && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center gap-2 *:pointer-events-auto">
          {atEnd ? (
            <Button size="small" icon={ArrowUp} className="shadow-raised" onClick={() => list.current?.toStart()}>
              {words.toStart}
            </Button>
          ) : (
            <Button size="small" icon={ArrowDown} className="shadow-raised" onClick={() => list.current?.toEnd()}>
              {words.toNewest}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function narrowed(entries: readonly Entry[], search: RunSearchParams): readonly Entry[] {
  const lanes = lanesOf(search)
  const problems = search.only === 'problems'
  if (search.lanes === undefined && !problems) return entries
  return entries.filter((entry) => lanes.has(entry.lane) && (!problems || isProblem(entry)))
}
