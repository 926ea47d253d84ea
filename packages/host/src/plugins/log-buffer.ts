/** The bounded log of one plugin: what it wrote to stderr, and what was noise on its stdout. */
import type { LogLine } from './types.ts'

const LINES = 1_000
const LINE_BYTES = 8_192
/** `[MM-DD HH:MM:SS.mmm] file.py (line) - [LEVEL] : text` of the Python SDK, and `[LEVEL] text` of ours. */
const LEVEL = /^\[[^\]]*\] .*? - \[(\w+)\] : |^\[(DEBUG|INFO|WARNING|ERROR)\] /

export class LogBuffer {
  #lines: LogLine[] = []
  #rest = ''
  #level: LogLine['level'] = 'info'
  #sequence = 0
  #onLine: (line: LogLine) => void

  constructor(onLine: (line: LogLine) => void) {
    this.#onLine = onLine
  }

  /** Takes text as it comes from a pipe; lines without a level inherit that of the line before. */
  write(text: string, now: number): void {
    const parts = (this.#rest + text).split('\n')
    this.#rest = (parts.pop() ?? '').slice(-LINE_BYTES)
    for (const part of parts) this.add(this.#classify(part), part.trimEnd(), now)
  }

  add(level: LogLine['level'], text: string, now: number): void {
    if (text === '') return
    // Begins at the clock, so that lines after a restart of the host come after those that a reader still has from before.
    this.#sequence = Math.max(this.#sequence + 1, now)
    const line: LogLine = {
      sequence: this.#sequence,
      at: now,
      level,
      text: text.length > LINE_BYTES ? `${text.slice(0, LINE_BYTES)} (cut)` : text,
    }
    this.#lines.push(line)
    if (this.#lines.length > LINES) this.#lines.splice(0, this.#lines.length - LINES)
    this.#onLine(line)
  }

  last(limit: number): readonly LogLine[] {
    return this.#lines.slice(-limit)
  }

  #classify(text: string): LogLine['level'] {
    const found = LEVEL.exec(text)
    const name = (found?.[1] ?? found?.[2])?.toLowerCase()
    if (name !== undefined)
      this.#level =
        name === 'debug'
          ? 'debug'
          : name === 'warning'
            ? 'warning'
            : name === 'error' || name === 'critical'
              ? 'error'
              : 'info'
    return this.#level
  }
}
