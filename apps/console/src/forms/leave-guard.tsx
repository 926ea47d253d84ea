/** Asks once before unsaved changes are lost: on links, on going back, and when the tab is closed. */
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Confirm } from '../parts/dialog.tsx'
import { useFormWords } from './words/words.ts'

/** Within the same page (tabs, panes) nothing is lost, so nothing is asked. */
export function LeaveGuard({ dirty }: { readonly dirty: boolean }): ReactNode {
  const words = useFormWords()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Confirm title={words.leave.title} verb={words.leave.leave} onConfirm={blocker.proceed} onClose={blocker.reset}>
      {words.leave.about}
    </Confirm>
  )
}
