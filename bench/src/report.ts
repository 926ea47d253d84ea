/** Rows as a table for people. */
import { cpus, loadavg } from 'node:os'
import type { Row } from './row.ts'

const HEAD = ['', 'unit', 'ours', 'raw', 'ratio', 'bar', 'ok', 'peer', 'vs peer'] as const

/** The table, with notes below it. */
export function table(rows: readonly Row[]): string {
  const cells = [[...HEAD], ...rows.map(cellsOf)]
  const widths = HEAD.map((_name, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)))
  // The name and the bar are words, the rest are figures.
  const words = new Set([0, 1, 5, 6])
  const lines = cells.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return words.has(column) ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
  const notes = rows.flatMap(({ name, note }) => (note === null ? [] : [`${name}: ${note}`]))
  return [...lines, '', ...notes].join('\n')
}

function cellsOf(row: Row): string[] {
  return [
    row.name,
    row.unit,
    figure(row.ours),
    row.raw === null ? '' : figure(row.raw),
    row.ratio === null ? '' : `${(row.ratio * 100).toFixed(0)} %`,
    row.bar ?? '',
    row.ok === null ? '' : row.ok ? 'yes' : 'NO',
    row.peer === null ? '' : figure(row.peer),
    row.vs_peer === null ? '' : `${figure(row.vs_peer)} x`,
  ]
}

/** Three digits that mean something. */
export function figure(value: number): string {
  const size = Math.abs(value)
  if (Number.isInteger(value) || size >= 100) return value.toFixed(0)
  if (size >= 10) return value.toFixed(1)
  return size >= 1 ? value.toFixed(2) : value.toFixed(3)
}

/** The machine as it is now: figures from a busy one mean less, and the reader must know. */
export function machine(): {
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly load: number
} {
  const [first] = cpus()
  return { node: process.version, cpu: first?.model ?? 'unknown', cores: cpus().length, load: loadavg()[0] ?? 0 }
}
