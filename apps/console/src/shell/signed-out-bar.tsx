/** The session has ended while the page was open: says so and keeps what is written. Signing in happens in another tab. */
import { type ReactNode, useEffect } from 'react'
import { client } from '../data/client.ts'
import { reconnect } from '../data/live.ts'
import { queryClient } from '../data/queries.ts'
import { setSessionEnded, useSessionEnded } from '../data/session.ts'
import { buttonClass } from '../parts/button.tsx'
import { useWords } from '../words/words.ts'

export function SignedOutBar(): ReactNode {
  const words = useWords()
  const ended = useSessionEnded()

  useEffect(() => {
    if (!ended) return
    // Back from the tab in which the person signed in: go on where they were.
    const look = (): void => {
      client.status().then(
        () => {
          setSessionEnded(false)
          reconnect()
          void queryClient.invalidateQueries()
        },
        () => undefined,
      )
    }
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [ended])

  if (!ended) return null
  return (
    <div role="alert" className="flex flex-none items-center gap-3 bg-danger-soft px-4 py-2 text-danger">
      <span className="min-w-0 flex-1">{words.failures.signedOut}</span>
      <a href="/console/" target="_blank" rel="noreferrer" className={buttonClass('plain', 'small')}>
        {words.failures.signIn}
      </a>
    </div>
  )
}
