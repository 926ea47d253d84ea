/** Copies a text and says that it did. */
import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useWords } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { cx } from './class-names.ts'

const SHOWN_MS = 1_500

export interface CopyButtonProps {
  /** The text, or what makes it when it is wanted. */
  readonly text: string | (() => string)
  /** What is copied, when it is not plain from the place. */
  readonly label?: string
  readonly className?: string
}

export function CopyButton({ text, label, className }: CopyButtonProps): ReactNode {
  const words = useWords()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <>
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? words.parts.copied : (label ?? words.parts.copy)}
        className={cx(className, copied && '!text-ok')}
        onClick={() => {
          navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }}
      />
      <span role="status" className="sr-only">
        {copied ? words.parts.copied : ''}
      </span>
    </>
  )
}

/** An id: short to the eye, whole on hover. Thirteen characters tell ids apart that begin with the time. */
export function ShortId({ id, length = 13 }: { readonly id: string; readonly length?: number }): ReactNode {
  return (
    <code title={id} className="text-ink-soft">
      {id.length > length ? id.slice(0, length) : id}
    </code>
  )
}
