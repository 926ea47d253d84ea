/** The host's side of the reader thread: starts it when first asked, and anew when it has died. */
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { StoreError, type StoreErrorCode } from '../error.ts'
import type { Query, Row, SqlValue } from '../types.ts'

type Request =
  | { readonly kind: 'read'; readonly sql: string; readonly params: readonly SqlValue[] }
  | { readonly kind: 'checkpoint'; readonly synchronous: 'normal' | 'full' }

export type ReaderRequest = Request & { readonly id: number }

export interface ReaderAnswer {
  readonly id: number
  readonly rows?: readonly Row[]
  readonly error?: { readonly code: StoreErrorCode; readonly message: string }
}

interface Waiting {
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: StoreError) => void
}

/** Reads that wait for the thread; one more is refused, for it would wait longer than anyone wants to. */
const WAITING_MAX = 1_000
/** The thread runs next to its source: `.ts` in the repository, `.js` in a published package. */
const SCRIPT = new URL(import.meta.url.endsWith('.ts') ? './reader-worker.ts' : './reader-worker.js', import.meta.url)

export class Reader {
  readonly #file: string
  readonly #script: URL
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #closed = false

  constructor(file: string, script: URL = SCRIPT) {
    this.#file = file
    this.#script = script
  }

  /** All rows. Rejects with StoreError `invalid`, `failed` (also when the thread died meanwhile: ask again), `closed`. */
  all(query: Query<unknown>): Promise<readonly Row[]> {
    return this.#ask({ kind: 'read', sql: query.sql, params: query.params })
  }

  /** Copies as much of the log into the main file as no reader still needs. Gives the pages that the log has. */
  async checkpoint(synchronous: 'normal' | 'full'): Promise<number> {
    const [row] = await this.#ask({ kind: 'checkpoint', synchronous })
    return Number(row?.log ?? 0)
  }

  async close(): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    this.#lose(worker, new StoreError('closed', 'the store was closed during the read'))
    worker?.ref()
    await worker?.terminate()
  }

  #ask(request: Request): Promise<readonly Row[]> {
    if (this.#closed) return Promise.reject(new StoreError('closed', 'the store is closed'))
    if (this.#waiting.size >= WAITING_MAX) {
      return Promise.reject(new StoreError('failed', `${WAITING_MAX} reads wait for the reader thread: try later`))
    }
    return new Promise((resolve, reject) => {
      this.#worker ??= this.#start()
      this.#lastId += 1
      this.#waiting.set(this.#lastId, { resolve, reject })
      // An idle thread must not keep the process alive, one with work must.
      this.#worker.ref()
      this.#worker.postMessage({ ...request, id: this.#lastId } satisfies ReaderRequest)
    })
  }

  #start(): Worker {
    const cache = getCompileCacheDir()
    const worker = new Worker(this.#script, {
      workerData: this.#file,
      name: 'runbound-reader',
      // Flags of the host's own start (inspector, loaders of a test runner) are not meant for this thread.
      execArgv: [],
      // A thread does not take the host's compile cache over by itself: with it 15 MB, without 29 MB.
      env: cache === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: cache },
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    })
    worker.on('message', (answer: ReaderAnswer) => this.#settle(worker, answer))
    worker.on('error', (error) => this.#lose(worker, died(error)))
    worker.on('exit', (code) => this.#lose(worker, died(new Error(`exit code ${code}`))))
    return worker
  }

  #settle(worker: Worker, { id, rows, error }: ReaderAnswer): void {
    if (worker !== this.#worker) return
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) worker.unref()
    if (rows !== undefined) waiting?.resolve(rows)
    else waiting?.reject(new StoreError(error?.code ?? 'failed', error?.message ?? 'the reader thread gave no rows'))
  }

  /** Ends what waits for this worker; the next read starts a new one. */
  #lose(worker: Worker | undefined, error: StoreError): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(error)
  }
}

function died(cause: Error): StoreError {
  return new StoreError('failed', `the reader thread died (${cause.message}); the next read starts another`, { cause })
}
