/**
 * Brings the log into the main file on the reader thread while the host goes on writing; a commit that did it itself would
 * stop the main thread for 5-20 ms every thousand pages (bench/commit.ts).
 */
import type { CommitQueue } from './commits.ts'
import type { Reader } from './reader.ts'

/** SQLite's own threshold. Larger ones make single waits for the disk longer, which a commit at that moment shares. */
const PAGES_BETWEEN = 1_000
/** An estimate: a small unit changes about this many (table and index pages); in larger commits units share them. */
const PAGES_PER_COMMIT = 10
/** The log begins anew only when all of it is copied, which under steady load never happens by itself. */
const LOG_PAGES = 4_000
/** Commits wait this long at most for the rest to be copied; the thread may just be busy with a long read. */
const PAUSE_MS = 25

export class Checkpoints {
  readonly #queue: CommitQueue
  readonly #reader: Reader
  readonly #synchronous: 'normal' | 'full'
  #pages = 0
  #running = false

  constructor(queue: CommitQueue, reader: Reader, synchronous: 'normal' | 'full') {
    this.#queue = queue
    this.#reader = reader
    this.#synchronous = synchronous
  }

  /** To be called after each commit. */
  committed(statements: number): void {
    this.#pages += Math.max(statements, PAGES_PER_COMMIT)
    if (this.#running || this.#pages < PAGES_BETWEEN) return
    this.#pages = 0
    this.#running = true
    // A failure loses nothing: the log only stays longer, and the writing connection does it past its own limit.
    this.#run()
      .catch(() => {})
      .finally(() => {
        this.#running = false
      })
  }

  async #run(): Promise<void> {
    const pages = await this.#reader.checkpoint(this.#synchronous)
    if (pages < LOG_PAGES) return
    const resume = this.#queue.pause()
    const timer = setTimeout(resume, PAUSE_MS)
    try {
      await this.#reader.checkpoint(this.#synchronous)
    } finally {
      clearTimeout(timer)
      resume()
    }
  }
}
