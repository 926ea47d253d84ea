/** Why a run did not complete, before one looks for the place. On a phone three lines of it, and the rest when asked for. */
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../../parts/class-names.ts'
import { useWords } from '../../words/words.ts'

export interface EndingProps {
  /** The host's sentence; null: it completed, and nothing is shown. */
  readonly reason: string | null
  readonly code: string | null
}

export function Ending({ reason, code }: EndingProps): ReactNode {
  const shell = useWords()
  const text = useRef<HTMLSpanElement>(null)
  const [cut, setCut] = useState(false)
  const [whole, setWhole] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sentence is measured anew
  useLayoutEffect(() => {
    const own = text.current
    setCut(own !== null && own.scrollHeight > own.clientHeight + 1)
  }, [reason, code])
  if (reason === null) return null
  return (
    <div className="flex flex-none items-start gap-2 bg-danger-soft px-4 py-2 max-wide:px-3">
      <CircleAlert className="icon mt-0.5 text-danger" aria-hidden />
      <div className="min-w-0">
        <span ref={text} className={cx('block break-words', !whole && 'max-wide:line-clamp-3')}>
          {reason} {code !== null && <code className="text-danger">{code}</code>}
        </span>
        {cut && !whole && (
          <button
            type="button"
            aria-expanded={false}
            onClick={() => setWhole(true)}
            className="min-h-8 font-medium underline wide:hidden"
          >
            {shell.parts.more}
          </button>
        )}
      </div>
    </div>
  )
}
