/**
 * The session has ended while the page was open: says so and keeps what is written. One signs in again right here by
 * password, or in another tab by a link, and goes on where one was.
 */
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { client } from '../data/client.ts'
import { reconnect } from '../data/live.ts'
import { queryClient, useStep } from '../data/queries.ts'
import { setSessionEnded, useSessionEnded } from '../data/session.ts'
import { Button, buttonClass } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, TextInput } from '../parts/field.tsx'
import { useWords } from '../words/words.ts'

function goOn(): void {
  setSessionEnded(false)
  reconnect()
  void queryClient.invalidateQueries()
}

export function SignedOutBar(): ReactNode {
  const words = useWords()
  const ended = useSessionEnded()
  const [asking, setAsking] = useState(false)

  useEffect(() => {
    if (!ended) return
    // Back from the tab in which the person signed in: go on where they were.
    const look = (): void => {
      client.me().then(goOn, () => undefined)
    }
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [ended])

  if (!ended) return null
  return (
    <div role="alert" className="flex flex-none items-center gap-3 bg-danger-soft px-4 py-2 text-danger">
      <span className="min-w-0 flex-1">{words.failures.signedOut}</span>
      <Button size="small" onClick={() => setAsking(true)}>
        {words.failures.signIn}
      </Button>
      {asking && <SignInAgain onClose={() => setAsking(false)} />}
    </div>
  )
}

function SignInAgain({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = useWords()
  const form = useId()
  const [password, setPassword] = useState('')
  const signIn = useStep('signIn', { quiet: true, onDone: goOn })
  function submit(event: FormEvent): void {
    event.preventDefault()
    signIn.mutate({ body: { password } })
  }
  return (
    <Dialog
      title={words.failures.signIn}
      onClose={onClose}
      footer={
        <>
          <a href="/" target="_blank" rel="noreferrer" className={buttonClass()}>
            {words.failures.otherTab}
          </a>
          <Button type="submit" form={form} kind="primary" busy={signIn.isPending} disabled={password === ''}>
            {words.failures.signIn}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field label={words.failures.password} error={signIn.error?.message}>
          {(control) => (
            <TextInput
              {...control}
              type="password"
              autoComplete="current-password"
              autoFocus
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
