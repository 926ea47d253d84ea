/** Whether this browser's session has ended while the page was open. */
import { ApiError } from '@runbound/api'
import { useSyncExternalStore } from 'react'

let ended = false
const listeners = new Set<() => void>()

/** Looks at every failure: a 401 means that the session has ended. What is written on the page stays. */
export function sawFailure(error: unknown): void {
  if (ended || !ApiError.is(error) || error.status !== 401) return
  setSessionEnded(true)
}

/** A new sign-in takes it back. */
export function setSessionEnded(next: boolean): void {
  ended = next
  for (const listener of listeners) listener()
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ended,
  )
}
