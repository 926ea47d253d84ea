/** Scripted outcomes: what the scriptable platform does instead of simply working. */
import type { Json } from '@runbound/protocol'
import { AdapterError, type AdapterErrorKind } from './errors.ts'

/** Methods of an adapter that can be scripted. */
export const SCRIPTED_METHODS = [
  'start',
  'stop',
  'send',
  'openStream',
  'stream.update',
  'stream.finish',
  'stream.abort',
  'resumeStream',
  'outcome',
  'api',
  'typing',
] as const
export type ScriptedMethod = (typeof SCRIPTED_METHODS)[number]

/**
 * What one call does. `taken`: the platform did what was asked before it failed, as when an answer gets lost. `hang` ends
 * only when the caller's signal aborts, with kind `unknown_outcome`. Times in milliseconds.
 */
export type Outcome =
  | { readonly do: 'ok'; readonly result?: Json }
  | { readonly do: 'delay'; readonly ms: number; readonly then?: Outcome }
  | {
      readonly do: 'error'
      readonly kind: AdapterErrorKind
      readonly message?: string
      readonly retryAfterMs?: number
      readonly taken?: boolean
    }
  | { readonly do: 'throw'; readonly message?: string; readonly taken?: boolean }
  | { readonly do: 'hang'; readonly taken?: boolean }

/** Plays an outcome around the effect of a call. Rejects as the outcome says; an abort rejects with `unknown_outcome`. */
export async function play<T>(outcome: Outcome, signal: AbortSignal | null, effect: () => Promise<T>): Promise<T> {
  if (outcome.do === 'ok') return effect()
  if (outcome.do === 'delay') {
    await pause(outcome.ms, signal)
    return play(outcome.then ?? { do: 'ok' }, signal, effect)
  }
  if (outcome.taken === true) await effect()
  if (outcome.do === 'hang') return pause(null, signal)
  if (outcome.do === 'throw') throw new Error(outcome.message ?? 'scripted: the adapter is broken')
  const options = outcome.retryAfterMs === undefined ? {} : { retryAfterMs: outcome.retryAfterMs }
  throw new AdapterError(outcome.kind, outcome.message ?? `scripted: ${outcome.kind}`, options)
}

/** Waits, for good if `ms` is null; rejects with `unknown_outcome` when the signal aborts first. */
function pause(ms: null, signal: AbortSignal | null): Promise<never>
function pause(ms: number, signal: AbortSignal | null): Promise<void>
function pause(ms: number | null, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = ms === null ? null : setTimeout(settle, ms)
    function settle() {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }
    function aborted() {
      if (timer !== null) clearTimeout(timer)
      reject(new AdapterError('unknown_outcome', 'The call was aborted while the platform was busy with it.'))
    }
    if (signal?.aborted === true) aborted()
    else signal?.addEventListener('abort', aborted, { once: true })
  })
}
