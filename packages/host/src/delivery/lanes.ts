/** Order of sending: one lane per chat of a bot, jobs one after another; different chats never wait for each other. */

export type Job = () => Promise<void>

/** A place in a chat's order that was taken before its job was known. It has to be filled; null lets the next one go on. */
export interface Place {
  /** Nothing stands before it and lanes run: its job starts as soon as it is there. */
  readonly next: boolean
  fill(job: Job | null): void
}

export class Lanes {
  #lanes = new Map<string, Job[]>()
  #idle: (() => void)[] = []
  #started = false

  /** Takes the next place at once, so that whoever comes in the same tick sees it and stands behind. */
  reserve(key: string): Place {
    const next = this.#started && !this.#lanes.has(key)
    const { promise, resolve } = Promise.withResolvers<Job | null>()
    this.add(key, async () => {
      await (await promise)?.()
    })
    return { next, fill: resolve }
  }

  /** Appends a job. Jobs never reject: a job that can fail handles it. */
  add(key: string, job: Job): void {
    const lane = this.#lanes.get(key)
    if (lane !== undefined) {
      lane.push(job)
      return
    }
    const fresh = [job]
    this.#lanes.set(key, fresh)
    if (this.#started) void this.#run(key, fresh)
  }

  start(): void {
    if (this.#started) return
    this.#started = true
    for (const [key, lane] of this.#lanes) void this.#run(key, lane)
  }

  /** Resolves when every lane is empty. */
  async drained(): Promise<void> {
    if (this.#lanes.size === 0) return
    await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  get size(): number {
    return this.#lanes.size
  }

  async #run(key: string, lane: Job[]): Promise<void> {
    for (let job = lane[0]; job !== undefined; job = lane[0]) {
      await job()
      lane.shift()
    }
    this.#lanes.delete(key)
    if (this.#lanes.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}
