/** `runbound runs follow`: ledger entries as they are written, of one run or of all. */
import { isTerminalRunStatus } from '@runbound/protocol'
import { at, list } from '../dev/runners.ts'
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import { stopSignal } from '../terminal/stop-signal.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { entryText } from './entry-text.ts'
import { findRun } from './find-run.ts'

/** Prints until Ctrl-C, or until the named run has ended. CliError `failed` when the host goes. */
export async function followRuns(
  terminal: Terminal,
  options: HostChoice,
  beginning: string | undefined,
): Promise<void> {
  const { client } = findHost(options)
  const runId = beginning === undefined ? undefined : await findRun(client, beginning)
  const end = stopSignal()
  const stop = new AbortController()
  end.addEventListener('abort', () => stop.abort(), { once: true })
  let printed = 0
  const print = (entry: unknown, run: string): void => {
    if (!isEntry(entry) || (runId !== undefined && entry.sequence <= printed)) return
    if (runId !== undefined) printed = entry.sequence
    terminal.event(entry, () => `${runId === undefined ? `${paint('cyan', run)} ` : ''}${entryText(entry)}`)
  }
  /** What was written before; entries that come twice are told by their sequence. */
  const catchUp = async (): Promise<void> => {
    if (runId === undefined) return
    const params = { run_id: runId }
    const page = await client.runEvents({ params, query: { limit: 100 } })
    for (const entry of page.items) print(entry, runId)
    if (isTerminalRunStatus((await client.getRun({ params })).status)) stop.abort()
  }
  const opened = Promise.withResolvers<void>()
  const early: (() => void)[] = []
  let take = (work: () => void): void => void early.push(work)
  const live = (async () => {
    for await (const change of client.live(stop.signal, opened.resolve)) {
      if (change.run_id == null || (runId !== undefined && change.run_id !== runId)) continue
      const { run_id } = change
      if (change.kind === 'ledger') {
        const entries = list(change.data)
        take(() => {
          for (const entry of entries) print(entry, run_id)
        })
      }
      if (change.kind === 'run' && runId !== undefined) take(() => stop.abort())
    }
    if (!stop.signal.aborted) throw new CliError('failed', 'The host has stopped.')
  })()
  await Promise.race([opened.promise, live])
  await catchUp()
  for (const work of early) work()
  take = (work) => work()
  await live
}

interface Entry {
  readonly sequence: number
  readonly type: string
}

function isEntry(value: unknown): value is Entry {
  return typeof at(value, 'sequence') === 'number' && typeof at(value, 'type') === 'string'
}
