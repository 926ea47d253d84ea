/** Starts the console: language, live channel, router. */
import './look/look.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { keepFresh } from './data/freshness.ts'
import { runLive } from './data/live.ts'
import { queryClient } from './data/queries.ts'
import { router } from './shell/router.ts'
import { language } from './words/languages.ts'

const RELOAD_PAUSE_MS = 30_000

document.documentElement.lang = language()
keepFresh()
void runLive(new AbortController().signal)

// A page of an older build asks for a chunk that is gone: the new build has it under another name. Tried once, not for ever.
window.addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('runbound-reloaded') ?? 0)
  if (Date.now() - last < RELOAD_PAUSE_MS) return
  sessionStorage.setItem('runbound-reloaded', String(Date.now()))
  event.preventDefault()
  location.reload()
})

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
