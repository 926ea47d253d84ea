/** What an operator can do about an answer whose arrival is not known: send it again or give it up. Each asks once. */
import { RotateCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useStep } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { type Entry, openDelivery } from './entries.ts'
import { usePageWords } from './words/words.ts'

export interface DeliveryStepsProps {
  readonly entry: Entry
  /** Who would read it. */
  readonly to: string
  readonly onDone: () => void
}

const SHOWN = 60

export function DeliverySteps({ entry, to, onDone }: DeliveryStepsProps): ReactNode {
  const words = usePageWords()
  const [asks, setAsks] = useState<'resend' | 'discard' | null>(null)
  const close = (): void => setAsks(null)
  const resend = useStep('resend', { done: words.delivery.resent, onDone })
  const discard = useStep('discard', { done: words.delivery.discarded, onDone })
  const open = openDelivery(entry)
  if (open === null) return null
  const input = { params: { delivery_id: open.id } }
  const name = entry.title.length > SHOWN ? `${entry.title.slice(0, SHOWN)}…` : entry.title
  return (
    <>
      <span className="flex flex-none gap-2">
        <Button size="small" icon={RotateCw} className="max-wide:!h-9" onClick={() => setAsks('resend')}>
          {words.delivery.resend}
        </Button>
        {open.can === 'both' && (
          <Button size="small" kind="quiet" icon={Trash2} className="max-wide:!h-9" onClick={() => setAsks('discard')}>
            {words.delivery.discard}
          </Button>
        )}
      </span>
      {asks === 'resend' && (
        <Confirm
          title={words.delivery.resendTitle(name)}
          verb={words.delivery.resend}
          danger={false}
          busy={resend.isPending}
          onConfirm={() => resend.mutate(input, { onSettled: close })}
          onClose={close}
        >
          {entry.type === 'unknown' ? words.delivery.resendAbout(to) : words.delivery.resendPlain(to)}
        </Confirm>
      )}
      {asks === 'discard' && (
        <Confirm
          title={words.delivery.discardTitle(name)}
          verb={words.delivery.discard}
          busy={discard.isPending}
          onConfirm={() => discard.mutate(input, { onSettled: close })}
          onClose={close}
        >
          {words.delivery.discardAbout(to)}
        </Confirm>
      )}
    </>
  )
}
