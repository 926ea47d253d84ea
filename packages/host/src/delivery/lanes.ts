/** Order of sending: one lane per chat of a bot, jobs one after another; different chats never wait for each other. */

export type Job = () => Promise<void>

export class Lanes {
  #lanes = new Map<string, Job[]>()
  #idle: (() => void)[] = []
  #started = false

  /** True when nothing of this chat is under way or waiting. */
  isIdle(key: string): boolean {
    return !this.#lanes.has(key)
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
