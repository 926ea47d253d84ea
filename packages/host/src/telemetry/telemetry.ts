/** Puts log, metrics and traces between the rooms. Off, a trace costs one comparison; a metric is a look-up and an addition. */
import type { Store } from '@runbound/store'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { PluginStatus } from '../plugins/types.ts'
import { timeOfId } from '../time-id.ts'
import { createGauges } from './gauges.ts'
import { hostLog } from './host-log.ts'
import { KnownSecrets } from './known-secrets.ts'
import { metricsText } from './metric-text.ts'
import { Counter, Histogram } from './metric-values.ts'
import { Otlp } from './otlp.ts'
import { watchRuns } from './runs.ts'
import { callSpan, deliverySpan, eventSpan, type SpanData } from './spans.ts'
import type { OtlpOptions, Telemetry } from './types.ts'
import { deliveryEnd, newEvent } from './view-changes.ts'

export interface TelemetryParts {
  readonly clock: Clock
  readonly logger: Logger
  readonly store: Pick<Store, 'all'>
  readonly version: string
  readonly instanceUuid: string
  /** Null: no traces. */
  readonly otlp: OtlpOptions | null
  plugins(): readonly PluginStatus[]
  activeRuns(): number
}

/** Watches one host. */
export function createTelemetry(parts: TelemetryParts): Telemetry {
  const { clock } = parts
  const events = new Counter()
  const steps = new Counter()
  const deliveries = new Counter()
  const deliveryTimes = new Histogram()
  const calls = new Counter()
  const callTimes = new Histogram()
  const spans = new Counter()
  const secrets = new KnownSecrets()
  const gauges = createGauges({ ...parts, startedAt: clock.now() })
  /** Event of each run that is active here. */
  const active = new Map<string, string>()
  const logger = hostLog(parts.logger, { secrets, eventOf: (runId) => active.get(runId) })
  const otlp = parts.otlp === null ? null : new Otlp({ ...parts, ...parts.otlp, logger, count: spans })
  const trace = otlp === null ? null : (span: SpanData): void => otlp.add(span)
  const runs = watchRuns({ clock, active, trace })

  return {
    logger,
    hides: secrets,

    async accept({ event }, take) {
      const start = clock.now()
      const outcome = await take()
      const reason = outcome.status === 'refused' ? outcome.reason : null
      events.add(outcome.status, reason ?? '')
      trace?.(
        eventSpan({
          eventId: outcome.status === 'refused' ? null : outcome.event_id,
          type: event.type,
          outcome: outcome.status,
          reason,
          start,
          end: clock.now(),
        }),
      )
      return outcome
    },

    runs: (room) => runs.around(room),

    trail: (room) => ({
      ...room,
      entry(given) {
        steps.add(given.code)
        return room.entry(given)
      },
      because(code, about) {
        steps.add(code)
        return room.because(code, about)
      },
    }),

    call(entry, invocation) {
      calls.add(entry.method, entry.outcome)
      callTimes.observe(entry.micros / 1e6)
      if (trace !== null && invocation !== undefined)
        trace(callSpan(invocation.facts.event_id, invocation.run_id, entry))
    },

    watch(signals) {
      signals.onView((change) => {
        if (change.kind === 'delivery') {
          const ended = deliveryEnd(change)
          if (ended === null) return
          const now = clock.now()
          deliveries.add(ended.status, ended.way)
          deliveryTimes.observe((now - ended.start) / 1e3, ended.way)
          const { eventId } = ended
          if (trace !== null && eventId !== null) trace(deliverySpan({ ...ended, eventId, end: now }))
        } else if (change.kind === 'event' && trace !== null) {
          // Events of platforms are timed where they come in; those that an operator makes have no such door.
          const made = newEvent(change)
          if (made === null || !made.eventId.startsWith('debug:')) return
          const now = clock.now()
          trace(eventSpan({ ...made, outcome: 'accepted', reason: null, start: madeAt(made.eventId, now), end: now }))
        }
      })
    },

    async metrics() {
      return metricsText({
        runbound_events_total: events.samples(),
        runbound_trail_total: steps.samples(),
        runbound_deliveries_total: deliveries.samples(),
        runbound_delivery_duration_seconds: deliveryTimes.samples(),
        runbound_host_calls_total: calls.samples(),
        runbound_host_call_duration_seconds: callTimes.samples(),
        runbound_spans_total: spans.samples(),
        ...runs.samples(),
        ...(await gauges.look()),
      })
    },

    async stop() {
      gauges.stop()
      await otlp?.stop()
    },
  }
}

/** When an event's id was made; `now` for ids of another kind. */
function madeAt(eventId: string, now: number): number {
  return timeOfId(eventId.slice(eventId.lastIndexOf(':') + 1)) ?? now
}
