/** telemetry/ owns the host's log, metrics and traces. Rooms know nothing of it: `host.ts` puts it between them. */
import type { Accepted, IncomingEvent } from '@runbound/platform-kit'
import type { Invocation, TraceEntry } from '../gateway/types.ts'
import type { Logger } from '../logger.ts'
import type { Runs } from '../runs/types.ts'
import type { Signals } from '../signals.ts'
import type { Trail } from '../trail/types.ts'

/** Where traces go. */
export interface OtlpOptions {
  /** Base URL of a collector that takes OTLP over HTTP; `/v1/traces` is added. */
  readonly endpoint: string
  /** How long spans are gathered, in milliseconds. Default 2,000. */
  readonly delayMs?: number
}

/** What is watched, and how it is read. */
export interface Telemetry {
  /** The host's log: names run, event and trace where a line belongs to one, and never shows a secret that it has met. */
  readonly logger: Logger
  /** Secrets that pass here are never written. */
  readonly hides: { add(secret: string): void }
  /** Counts and times the acceptance of an event. */
  accept(event: IncomingEvent, take: () => Promise<Accepted>): Promise<Accepted>
  /** Counts and times runs from their start to their end. */
  runs(runs: Runs): Pick<Runs, 'start' | 'leftovers' | 'endLeft'>
  /** Counts the steps of the trail. */
  trail(trail: Trail): Trail
  /** For the gateway: each call of a plugin when it is over. */
  call(entry: TraceEntry, invocation: Invocation | undefined): void
  /** Deliveries and events without a platform, as rooms tell of them. */
  watch(signals: Signals): void
  /** All metrics in Prometheus' text format. */
  metrics(): Promise<string>
  /** Sends what waits, for two seconds at most. */
  stop(): Promise<void>
}
