/** A run in one file: record, grant and every entry, which is what a report of a fault needs. */
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { notify } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { everyEntry } from './use-timeline.ts'

export interface Download {
  /** It is being gathered. */
  readonly busy: boolean
  /** Gathers it and gives it to the browser; a failure is told as a notification. */
  readonly save: () => void
}

export function useDownload(runId: string): Download {
  const words = useWords()
  const [busy, setBusy] = useState(false)
  const save = (): void => {
    setBusy(true)
    download(runId)
      .catch((error: unknown) =>
        notify({ tone: 'danger', text: error instanceof Error ? error.message : words.failures.unreachable }),
      )
      .finally(() => setBusy(false))
  }
  return { busy, save }
}

async function download(runId: string): Promise<void> {
  const params = { run_id: runId }
  const [run, grant, { entries }] = await Promise.all([
    client.getRun({ params }),
    client.runGrant({ params }),
    everyEntry(runId),
  ])
  const text = JSON.stringify({ run, grant: grant.lines, timeline: entries }, null, 2)
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `run-${runId}.json`
  link.click()
  URL.revokeObjectURL(url)
}
