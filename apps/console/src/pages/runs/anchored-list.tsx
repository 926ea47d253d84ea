/**
 * A long list that grows at both ends without jumping: what is looked at stays where it is while rows come above or below.
 * Heights are known beforehand, so a thousand rows scroll without measuring one. Arrow keys move, Enter follows the row's link.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { cx } from '../../parts/class-names.ts'
import { focusRow } from '../../parts/focus-row.ts'

export interface ListHandle {
  readonly toIndex: (index: number) => void
  readonly toStart: () => void
  readonly toEnd: () => void
  /** Moves the keyboard to a row. */
  readonly focus: (index: number) => void
}

export interface AnchoredListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** Exact height of its row in px. */
  readonly heightOf: (item: T) => number
  readonly row: (item: T, index: number) => ReactNode
  /** Where new rows come: at this edge they are followed, elsewhere what is seen stays. */
  readonly grows: 'at-start' | 'at-end'
  /** Row that is shown first; absent: the edge where new rows come. */
  readonly first?: number
  /** Called while the last rows are near. */
  readonly onEnd?: () => void
  readonly onStart?: () => void
  /** Whether the edge where new rows come is in view. */
  readonly onEdge?: (isThere: boolean) => void
  /** Offset that the list had when it was left, and where it is told. */
  readonly offset?: number
  readonly onOffset?: (offset: number) => void
  /** Room below the last row in px. */
  readonly foot?: number
  readonly handle?: Ref<ListHandle>
  readonly className?: string
}

/** Rows before the end at which more is asked for: a fast thumb needs a second for these. */
const AHEAD = 120
/** Nearer to the edge than this in px counts as there. */
const NEAR = 72

export function AnchoredList<T>(props: AnchoredListProps<T>): ReactNode {
  const { label, items, keyOf, heightOf, row, grows, first, onEnd, onStart, onEdge, handle, className } = props
  const scroller = useRef<HTMLDivElement>(null)
  const atEdge = useRef(true)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => sizeOf(items[index]),
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 10,
    scrollEndThreshold: NEAR,
    paddingEnd: props.foot ?? 0,
    // At the top of a list that grows there, new rows push the others down; anywhere else they come without a move.
    anchorTo: grows === 'at-start' && atEdge.current ? 'start' : 'end',
    followOnAppend: grows === 'at-end',
    ...(props.offset === undefined ? {} : { initialOffset: props.offset }),
  })
  const shown = rows.getVirtualItems()
  const [from, to] = [shown[0]?.index ?? 0, shown.at(-1)?.index ?? -1]

  function sizeOf(item: T | undefined): number {
    return item === undefined ? 0 : heightOf(item)
  }
  // A row whose height changes (a call that ends in a refusal) changes the places of those below it.
  const heights = useMemo(() => items.reduce((sum, item) => sum + heightOf(item), 0), [items, heightOf])
  const before = useRef({ heights, count: items.length })
  useLayoutEffect(() => {
    if (before.current.count === items.length && before.current.heights !== heights) rows.measure()
    before.current = { heights, count: items.length }
  }, [heights, items.length, rows])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list is there
  useLayoutEffect(() => {
    if (first !== undefined && first >= 0) {
      rows.scrollToIndex(first, { align: 'center' })
      atEdge.current = false
    } else if (grows === 'at-end') rows.scrollToOffset(rows.getTotalSize())
  }, [])
  useEffect(() => {
    if (items.length > 0 && to >= items.length - AHEAD) onEnd?.()
  }, [to, items.length, onEnd])
  useEffect(() => {
    if (items.length > 0 && from <= AHEAD) onStart?.()
  }, [from, items.length, onStart])

  function focus(index: number): void {
    const wanted = Math.min(items.length - 1, Math.max(0, index))
    rows.scrollToIndex(wanted, { align: 'auto' })
    focusRow(scroller.current, wanted)
  }
  useImperativeHandle(handle, () => ({
    toIndex: (index) => rows.scrollToIndex(index, { align: 'center' }),
    toStart: () => rows.scrollToOffset(0),
    toEnd: () => rows.scrollToOffset(rows.getTotalSize()),
    focus,
  }))

  function keys(event: KeyboardEvent<HTMLDivElement>): void {
    if (!(event.target instanceof HTMLElement)) return
    const own = event.target.closest<HTMLElement>('[data-index]')
    const at = own === null ? (grows === 'at-start' ? -1 : items.length) : Number(own.dataset.index)
    const next = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: items.length - 1,
    }[event.key] // biome-ignore format: a table
    if (next === undefined) return
    event.preventDefault()
    focus(next)
  }
  function scrolled({ currentTarget: list }: { readonly currentTarget: HTMLDivElement }): void {
    const away = grows === 'at-start' ? list.scrollTop : list.scrollHeight - list.scrollTop - list.clientHeight
    props.onOffset?.(list.scrollTop)
    if (away < NEAR === atEdge.current) return
    atEdge.current = away < NEAR
    onEdge?.(atEdge.current)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the rows, which are links
    <div
      ref={scroller}
      onKeyDown={keys}
      onScroll={scrolled}
      className={cx('min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]', className)}
    >
      <ul aria-label={label} className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {shown.map((place) => {
          const item = items[place.index]
          return (
            <li
              key={place.key}
              data-index={place.index}
              aria-setsize={items.length}
              aria-posinset={place.index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: place.size, transform: `translateY(${place.start}px)` }}
            >
              {item !== undefined && row(item, place.index)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
