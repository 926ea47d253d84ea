/** The frame around every page: rail, bars that say what is wrong, the page, palette and toasts. */
import { Outlet, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Palette } from '../palette/palette.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { useWords } from '../words/words.ts'
import { DebugBar } from './debug-bar.tsx'
import { LiveBar } from './live-mark.tsx'
import { Rail } from './rail.tsx'
import { SignedOutBar } from './signed-out-bar.tsx'

export function Shell(): ReactNode {
  const words = useWords()
  const router = useRouter()
  const [searching, setSearching] = useState(false)

  useEffect(() => {
    const keys = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setSearching((open) => !open)
    }
    window.addEventListener('keydown', keys)
    return () => window.removeEventListener('keydown', keys)
  }, [])

  return (
    <>
      <a
        href="#page"
        className="absolute -top-12 left-2 z-10 rounded-md border border-line bg-raised px-3 py-2 text-accent focus:top-2"
      >
        {words.shell.skip}
      </a>
      <div className="grid h-dvh grid-cols-[var(--rail)_minmax(0,1fr)] grid-rows-[minmax(0,1fr)] max-wide:flex max-wide:flex-col">
        <Rail onSearch={() => setSearching(true)} onGo={(path) => void router.navigate({ to: path })} />
        <main id="page" tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
          <SignedOutBar />
          <LiveBar />
          <DebugBar />
          <Outlet />
        </main>
      </div>
      {searching && <Palette onClose={() => setSearching(false)} />}
      <Toasts />
    </>
  )
}
