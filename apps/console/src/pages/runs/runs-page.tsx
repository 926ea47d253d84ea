/** The list of runs: newest first, narrowed by the address, live. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowUp, SearchX, Zap } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react'
import { Button, buttonClass } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { AnchoredList, type ListHandle } from './anchored-list.tsx'
import { FilterBar } from './filter-bar.tsx'
import { isFiltered, queryOf, statusesOf } from './filters.ts'
import type { RunsSearch } from './route.tsx'
import { ListHead, ROW_HEIGHT, RunRow } from './run-row.tsx'
import { usePhone } from './use-phone.ts'
import { type Runs, useRuns } from './use-runs.ts'
import { usePageWords } from './words/words.ts'

/** Where each list was left, by its address: back from a run, it is there again. */
const offsets = new Map<string, number>()

export function RunsPage(): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/runs' })
  const address = JSON.stringify(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter looks back from now
  const query = useMemo(() => queryOf(search, rounded(Date.now())), [address])
  const statuses = useMemo(() => statusesOf(search), [search])
  const runs = useRuns(query, statuses)
  const go = useCallback((next: RunsSearch) => void navigate({ to: '/runs', search: next, replace: true }), [navigate])
  const list = useRef<ListHandle>(null)

  // The keyboard goes to the rows from anywhere on the page.
  function keys(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'ArrowDown' || event.defaultPrevented) return
    if (!(event.target instanceof HTMLInputElement) || event.target.type !== 'search') return
    event.preventDefault()
    list.current?.focus(0)
  }
  useEffect(() => {
    const down = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'ArrowDown' || event.defaultPrevented || document.activeElement !== document.body) return
      event.preventDefault()
      list.current?.focus(0)
    }
    document.addEventListener('keydown', down)
    return () => document.removeEventListener('keydown', down)
  }, [])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow goes from the search field to the rows
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={keys}>
      <PageHeader title={words.title} />
      <FilterBar search={search} items={runs.items} go={go} />
      {runs.isPending && <SkeletonRows rows={12} />}
      {runs.error !== null && <Failure error={runs.error} onRetry={runs.retry} />}
      {runs.isSuccess && runs.items.length === 0 && <Nothing filtered={isFiltered(search)} onClear={() => go({})} />}
      {runs.items.length > 0 && <List key={address} address={address} runs={runs} handle={list} />}
    </div>
  )
}

const phoneHeight = (): number => ROW_HEIGHT.phone
const wideHeight = (): number => ROW_HEIGHT.wide

interface ListProps {
  readonly address: string
  readonly runs: Runs
  readonly handle: React.RefObject<ListHandle | null>
}

function List({ address, runs, handle }: ListProps): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const phone = usePhone()
  const atTop = useRef((offsets.get(address) ?? 0) === 0)
  const { fresh, seen } = runs
  // Whoever looks at the list opens one of it next.
  useEffect(() => void import('./run-page.tsx'), [])
  useEffect(() => {
    if (fresh > 0 && atTop.current) seen()
  }, [fresh, seen])
  return (
    <div className={cx('relative flex min-h-0 flex-1 flex-col', runs.isFetching && 'opacity-60')}>
      <ListHead />
      <AnchoredList
        label={words.title}
        items={runs.items}
        keyOf={(run) => run.run_id}
        heightOf={phone ? phoneHeight : wideHeight}
        grows="at-start"
        onEnd={runs.more}
        onEdge={(isThere) => {
          atTop.current = isThere
          if (isThere) seen()
        }}
        offset={offsets.get(address) ?? 0}
        onOffset={(offset) => offsets.set(address, offset)}
        handle={handle}
        row={(run) => <RunRow run={run} phone={phone} />}
      />
      {fresh > 0 && (
        <Button
          size="small"
          icon={ArrowUp}
          className="absolute top-10 left-1/2 -translate-x-1/2 shadow-raised max-wide:top-2"
          onClick={() => {
            handle.current?.toStart()
            seen()
          }}
        >
          {words.fresh(fresh)}
        </Button>
      )}
      {runs.loadingMore && (
        <p role="status" className="sr-only">
          {shell.parts.loading}
        </p>
      )}
    </div>
  )
}

function Nothing({ filtered, onClear }: { readonly filtered: boolean; readonly onClear: () => void }): ReactNode {
  const words = usePageWords()
  if (filtered)
    return (
      <Empty
        icon={SearchX}
        title={words.nothingFits}
        action={
          <Button kind="primary" onClick={onClear}>
            {words.filters.clearAll}
          </Button>
        }
      >
        {words.nothingFitsAbout}
      </Empty>
    )
  return (
    <Empty
      icon={Zap}
      title={words.empty}
      action={
        <Link to="/chats" className={buttonClass('primary')}>
          {words.goToChats}
        </Link>
      }
    >
      {words.emptyAbout}
    </Empty>
  )
}

/** To the minute: coming back within it finds the list that was read. */
const rounded = (now: number): number => now - (now % 60_000)
