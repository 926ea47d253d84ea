/**
 * Wakes between rooms and, later, between hosts (DESIGN §8): in-process now, Postgres NOTIFY or NATS at scale. State never
 * travels here; a lost wake costs time, not truth, because rooms look at their tables when they start.
 */
export type SignalName = 'mailbox' | 'outbox' | 'cancel' | 'steer' | 'view'

export interface ViewChange {
  readonly kind: 'event' | 'run' | 'ledger' | 'delivery' | 'plugin' | 'log'
  readonly workspace_uuid: string
  readonly run_id?: string | null
  readonly conversation_key?: string | null
  readonly data?: unknown
}

export interface Signals {
  /** Tells the view (console, cli follow) that something changed. Never throws, never waits. */
  view(change: ViewChange): void
  onView(listener: (change: ViewChange) => void): () => void
}

export function localSignals(): Signals {
  const listeners = new Set<(change: ViewChange) => void>()
  return {
    view(change) {
      for (const listener of listeners) {
        try {
          listener(change)
        } catch {
          // Who watches never holds up or breaks what is watched.
        }
      }
    },
    onView(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
