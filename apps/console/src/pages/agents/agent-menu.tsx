/** What can be done to an agent or plugin processor as a whole. */
import { useNavigate } from '@tanstack/react-router'
import { EllipsisVertical, Trash2, Zap } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useStep } from '../../data/queries.ts'
import { IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Menu } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { usePageWords } from './words/words.ts'

export function AgentMenu({ one }: { readonly one: Output<'getProcessor'> }): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const { processor_id, name, uses } = one
  const remove = useStep('removeProcessor', {
    refreshes: ['listProcessors', 'getRoutes'],
    done: words.removed(name),
    onDone: () => void navigate({ to: '/agents', ignoreBlocker: true }),
  })
  return (
    <>
      <Menu
        label={shell.parts.more}
        groups={[
          [
            {
              id: 'runs',
              label: words.itsRuns,
              icon: Zap,
              run: () => void navigate({ to: '/runs', search: { processor: processor_id } }),
            },
          ],
          [{ id: 'remove', label: words.remove, icon: Trash2, danger: true, run: () => setAsks(true) }],
        ]}
      >
        {(trigger) => <IconButton {...trigger} icon={EllipsisVertical} label={shell.parts.more} />}
      </Menu>
      {asks && (
        <Confirm
          title={words.removeTitle(name)}
          verb={words.remove}
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ params: { processor_id } }, { onSettled: () => setAsks(false) })}
          onClose={() => setAsks(false)}
        >
          {uses.length === 0 ? words.removeAbout : words.removeUsed(uses.length)}
        </Confirm>
      )}
    </>
  )
}
