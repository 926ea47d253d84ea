/** Ctrl-C and SIGTERM as an AbortSignal, for commands that go on until somebody has had enough. */

/** Aborts at the first signal; the second ends the process as usual. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort())
  return stop.signal
}
