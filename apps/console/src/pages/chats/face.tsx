/** A round mark with the first letter of a name; its colour belongs to the name. */
import type { ReactNode } from 'react'
import { cx } from '../../parts/class-names.ts'

const GROUNDS = [
  'bg-info-soft text-info',
  'bg-ok-soft text-ok',
  'bg-warn-soft text-warn',
  'bg-ground-hover text-ink',
] as const

export function Face({
  name,
  small = false,
  bot = false,
}: {
  readonly name: string
  readonly small?: boolean
  readonly bot?: boolean
}): ReactNode {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return (
    <span
      aria-hidden
      className={cx(
        'flex flex-none select-none items-center justify-center font-semibold uppercase',
        small ? 'size-7 text-xs' : 'size-9',
        bot ? 'rounded-lg bg-accent text-on-accent' : cx('rounded-full', GROUNDS[sum % GROUNDS.length]),
      )}
    >
      {[...name.trim()][0] ?? '?'}
    </span>
  )
}
