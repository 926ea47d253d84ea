/** The one live subscription of this page: reconnects with back-off, says whether it is live, and hands out each change. */
import type { LiveChange } from '@runbound/api'
import { useEffect, useSyncExternalStore } from 'react'
import { client } from './client.ts'
import { sawFailure } from './session.ts'

export type LiveState =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  /** `retry_at` in epoch milliseconds. */
  | { readonly is: 'cut'; readonly retry_at: number }

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000

let state: LiveState = { is: 'connecting' }
let wake: (() => void) | undefined
const stateListeners = new Set<() => void>()
const changeListeners = new Set<(change: LiveChange) => void>()
const openListeners = new Set<() => void>()

/** Runs until the signal aborts. Started once, by main. */
export async function runLive(signal: AbortSignal): Promise<void> {
  let failures = 0
  let before = false
  while (!signal.aborted) {
    try {
      const opened = (): void => {
        failures = 0
        show({ is: 'live' })
        // What happened while it was cut is not told again: everything may be old.
        if (before) for (const listener of openListeners) listener()
        before = true
      }
      for await (const change of client.live(signal, opened)) for (const listener of changeListeners) listener(change)
    } catch (error) {
      sawFailure(error)
    }
    if (signal.aborted) return
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++) * (0.8 + Math.random() * 0.4)
    before = true
    show({ is: 'cut', retry_at: Date.now() + wait })
    await pause(wait, signal)
  }
}

/** Ends the wait before the next try. */
export function reconnect(): void {
  wake?.()
}

/** Calls back on every change until it is called off. */
export function onChange(listener: (change: LiveChange) => void): () => void {
  changeListeners.add(listener)
  return () => changeListeners.delete(listener)
}

/** Calls back whenever the connection is there again after it was cut. */
export function onReopened(listener: () => void): () => void {
  openListeners.add(listener)
  return () => openListeners.delete(listener)
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    () => state,
  )
}

/** For pages that put changes into what they show themselves; `listener` should be stable (useCallback). */
export function useChanges(listener: (change: LiveChange) => void): void {
  useEffect(() => onChange(listener), [listener])
}

function show(next: LiveState): void {
  state = next
  for (const listener of stateListeners) listener()
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      wake = undefined
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    wake = end
    window.addEventListener('online', end)
    signal.addEventListener('abort', end, { once: true })
  })
}
