/** A dense table for lists that fit in the page; long ones are a VirtualList. On phones it scrolls by itself. */
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

export interface Column<T> {
  readonly id: string
  readonly label: string
  readonly cell: (item: T) => ReactNode
  readonly align?: 'start' | 'end'
  /** Left out on phones: it is also where the row leads. */
  readonly wideOnly?: boolean
  /** Takes the room that is left. */
  readonly grow?: boolean
}

export interface TableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
}

export function Table<T>({ label, columns, items, keyOf }: TableProps<T>): ReactNode {
  const place = (column: Column<T>): string =>
    cx(
      'px-3 first:pl-4 last:pr-4',
      column.align === 'end' ? 'text-right' : 'text-left',
      column.wideOnly === true && 'max-wide:hidden',
      column.grow === true ? 'w-full max-w-0' : 'whitespace-nowrap',
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-line border-b text-ink-soft text-xs">
            {columns.map((column) => (
              <th key={column.id} scope="col" className={cx(place(column), 'h-8 font-medium')}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)} className="quick border-line border-b last:border-b-0 hover:bg-ground-soft">
              {columns.map((column) => (
                <td key={column.id} className={cx(place(column), 'h-10')}>
                  {column.grow === true ? <div className="truncate">{column.cell(item)}</div> : column.cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
