/** A run's timeline as views read it. */
import type { Json } from '@runbound/protocol'
import type { Origin } from './keys.ts'
import type { Lane } from './lanes.ts'

export interface TimelineEntry {
  /** Stable within the run. */
  readonly id: string
  readonly lane: Lane
  readonly origin: Origin
  /** Milliseconds. */
  readonly at: number
  readonly duration_ms: number | null
  readonly type: string
  readonly title: string
  readonly target: string | null
  readonly outcome: 'ok' | 'denied' | 'failed' | 'cancelled' | 'waiting' | 'info'
  readonly reason: string | null
  readonly sentence: string | null
  readonly who: string | null
  readonly way:
    | 'native_stream'
    | 'buffered'
    | 'message'
    | 'split'
    | 'simulated'
    | 'resent'
    | 'after_restart'
    | 'host_sentence'
    | 'not_sent'
    | 'unknown'
    | null
  readonly delivery_id: string | null
  readonly message_id: string | null
  readonly input: Json
  readonly output: Json
  /** Said by the plugin, not seen by the host. */
  readonly claimed: boolean
}

export interface TimelineRequest {
  readonly run_id: string
  /** Null: all. */
  readonly lanes: readonly string[] | null
  readonly before_cursor: string | null
  readonly after_cursor: string | null
  /** Clamped to 1..500. */
  readonly limit: number
  readonly direction: 'forward' | 'backward'
}

export interface TimelinePage {
  readonly items: readonly TimelineEntry[]
  readonly next_cursor: string | null
  readonly prev_cursor: string | null
  readonly has_more: boolean
}
