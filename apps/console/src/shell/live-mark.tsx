/** Whether what is shown is live: a small mark in the rail, and a bar over the page when the connection is cut. */
import { type ReactNode, useEffect, useState } from 'react'
import { reconnect, useLiveState } from '../data/live.ts'
import { Dot } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { useWords } from '../words/words.ts'

export function LiveMark(): ReactNode {
  const words = useWords()
  const state = useLiveState()
  const text = { live: words.live.on, connecting: words.live.connecting, cut: words.live.off }[state.is]
  return (
    <span
      data-live={state.is}
      title={state.is === 'live' ? words.live.about : undefined}
      className="flex items-center gap-1.5 text-ink-soft text-xs"
    >
      <Dot tone={{ live: 'ok', connecting: 'neutral', cut: 'danger' }[state.is] as 'ok' | 'neutral' | 'danger'} />
      {text}
    </span>
  )
}

/** Only after a while: a host that restarts is back before anyone has read it. */
const PATIENCE_MS = 1_500

export function LiveBar(): ReactNode {
  const words = useWords()
  const state = useLiveState()
  const [shown, setShown] = useState(false)
  const [now, setNow] = useState(() => Date.now())
  const isCut = state.is === 'cut'

  useEffect(() => {
    if (!isCut) {
      setShown(false)
      return
    }
    const late = setTimeout(() => setShown(true), PATIENCE_MS)
    const tick = setInterval(() => setNow(Date.now()), 1_000)
    return () => {
      clearTimeout(late)
      clearInterval(tick)
    }
  }, [isCut])

  if (!shown || state.is !== 'cut') return null
  return (
    <div role="status" className="flex flex-none items-center gap-3 bg-warn-soft px-4 py-2 text-warn">
      <span className="min-w-0 flex-1">
        {words.live.offAbout(Math.max(0, Math.ceil((state.retry_at - now) / 1_000)))}
      </span>
      <Button size="small" onClick={reconnect}>
        {words.live.retry}
      </Button>
    </div>
  )
}
