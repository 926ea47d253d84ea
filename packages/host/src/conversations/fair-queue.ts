/** Lanes that wait for a free place: processors take turns, and within a processor lanes go first come, first served. */

/** What the queue needs to know of a lane. */
export interface Queued {
  readonly processor_id: string
}

export class FairQueue<L extends Queued> {
  /** Both levels keep the order of insertion; what was served goes to the end. */
  readonly #byProcessor = new Map<string, Set<L>>()
  readonly #active = new Map<string, number>()
  readonly #maxPerProcessor: number

  constructor(maxPerProcessor: number) {
    this.#maxPerProcessor = maxPerProcessor
  }

  /** Adding a lane that waits already changes nothing. */
  add(lane: L): void {
    const lanes = this.#byProcessor.get(lane.processor_id)
    if (lanes === undefined) this.#byProcessor.set(lane.processor_id, new Set([lane]))
    else lanes.add(lane)
  }

  /** The next lane whose processor has a free place; it counts as active until `done`. */
  take(): L | undefined {
    for (const [processorId, lanes] of this.#byProcessor) {
      const active = this.#active.get(processorId) ?? 0
      if (active >= this.#maxPerProcessor) continue
      const [lane] = lanes
      if (lane === undefined) continue
      lanes.delete(lane)
      this.#byProcessor.delete(processorId)
      if (lanes.size > 0) this.#byProcessor.set(processorId, lanes)
      this.#active.set(processorId, active + 1)
      return lane
    }
    return undefined
  }

  done(lane: L): void {
    const active = (this.#active.get(lane.processor_id) ?? 1) - 1
    if (active <= 0) this.#active.delete(lane.processor_id)
    else this.#active.set(lane.processor_id, active)
  }
}
