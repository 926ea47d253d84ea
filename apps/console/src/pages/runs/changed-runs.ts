/** Runs that changed and are to be read again: gathered, taken together, and kept until they were read. */
import { ApiError } from '@runbound/api'

/** Runs that are read one by one at a time; more of them wait for the next round. */
const ONE_BY_ONE = 20

export interface ChangedRuns {
  /** A run changed; without an id: there may be new ones. */
  readonly add: (runId?: string) => void
  /** Takes what was added without waiting for more. */
  readonly flush: () => void
  readonly stop: () => void
}

export interface ChangedRunsOptions {
  /** Brings the list up to date with these; gives those that are still to be read. When it rejects, all of them are. */
  readonly take: (ids: ReadonlySet<string>) => Promise<ReadonlySet<string>>
  /** Changes of this long are taken together. Milliseconds. */
  readonly togetherMs: number
  /** After a failure the next try comes this much later. Milliseconds. */
  readonly retryMs: number
}

/** One round at a time; nothing that was added is forgotten before it was taken. */
export function gatherChanges({ take, togetherMs, retryMs }: ChangedRunsOptions): ChangedRuns {
  const changed = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false
  let news = false
  let stopped = false
  const later = (ms: number): void => {
    if (!busy && !stopped) timer ??= setTimeout(() => void round(), ms)
  }
  async function round(): Promise<void> {
    const ids = new Set(changed)
    changed.clear()
    clearTimeout(timer)
    busy = true
    news = false
    let failed = false
    try {
      const left = await take(ids)
      for (const id of left) changed.add(id)
      // Nothing of it could be read: asking at once again would only be a burden.
      failed = ids.size > 0 && left.size >= ids.size
    } catch {
      // A host that can't be asked is told by the bar over the page; here it is only asked again.
      failed = true
      for (const id of ids) changed.add(id)
    }
    busy = false
    timer = undefined
    if (failed) later(retryMs)
    else if (news || changed.size > 0) later(togetherMs)
  }
  return {
    add(runId) {
      news = true
      if (runId !== undefined) changed.add(runId)
      later(togetherMs)
    },
    flush() {
      if (!busy && !stopped) void round()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

export interface ReadAgain<T> {
  readonly read: readonly T[]
  /** The host does not have them any more. */
  readonly gone: ReadonlySet<string>
  /** Not read: there were too many, or the host could not be asked. */
  readonly left: ReadonlySet<string>
}

/** Reads runs one by one, each for itself: one that is gone or fails says nothing of the others. */
export async function readAgain<T>(
  ids: readonly string[],
  readOne: (runId: string) => Promise<T>,
): Promise<ReadAgain<T>> {
  const now = ids.slice(0, ONE_BY_ONE)
  const left = new Set(ids.slice(ONE_BY_ONE))
  const read: T[] = []
  const gone = new Set<string>()
  const answers = await Promise.allSettled(now.map(readOne))
  answers.forEach((answer, at) => {
    const id = now[at]
    if (answer.status === 'fulfilled') read.push(answer.value)
    else if (id !== undefined) (isGone(answer.reason) ? gone : left).add(id)
  })
  return { read, gone, left }
}

const isGone = (fault: unknown): boolean => ApiError.is(fault) && fault.status === 404
