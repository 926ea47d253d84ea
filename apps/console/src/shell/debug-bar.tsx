/** A bar over the page while code can come in that nobody approved: living debug keys, development sessions. */
import type { ReactNode } from 'react'
import { useRead } from '../data/queries.ts'
import { useWords } from '../words/words.ts'

/** A key ends by time alone, which no live change tells. */
const LOOK_MS = 60_000

export function DebugBar(): ReactNode {
  const words = useWords()
  const debug = useRead('status', {}, { refetchInterval: LOOK_MS }).data?.debug
  if (debug === undefined || debug.keys + debug.dev_sessions === 0) return null
  return (
    <div role="status" data-debug className="flex-none bg-warn-soft px-4 py-2 text-warn">
      {words.shell.debug(debug.keys, debug.dev_sessions)}
    </div>
  )
}
