/** telemetry/ owns the host's log: pino, one JSON object a line, secrets removed before anything is written. */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'
import type { Logger } from '../logger.ts'
import { readableLog } from './log-lines.ts'

/** Names of fields whose values never reach the log, wherever they stand. */
const SECRET_NAME =
  /(secret|token|password|passwd|api[_-]?key|authorization|cookie|credential|capability|debug[_-]?key)/i
/** Things that look like a secret inside a text: our own keys and bearer tokens. */
const SECRET_TEXT = /\b(rbk_[A-Za-z0-9_-]{8,}|Bearer\s+[A-Za-z0-9._~+/-]{8,}=*)/g
const HIDDEN = '[hidden]'
const DEPTH = 6
/** What was not looked into is not written either. */
const TOO_DEEP = '[too deep]'

export interface LogOptions {
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Default: standard error; there lines are made readable when it is a terminal. */
  readonly destination?: DestinationStream
}

export function createLogger(options: LogOptions = {}): Logger {
  const made = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors are serialized where they are searched for secrets.
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => hide(fields, 0) as Record<string, unknown>,
      },
      hooks: {
        logMethod(args, method) {
          method.apply(
            this,
            args.map((arg: unknown) => (typeof arg === 'string' ? hideText(arg) : arg)) as Parameters<typeof method>,
          )
        },
      },
    },
    options.destination ?? standardError(),
  )
  return childrenHide(made)
}

/** Pino's formatters do not see what a child is bound to. */
function childrenHide(inner: PinoLogger): Logger {
  return {
    debug: (details, message) => inner.debug(details, message),
    info: (details, message) => inner.info(details, message),
    warn: (details, message) => inner.warn(details, message),
    error: (details, message) => inner.error(details, message),
    child: (bindings) => childrenHide(inner.child(hide(bindings, 0) as Record<string, unknown>)),
  }
}

function standardError(): DestinationStream {
  const lines = pino.destination({ dest: 2, sync: true })
  return process.stderr.isTTY === true ? { write: (line) => void lines.write(readableLog(line)) } : lines
}

/** The same value without secrets. Cycles and deep nests end at a fixed depth. */
export function hide(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hideText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH) return TOO_DEEP
  if (Array.isArray(value)) return value.map((part) => hide(part, depth + 1))
  if (value instanceof Error) return hide(pino.stdSerializers.errWithCause(value), depth + 1)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, SECRET_NAME.test(name) ? HIDDEN : hide(part, depth + 1)]),
  )
}

export const hideText = (text: string): string => text.replace(SECRET_TEXT, HIDDEN)
