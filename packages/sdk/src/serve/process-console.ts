/** Moves everything that authors print to stderr, with a level in front, so that stdout carries frames and nothing else. */
import { Console } from 'node:console'
import { Writable } from 'node:stream'

/** Where log lines go. */
export interface LogTarget {
  write(text: string): unknown
}

const METHODS = {
  debug: 'DEBUG',
  info: 'INFO',
  log: 'INFO',
  dir: 'INFO',
  dirxml: 'INFO',
  table: 'INFO',
  group: 'INFO',
  groupCollapsed: 'INFO',
  count: 'INFO',
  timeEnd: 'INFO',
  timeLog: 'INFO',
  warn: 'WARNING',
  error: 'ERROR',
  trace: 'ERROR',
  assert: 'ERROR',
} as const

/** Makes `target.console.*` write `[LEVEL] text` lines. Further lines of one call follow without a prefix. */
export function redirectConsole(target: Console, lines: LogTarget): void {
  const consoles = new Map(Object.values(METHODS).map((level) => [level, new Console(prefixed(level, lines))]))
  for (const [method, level] of Object.entries(METHODS)) {
    const own = consoles.get(level)
    if (own !== undefined) Reflect.set(target, method, Reflect.get(own, method).bind(own))
  }
}

function prefixed(level: string, lines: LogTarget): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      lines.write(`[${level}] ${String(chunk)}`)
      done()
    },
  })
}
