/** The world on disk: applies records in memory and writes them to the log, in one step that is never half done. */
import { mkdir } from 'node:fs/promises'
import { Journal, JournalError } from './journal.ts'
import type { Limits } from './limits.ts'
import type { LogRecord } from './model.ts'
import { seed } from './seed.ts'
import { World } from './world.ts'

export interface StoreWatch {
  /** The records are on disk. */
  committed(records: readonly LogRecord[], world: World): void
  /** A write failed, and the world went back to what is on disk. */
  reset(cause: unknown): void
}

export class Store {
  readonly #folder: string
  readonly #limits: Limits
  readonly #watch: StoreWatch
  readonly #journal: Journal
  #world: World
  #reloading: Promise<void> | null = null
  #closed = false

  constructor(folder: string, limits: Limits, watch: StoreWatch) {
    this.#folder = folder
    this.#limits = limits
    this.#watch = watch
    this.#world = new World(limits)
    this.#journal = new Journal({
      folder,
      compactBytes: limits.compactBytes,
      snapshot: () => [...this.#world.snapshot()].map((record) => JSON.stringify([record])),
    })
  }

  /** The newest state. Read it anew after each `await`: it is another object after a failed write. */
  get world(): World {
    return this.#world
  }

  /** Reads the log; a new one starts with a few people and one group. Rejects with JournalError. */
  async open(now: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await this.#load()
    if (this.#world.people.size === 0) await this.commit(seed(now))
  }

  /**
   * Applies the records at once and resolves when they are on disk, all or none of them. Rejects with JournalError; then
   * the world is as if they had never been.
   */
  commit(records: readonly LogRecord[]): Promise<void> {
    if (this.#closed) return Promise.reject(new JournalError('closed', 'The web chat has stopped.'))
    if (this.#reloading !== null) {
      return Promise.reject(
        new JournalError('write_failed', 'The message log is being read again after a failed write.'),
      )
    }
    return this.#write(records, () => this.#watch.committed(records, this.#world))
  }

  /** Like {@link commit}, for what would do no harm if it were lost: nobody waits for it, nobody is told. */
  note(record: LogRecord): void {
    if (this.#reloading === null && !this.#closed) this.#write([record], () => {}).catch(() => {})
  }

  async #write(records: readonly LogRecord[], then: () => void): Promise<void> {
    if (records.length === 0) return
    for (const record of records) this.#world.apply(record)
    try {
      await this.#journal.append(JSON.stringify(records))
    } catch (error) {
      this.#reloading ??= this.#reset(error)
      await this.#reloading
      throw error
    }
    then()
  }

  /** Waits for running writes and closes the log for good: the next host may have it. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#reloading?.catch(() => {})
    await this.#journal.close()
  }

  async #load(): Promise<void> {
    const lines = await this.#journal.open()
    const world = new World(this.#limits)
    for (const line of lines) for (const record of decode(line)) world.apply(record)
    this.#world = world
  }

  async #reset(cause: unknown): Promise<void> {
    try {
      await this.#journal.close()
      // A log that was closed for good is not opened again: it belongs to the next host.
      if (!this.#closed) await this.#load()
    } finally {
      this.#reloading = null
      this.#watch.reset(cause)
    }
  }
}

/** A line of our own log. Its checksum was right, so its shape is what `commit` wrote. */
function decode(line: string): LogRecord[] {
  return JSON.parse(line) as LogRecord[]
}
