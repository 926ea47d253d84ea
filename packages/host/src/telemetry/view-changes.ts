/** What telemetry reads of the changes that rooms tell the view. Their data is open, so it is looked at and not believed. */
import type { ViewChange } from '../signals.ts'

/** A delivery that is over. */
export interface DeliveryEnd {
  readonly deliveryId: string
  readonly eventId: string | null
  readonly runId: string | null
  readonly status: string
  readonly way: 'message' | 'stream'
  readonly reason: string | null
  /** Milliseconds. */
  readonly start: number
}

/** Null: the change tells of something else. */
export function deliveryEnd({ data, run_id }: ViewChange): DeliveryEnd | null {
  if (typeof data !== 'object' || data === null) return null
  const { delivery_id, status, event_id, reason, since, stream_id } = data as Readonly<Record<string, unknown>>
  if (typeof delivery_id !== 'string' || typeof status !== 'string' || typeof since !== 'number') return null
  return {
    deliveryId: delivery_id,
    eventId: typeof event_id === 'string' ? event_id : null,
    runId: run_id ?? null,
    status,
    way: stream_id === undefined ? 'message' : 'stream',
    reason: typeof reason === 'string' ? reason : null,
    start: since,
  }
}

/** An event that was stored; null: something else. */
export function newEvent({ data }: ViewChange): { readonly eventId: string; readonly type: string } | null {
  if (typeof data !== 'object' || data === null) return null
  const { event_id, event_type } = data as Readonly<Record<string, unknown>>
  return typeof event_id === 'string' && typeof event_type === 'string' ? { eventId: event_id, type: event_type } : null
}
