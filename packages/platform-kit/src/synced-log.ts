/** An append-only file whose lines are on disk before their writers go on. Lines of one moment share one sync. */
import { type FileHandle, open } from 'node:fs/promises'
import { encodeLine } from './json-lines.ts'

interface Waiting {
  readonly line: string
  resolve(): void
  reject(error: unknown): void
}

export class SyncedLog {
  readonly #file: FileHandle
  readonly #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #closed = false
  #count = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Creates the file or appends to it. */
  static async open(path: string): Promise<SyncedLog> {
    return new SyncedLog(await open(path, 'a'))
  }

  /** Appends the entry with its number `n` and time `at` (epoch milliseconds); resolves once it is on disk. Dropped after `close`. */
  append(entry: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#closed) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: encodeLine({ n: ++this.#count, at: Date.now(), ...entry }), resolve, reject })
      this.#writing ??= this.#write()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#writing
    await this.#file.close()
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      try {
        await this.#file.write(batch.map(({ line }) => line).join(''))
        await this.#file.datasync()
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#writing = null
  }
}
