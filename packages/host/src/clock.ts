/** Time, injected everywhere so that tests can hold it still. Milliseconds since 1970. */
export interface Clock {
  now(): number
}
export const systemClock: Clock = { now: () => Date.now() }

/** Whole seconds, as the documented records want them. */
export const seconds = (ms: number): number => Math.floor(ms / 1000)
