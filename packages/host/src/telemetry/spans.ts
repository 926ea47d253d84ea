/**
 * What is said of an event, a run, a call and a delivery in a trace: names, ids, durations and reason codes. No texts of
 * messages, no arguments, no ids of people or chats. Attributes follow OpenTelemetry's conventions where there is one.
 */
import type { TraceEntry } from '../gateway/types.ts'
import type { Processor, RunOutcome } from '../runs/types.ts'
import { freshSpanId, spanOfRun, traceOfEvent } from './trace-ids.ts'

/** OpenTelemetry's numbers. */
export const SPAN_KIND = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } as const

/** A span that is over. Times in milliseconds since 1970. */
export interface SpanData {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  readonly kind: (typeof SPAN_KIND)[keyof typeof SPAN_KIND]
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** Reason code of a failure. */
  readonly error: string | null
}

/** The root of a trace. `eventId` null: it was refused, nothing was kept. */
export function eventSpan(event: {
  readonly eventId: string | null
  readonly type: string
  readonly outcome: 'accepted' | 'duplicate' | 'refused'
  readonly reason: string | null
  readonly start: number
  readonly end: number
}): SpanData {
  const { eventId, type, outcome, reason } = event
  const trace = traceOfEvent(eventId ?? freshSpanId())
  const again = outcome === 'duplicate'
  return {
    traceId: trace.traceId,
    // The root is the first delivery; a second one hangs below it.
    spanId: again ? freshSpanId() : trace.spanId,
    parentId: again ? trace.spanId : null,
    name: `receive ${type}`,
    kind: SPAN_KIND.consumer,
    start: event.start,
    end: event.end,
    attributes: {
      'messaging.operation.type': 'receive',
      'runbound.event.type': type,
      'runbound.event.outcome': outcome,
      ...(eventId === null ? {} : { 'runbound.event.id': eventId }),
      ...(reason === null ? {} : { 'runbound.reason': reason, 'error.type': reason }),
    },
    error: outcome === 'refused' ? reason : null,
  }
}

/** A run, below its event. */
export function runSpan(run: {
  readonly eventId: string
  readonly processor: Processor
  readonly outcome: RunOutcome
  readonly attempt: number
  readonly start: number
  readonly end: number
  readonly waitMs: number
}): SpanData {
  const { eventId, processor, outcome } = run
  const { kind, processor_id, name, runner_id } = processor
  const failed = outcome.status === 'failed' || outcome.status === 'timeout'
  const reason = outcome.code ?? (failed ? outcome.status : null)
  return {
    ...belowEvent(eventId),
    spanId: spanOfRun(outcome.run_id),
    name: `run ${name}`,
    kind: SPAN_KIND.internal,
    start: run.start,
    end: run.end,
    attributes: {
      ...(kind === 'plugin_processor' ? {} : { 'gen_ai.agent.id': processor_id, 'gen_ai.agent.name': name }),
      'runbound.run.id': outcome.run_id,
      'runbound.run.status': outcome.status,
      'runbound.run.attempt': run.attempt,
      'runbound.run.wait_ms': run.waitMs,
      'runbound.run.effect': outcome.effect,
      'runbound.processor.id': processor_id,
      'runbound.processor.kind': kind,
      'runbound.runner.id': runner_id,
      ...reasonOf(reason, failed),
    },
    error: failed ? reason : null,
  }
}

/** A run whose host died: when it began is not known here, only that it is over. */
export function leftRunSpan(eventId: string, runId: string, processorId: string, now: number): SpanData {
  return {
    ...belowEvent(eventId),
    spanId: spanOfRun(runId),
    name: 'run (left by a dead host)',
    kind: SPAN_KIND.internal,
    start: now,
    end: now,
    attributes: {
      'runbound.run.id': runId,
      'runbound.run.status': 'failed',
      'runbound.processor.id': processorId,
      ...reasonOf('host_restarted', true),
    },
    error: 'host_restarted',
  }
}

/** A call of a plugin, below its run. */
export function callSpan(eventId: string, runId: string, entry: TraceEntry): SpanData {
  const { method, outcome, reason, at, micros, target } = entry
  const failed = outcome === 'failed' || outcome === 'denied'
  return {
    traceId: traceOfEvent(eventId).traceId,
    parentId: spanOfRun(runId),
    spanId: freshSpanId(),
    name: `call ${method}`,
    kind: SPAN_KIND.server,
    start: at,
    end: at + micros / 1_000,
    attributes: {
      'rpc.method': method,
      'runbound.call.outcome': outcome,
      // Other targets may name what people stored, or people.
      ...(method === 'call_tool' && target !== null ? { 'gen_ai.tool.name': target } : {}),
      ...reasonOf(reason, failed),
    },
    error: failed ? (reason ?? outcome) : null,
  }
}

/** A delivery, below its run, or below its event when the host itself speaks. */
export function deliverySpan(delivery: {
  readonly eventId: string
  readonly runId: string | null
  readonly deliveryId: string
  readonly status: string
  readonly way: string
  readonly reason: string | null
  readonly start: number
  readonly end: number
}): SpanData {
  const { eventId, runId, status, reason } = delivery
  const failed = status === 'failed' || status === 'unknown'
  const trace = traceOfEvent(eventId)
  return {
    traceId: trace.traceId,
    parentId: runId === null ? trace.spanId : spanOfRun(runId),
    spanId: freshSpanId(),
    name: `deliver ${delivery.way}`,
    kind: SPAN_KIND.producer,
    start: delivery.start,
    end: delivery.end,
    attributes: {
      'messaging.operation.type': 'send',
      'runbound.delivery.id': delivery.deliveryId,
      'runbound.delivery.status': status,
      'runbound.delivery.way': delivery.way,
      ...reasonOf(reason, failed),
    },
    error: failed ? (reason ?? status) : null,
  }
}

function belowEvent(eventId: string): Pick<SpanData, 'traceId' | 'parentId'> {
  const { traceId, spanId } = traceOfEvent(eventId)
  return { traceId, parentId: spanId }
}

function reasonOf(reason: string | null, failed: boolean): Record<string, string> {
  if (reason === null) return {}
  return failed ? { 'runbound.reason': reason, 'error.type': reason } : { 'runbound.reason': reason }
}
