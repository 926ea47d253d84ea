/** Runs a room's retention now and then: small units, never two sweeps at once, never a reason for the host to stay up. */
import type { Logger } from '../logger.ts'

export interface Sweeper {
  /** First sweep a minute later, then once an hour. */
  start(): void
  /** No new sweep; resolves when the one in flight has ended. */
  stop(): Promise<void>
  /** Sweeps now. Never rejects. */
  sweep(): Promise<void>
}

const FIRST_MS = 60_000
const EVERY_MS = 3_600_000

/** `work` deletes what is too old; its signal aborts when the host stops. */
export function createSweeper(name: string, logger: Logger, work: (signal: AbortSignal) => Promise<void>): Sweeper {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const sweep = (): Promise<void> => {
    running ??= work(stopping.signal)
      .catch((error: unknown) => logger.warn({ err: error, name }, 'Old rows could not be deleted; tried again later'))
      .finally(() => {
        running = null
      })
    return running
  }
  const wind = (delay: number): void => {
    timer = setTimeout(() => {
      void sweep().then(() => {
        if (!stopping.signal.aborted) wind(EVERY_MS)
      })
    }, delay).unref()
  }
  return {
    start: () => wind(FIRST_MS),
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
    sweep,
  }
}

/**
 * Deletes rows in small units, oldest first: `next` finds a batch above a position, `remove` takes those of it that are too
 * old. Ends at the first batch without any: rows are written in the order of their age.
 */
export async function sweepInOrder<R extends { readonly position: number }>(
  next: (after: number) => Promise<readonly R[]>,
  tooOld: (row: R) => boolean,
  remove: (rows: readonly R[]) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let after = 0
  while (!signal.aborted) {
    const rows = await next(after)
    const old = rows.filter(tooOld)
    if (old.length === 0) return
    await remove(old)
    after = rows.at(-1)?.position ?? after
  }
}
