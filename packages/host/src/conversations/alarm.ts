/** One timer for everything that waits for a time: parked rows and turns to be tried again. */

interface Entry {
  readonly at: number
  readonly ring: () => void
}

/** Longest wait of a timer; a later time is reached in several steps, which also follows a clock that was set. */
const STEP_MAX_MS = 60_000

export class Alarm {
  readonly #now: () => number
  /** A binary heap, earliest first. */
  readonly #heap: Entry[] = []
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(now: () => number) {
    this.#now = now
  }

  get waiting(): number {
    return this.#heap.length
  }

  /** Calls `ring` at a time in milliseconds, at once if it has passed. Not after `stop`. */
  set(at: number, ring: () => void): void {
    push(this.#heap, { at, ring })
    if (this.#heap[0]?.ring === ring) this.#wind()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#heap.length = 0
  }

  #wind(): void {
    clearTimeout(this.#timer)
    const next = this.#heap[0]
    if (next === undefined || this.#stopped) return
    const delay = Math.min(Math.max(next.at - this.#now(), 0), STEP_MAX_MS)
    this.#timer = setTimeout(() => this.#ringDue(), delay)
    // A host that has nothing else to do may end; its rows are in the table.
    this.#timer.unref()
  }

  #ringDue(): void {
    const now = this.#now()
    while (this.#heap.length > 0 && (this.#heap[0]?.at ?? now) <= now) pop(this.#heap)?.ring()
    this.#wind()
  }
}

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length
  heap.push(entry)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (above === undefined || above.at <= entry.at) break
    heap[at] = above
    at = parent
  }
  heap[at] = entry
}

function pop(heap: Entry[]): Entry | undefined {
  const top = heap[0]
  const moved = heap.pop()
  if (moved === undefined || heap.length === 0) return top
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const right = left + 1
    let least = left
    const leftEntry = heap[left]
    const rightEntry = heap[right]
    if (leftEntry === undefined) break
    if (rightEntry !== undefined && rightEntry.at < leftEntry.at) least = right
    const child = heap[least]
    if (child === undefined || child.at >= moved.at) break
    heap[at] = child
    at = least
  }
  heap[at] = moved
  return top
}
