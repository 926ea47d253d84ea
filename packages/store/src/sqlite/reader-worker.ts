/** The reader thread: a read-only connection that answers one query after another. */
import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { storeError } from './engine-error.ts'
import type { ReaderAnswer, ReaderRequest } from './reader.ts'

/** More rows than this would fill the memory of host and thread: exports read in pages. */
const ROWS_MAX = 100_000

const port = parentPort
if (port === null) throw new Error('reader-worker.ts runs as a worker thread of the store')
const connection = new Connection({ file: String(workerData), readOnly: true })

port.on('message', ({ id, sql, params }: ReaderRequest) => {
  port.postMessage(answer(id, () => connection.allUpTo({ sql, params }, ROWS_MAX)))
})

function answer(id: number, read: () => ReaderAnswer['rows']): ReaderAnswer {
  try {
    return { id, rows: read() }
  } catch (error) {
    const { code, message } = storeError(error, 'reading')
    return { id, error: { code, message } }
  }
}
