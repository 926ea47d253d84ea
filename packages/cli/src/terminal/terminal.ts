/** What commands print: results on stdout, everything about them on stderr; with `--json` stdout carries JSON alone. */
import { stripVTControlCharacters, styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Where a command reads and writes. */
export interface Terminal {
  readonly json: boolean
  /** Both ends are a person's terminal: questions may be asked. */
  readonly interactive: boolean
  /** A result: with `--json` one document, else the lines that `text` makes of it. */
  result<T>(value: T, text: (value: T) => string): void
  /** One line of something that goes on: with `--json` one JSON object a line. */
  event<T>(value: T, text: (value: T) => string): void
  /** About the work, not its result: stderr, also with `--json`. */
  note(text: string): void
}

/** The terminal of this process. */
export function openTerminal(options: { readonly json: boolean }): Terminal {
  const { json } = options
  const print = (text: string): void => void (text !== '' && process.stdout.write(`${text}\n`))
  return {
    json,
    interactive: !json && process.stdin.isTTY === true && process.stderr.isTTY === true,
    result: (value, text) => print(json ? JSON.stringify(value, null, 2) : text(value)),
    event: (value, text) => print(json ? JSON.stringify(value) : text(value)),
    note: (text) => void process.stderr.write(`${text}\n`),
  }
}

/** Colours where stdout is a terminal that wants them (NO_COLOR is heeded). */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** Columns as wide as their longest cell; the last one takes the rest. No rows: `empty`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty
  const all = [head, ...rows]
  const widths = head.map((_title, column) => Math.max(...all.map((row) => width(row[column] ?? ''))))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat(column === row.length - 1 ? 0 : (widths[column] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd()
  return [paint('bold', line(head)), ...rows.map(line)].join('\n')
}

const width = (cell: string): number => stripVTControlCharacters(cell).length

/** `2026-07-21 13:37:59` of this machine's time zone; epoch milliseconds in. */
export function timeText(milliseconds: number): string {
  const at = new Date(milliseconds)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
