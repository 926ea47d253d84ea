/** The log as rooms get it: a line of a run or event also names its trace, and secrets that the host knows are not in it. */
import { pino } from 'pino'
import type { Logger } from '../logger.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { traceOfEvent } from './trace-ids.ts'

const DEPTH = 6

export interface HostLogParts {
  readonly secrets: KnownSecrets
  /** The event of a run that is active here. */
  eventOf(runId: string): string | undefined
}

/** The same log with these two promises. */
export function hostLog(logger: Logger, parts: HostLogParts): Logger {
  const line = (details: object): object => placed(hideKnown(details, parts.secrets, 0), parts)
  const text = (message: string): string => parts.secrets.hide(message)
  return {
    debug: (details, message) => logger.debug(line(details), text(message)),
    info: (details, message) => logger.info(line(details), text(message)),
    warn: (details, message) => logger.warn(line(details), text(message)),
    error: (details, message) => logger.error(line(details), text(message)),
    child: (bindings) => hostLog(logger.child(line(bindings)), parts),
  }
}

function placed(details: Readonly<Record<string, unknown>>, { eventOf }: HostLogParts): object {
  const { event_id, run_id } = details
  const event = typeof event_id === 'string' ? event_id : typeof run_id === 'string' ? eventOf(run_id) : undefined
  return event === undefined ? details : { ...details, event_id: event, trace_id: traceOfEvent(event).traceId }
}

function hideKnown(details: object, secrets: KnownSecrets, depth: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, hidden(value, secrets, depth)]))
}

function hidden(value: unknown, secrets: KnownSecrets, depth: number): unknown {
  if (typeof value === 'string') return secrets.hide(value)
  // What lies deeper is not written by the log itself.
  if (typeof value !== 'object' || value === null || depth > DEPTH) return value
  if (Array.isArray(value)) return value.map((part) => hidden(part, secrets, depth + 1))
  if (value instanceof Error) return hideKnown(pino.stdSerializers.errWithCause(value), secrets, depth + 1)
  return hideKnown(value, secrets, depth + 1)
}
