/** What is wrong with a plugin, in the host's sentence, with the step that helps beside it. */
import { CircleAlert, Hourglass, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useStep } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { ApproveDialog } from './approve-dialog.tsx'
import { type Installation, isBare, type PluginStatus, sentence } from './state.tsx'
import { usePageWords } from './words/words.ts'

export interface NoticeProps {
  readonly installation: Installation
  readonly status: PluginStatus
}

const GROUNDS = {
  danger: 'bg-danger-soft text-danger',
  warn: 'bg-warn-soft text-warn',
  neutral: 'bg-ground-soft text-ink-soft',
} as const

export function Notice({ installation, status }: NoticeProps): ReactNode {
  const words = usePageWords()
  const [approving, setApproving] = useState(false)
  const enable = useStep('enablePlugin', { done: words.enabled, refreshes: ['listPlugins', 'getPlugin'] })
  const waits = status.state === 'not_approved'
  // A plugin that may not run bare fails with a sentence about it: the approval is where that is accepted.
  const needsWall = status.state === 'failed' && isBare(status) && installation.isolation === 'required'
  const off = status.state === 'disabled'
  if (status.message === null && !off) return null
  const tone = status.state === 'failed' ? 'danger' : off ? 'neutral' : 'warn'
  const Icon = waits ? ShieldCheck : status.state === 'backing_off' ? Hourglass : CircleAlert
  return (
    <div
      role="status"
      className={cx('flex flex-none flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 max-wide:px-3', GROUNDS[tone])}
    >
      <Icon className="icon" aria-hidden />
      <p className="min-w-0 flex-1 basis-60 break-words">
        {status.message === null ? words.disableAbout : sentence(status.message)}
      </p>
      {(waits || needsWall) && (
        <Button kind="primary" size="small" onClick={() => setApproving(true)}>
          {words.review}
        </Button>
      )}
      {off && (
        <Button
          size="small"
          busy={enable.isPending}
          onClick={() => enable.mutate({ params: { installation_uuid: installation.installation_uuid } })}
        >
          {words.enable}
        </Button>
      )}
      {approving && <ApproveDialog installation={installation} status={status} onClose={() => setApproving(false)} />}
    </div>
  )
}
