/**
 * A list of any length: only what is seen is in the page. Arrow keys move, Enter opens, and the end asks for more.
 * Rows are links or buttons of the caller; the list gives place, keyboard and loading.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useWords } from '../words/words.ts'
import { cx } from './class-names.ts'
import { focusRow } from './focus-row.ts'

export interface VirtualListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Height of a row in px before it was measured; most rows have exactly this. */
  readonly rowHeight: number
  readonly row: (item: T, index: number) => ReactNode
  /** Index of the chosen row, kept in view. */
  readonly selected?: number
  /** Called as the end comes near. */
  readonly onEnd?: () => void
  readonly loadingMore?: boolean
  readonly className?: string
}

export function VirtualList<T>(props: VirtualListProps<T>): ReactNode {
  const { label, items, keyOf, rowHeight, row, selected, onEnd, loadingMore = false, className } = props
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 12,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? -1

  useEffect(() => {
    if (onEnd !== undefined && items.length > 0 && last >= items.length - 10) onEnd()
  }, [last, items.length, onEnd])
  const chosen = selected === undefined ? undefined : items[selected]
  const chosenKey = chosen === undefined ? null : keyOf(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another is chosen, not when it moves under who reads elsewhere
  useEffect(() => {
    if (chosenKey !== null && selected !== undefined) rows.scrollToIndex(selected, { align: 'auto' })
  }, [chosenKey, rows])

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (step === undefined || !(event.target instanceof HTMLElement)) return
    const own = event.target.closest<HTMLElement>('[data-index]')
    if (own === null) return
    event.preventDefault()
    const to = Math.min(items.length - 1, Math.max(0, Number(own.dataset.index) + step))
    rows.scrollToIndex(to, { align: 'auto' })
    focusRow(scroller.current, to)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the rows, which are links or buttons
    <div ref={scroller} onKeyDown={move} className={cx('min-h-0 flex-1 overflow-y-auto overscroll-contain', className)}>
      <ul aria-label={label} className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {shown.map((place) => {
          const item = items[place.index]
          return (
            <li
              key={place.key}
              data-index={place.index}
              ref={rows.measureElement}
              aria-setsize={items.length}
              aria-posinset={place.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${place.start}px)` }}
            >
              {item !== undefined && row(item, place.index)}
            </li>
          )
        })}
      </ul>
      {loadingMore && (
        <p role="status" className="px-4 py-3 text-ink-soft text-sm">
          {words.parts.loading}
        </p>
      )}
    </div>
  )
}
