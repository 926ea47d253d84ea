/** telemetry/ owns the host's log: pino, one JSON object a line, secrets removed before anything is written. */
import { type DestinationStream, pino } from 'pino'
import type { Logger } from '../logger.ts'

/** Names of fields whose values never reach the log, wherever they stand. */
const SECRET_NAME =
  /(secret|token|password|passwd|api[_-]?key|authorization|cookie|credential|capability|debug[_-]?key)/i
/** Things that look like a secret inside a text: our own keys and bearer tokens. */
const SECRET_TEXT = /\b(rbk_[A-Za-z0-9_-]{8,}|Bearer\s+[A-Za-z0-9._~+/-]{8,}=*)/g
const HIDDEN = '[hidden]'
const DEPTH = 6

export interface LogOptions {
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Default: standard error. */
  readonly destination?: DestinationStream
}

export function createLogger(options: LogOptions = {}): Logger {
  return pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: pino.stdSerializers.errWithCause },
      formatters: { level: (label) => ({ level: label }), log: (fields) => hide(fields, 0) as Record<string, unknown> },
      hooks: {
        logMethod(args, method) {
          method.apply(
            this,
            args.map((arg: unknown) => (typeof arg === 'string' ? hideText(arg) : arg)) as Parameters<typeof method>,
          )
        },
      },
    },
    options.destination ?? pino.destination({ dest: 2, sync: true }),
  )
}

/** The same value without secrets. Cycles and deep nests end at a fixed depth. */
export function hide(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hideText(value)
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value
  if (Array.isArray(value)) return value.map((part) => hide(part, depth + 1))
  if (value instanceof Error) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, SECRET_NAME.test(name) ? HIDDEN : hide(part, depth + 1)]),
  )
}

export const hideText = (text: string): string => text.replace(SECRET_TEXT, HIDDEN)
