/** Makes a key for debug connections: shown once, never kept by this page. */
import { type ReactNode, useState } from 'react'
import { client, type Output } from '../../data/client.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/states.tsx'
import { exactTime, relativeTime, useNow } from '../../parts/time-ago.tsx'
import { useWords } from '../../words/words.ts'
import { usePageWords } from './words/words.ts'

export function DebugKeyDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  // Not by useStep: what that answers stays in a cache, and a key must not.
  const [made, setMade] = useState<Output<'debugKey'> | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)

  async function make(): Promise<void> {
    setBusy(true)
    setFailure(null)
    try {
      setMade(await client.debugKey())
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={words.debugKeyTitle}
      onClose={onClose}
      footer={
        made === null ? (
          <>
            <Button onClick={onClose}>{shell.parts.cancel}</Button>
            <Button kind="primary" busy={busy} onClick={() => void make()}>
              {words.debugKeyMake}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{shell.parts.close}</Button>
        )
      }
    >
      {made === null ? (
        <p className="text-ink-soft">{words.debugKeyAbout}</p>
      ) : (
        <>
          <p role="status" className="mb-4 rounded-md bg-warn-soft p-3 text-warn">
            {words.debugKeyOnce}
          </p>
          <dl className="flex flex-col gap-3">
            <Shown label={words.key} text={made.key} />
            <Shown label={words.address} text={made.url} />
            <div>
              <dt className="text-ink-soft text-sm">{words.debugKeyEnds}</dt>
              <dd>
                <Ends at={made.expires_at} />
              </dd>
            </div>
          </dl>
        </>
      )}
      {failure !== null && <Failure error={failure} onRetry={() => void make()} />}
    </Dialog>
  )
}

function Shown({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  return (
    <div>
      <dt className="text-ink-soft text-sm">{label}</dt>
      <dd className="flex items-center gap-1 rounded-md border border-line bg-ground-soft py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 break-all">{text}</code>
        <CopyButton text={text} label={label} />
      </dd>
    </div>
  )
}

function Ends({ at }: { readonly at: number }): ReactNode {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  )
}
