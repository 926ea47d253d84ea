/** What stands where data will be, is not, or could not be had: skeletons, empty states, failures with a way on. */
import type { ApiError } from '@runbound/api'
import type { LucideIcon } from 'lucide-react'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'

/** Bars in the shape of a list, so that nothing jumps when it comes. */
export function SkeletonRows({
  rows = 6,
  tall = false,
}: {
  readonly rows?: number
  readonly tall?: boolean
}): ReactNode {
  const words = useWords()
  return (
    <div role="status" aria-label={words.parts.loading} className="flex flex-col">
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <div key={at} className={cx('flex items-center gap-3 border-line border-b px-4', tall ? 'h-14' : 'h-10')}>
          {tall && <div className="skeleton size-8 flex-none !rounded-full" />}
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <div className={cx('skeleton h-3', ['w-2/5', 'w-3/5', 'w-1/2'][at % 3])} />
            {tall && <div className={cx('skeleton h-2.5', ['w-3/4', 'w-1/2', 'w-2/3'][at % 3])} />}
          </div>
          <div className="skeleton h-3 w-12 flex-none" />
        </div>
      ))}
    </div>
  )
}

export interface EmptyProps {
  readonly icon: LucideIcon
  readonly title: string
  /** What to do next, in a sentence. */
  readonly children?: ReactNode
  /** The next step as a button or link. */
  readonly action?: ReactNode
}

/** Nothing is here yet: says what would be, and how to get it. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps): ReactNode {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 px-6 py-16 text-center">
      <Icon className="mb-2 size-6 text-ink-soft" strokeWidth={1.5} aria-hidden />
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-[44ch] text-ink-soft">{children}</div>}
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}

export interface FailureProps {
  readonly error: ApiError | Error
  readonly onRetry?: () => void
}

/** The host's own sentence, in the place of what it could not give. */
export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const words = useWords()
  return (
    <div role="alert" className="m-4 flex items-start gap-3 rounded-lg bg-danger-soft p-3">
      <CircleAlert className="icon mt-0.5 text-danger" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="break-words">{error.message}</p>
        {'code' in error && <code className="text-danger">{error.code}</code>}
      </div>
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          {words.failures.retry}
        </Button>
      )}
    </div>
  )
}
