/**
 * The store's thread: answers one read after another over a read-only connection, and brings the log into the main file,
 * whose waiting for the disk would otherwise stop the host for 5-20 ms every thousand pages.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { storeError } from './engine-error.ts'
import type { ReaderAnswer, ReaderRequest } from './reader.ts'

/** More rows than this would fill the memory of host and thread: exports read in pages. */
const ROWS_MAX = 100_000

const port = parentPort
if (port === null) throw new Error('reader-worker.ts runs as a worker thread of the store')
const file = String(workerData)
const reads = new Connection({ file, readOnly: true })
/** Writes nothing of its own; a checkpoint needs a connection that may write. */
let checkpoints: Connection | undefined

port.on('message', (request: ReaderRequest) => {
  port.postMessage(answer(request))
})

function answer(request: ReaderRequest): ReaderAnswer {
  const { id } = request
  try {
    if (request.kind === 'read')
      return { id, rows: reads.allUpTo({ sql: request.sql, params: request.params }, ROWS_MAX) }
    checkpoints ??= new Connection({ file, synchronous: request.synchronous })
    return { id, rows: checkpoints.all({ sql: 'pragma wal_checkpoint(passive)', params: [] }) }
  } catch (error) {
    const { code, message } = storeError(error, 'on the reader thread')
    return { id, error: { code, message } }
  }
}
