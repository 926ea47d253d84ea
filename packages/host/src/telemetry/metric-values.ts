/** Numbers that grow: counters and histograms by label values. Recording is a few look-ups and additions, without texts. */

/** Label values of one metric beyond which further ones are counted together: a bound on memory, whatever is counted. */
export const SERIES_MAX = 1_000
const OTHER = '(other)'

/** Upper bounds of the histograms' buckets, in seconds; one more bucket takes the rest. */
export const BUCKETS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
]

interface Node<Cell> {
  readonly next: Map<string, Node<Cell>>
  cell: Cell | undefined
}

/** One cell for each combination of label values. */
class Series<Cell> {
  readonly #root: Node<Cell> = { next: new Map(), cell: undefined }
  readonly #make: () => Cell
  #size = 0

  constructor(make: () => Cell) {
    this.#make = make
  }

  cell(labels: readonly string[]): Cell {
    let node = this.#root
    for (const label of labels) {
      let next = node.next.get(label)
      if (next === undefined) {
        if (this.#size >= SERIES_MAX && label !== OTHER) return this.cell(labels.map(() => OTHER))
        next = { next: new Map(), cell: undefined }
        node.next.set(label, next)
      }
      node = next
    }
    if (node.cell === undefined) {
      node.cell = this.#make()
      this.#size++
    }
    return node.cell
  }

  *entries(node = this.#root, labels: readonly string[] = []): Generator<readonly [readonly string[], Cell]> {
    if (node.cell !== undefined) yield [labels, node.cell]
    for (const [label, next] of node.next) yield* this.entries(next, [...labels, label])
  }
}

/** A number that only grows. */
export class Counter {
  readonly #series = new Series(() => ({ value: 0 }))

  /** Labels in the order of the metric's record. */
  add(...labels: readonly string[]): void {
    this.#series.cell(labels).value++
  }

  by(amount: number, ...labels: readonly string[]): void {
    this.#series.cell(labels).value += amount
  }

  *samples(): Generator<readonly [readonly string[], number]> {
    for (const [labels, { value }] of this.#series.entries()) yield [labels, value]
  }
}

/** How often which duration was seen. */
export interface Distribution {
  /** Per bucket of {@link BUCKETS}, not cumulative; the last one takes the rest. */
  readonly counts: number[]
  sum: number
  count: number
}

/** Durations in seconds. */
export class Histogram {
  readonly #series = new Series<Distribution>(() => ({
    counts: Array.from({ length: BUCKETS.length + 1 }, () => 0),
    sum: 0,
    count: 0,
  }))

  observe(seconds: number, ...labels: readonly string[]): void {
    const cell = this.#series.cell(labels)
    let bucket = 0
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket++
    cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1
    // A clock that was set back must not make a sum smaller.
    cell.sum += Math.max(0, seconds)
    cell.count++
  }

  samples(): Iterable<readonly [readonly string[], Distribution]> {
    return this.#series.entries()
  }
}
