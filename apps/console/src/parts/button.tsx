/** Buttons: one primary step per view, plain ones beside it, quiet ones in bars, danger for what can't be undone. */
import type { LucideIcon } from 'lucide-react'
import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './class-names.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly kind?: ButtonKind
  readonly size?: 'small' | 'normal'
  readonly icon?: LucideIcon
  /** Shows that the step is under way, and takes no second click. */
  readonly busy?: boolean
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

const KINDS: Readonly<Record<ButtonKind, string>> = {
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover',
  plain: 'border-line bg-ground text-ink enabled:hover:bg-ground-hover aria-expanded:bg-ground-hover',
  quiet:
    'border-transparent text-ink-soft enabled:hover:bg-ground-hover enabled:hover:text-ink aria-expanded:bg-ground-hover',
  danger: 'border-transparent bg-danger-strong text-on-danger enabled:hover:opacity-90',
}

/** The classes of a button, for links that look like one. */
export function buttonClass(kind: ButtonKind = 'plain', size: 'small' | 'normal' = 'normal'): string {
  return cx(
    'quick inline-flex flex-none items-center justify-center gap-2 whitespace-nowrap rounded-md border font-medium no-underline disabled:opacity-55',
    size === 'small' ? 'h-7 px-2 text-sm' : 'h-8 px-3',
    KINDS[kind],
  )
}

export function Button({ kind, size, icon: Icon, busy = false, className, children, ...rest }: ButtonProps): ReactNode {
  const Shown = busy ? LoaderCircle : Icon
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled === true || busy}
      className={cx(buttonClass(kind, size), className)}
    >
      {Shown !== undefined && <Shown className={cx('icon', busy && 'animate-spin')} aria-hidden />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'size'> {
  readonly icon: LucideIcon
  /** What it does: read aloud, and shown on hover. */
  readonly label: string
}

/** A square button that is only an icon. */
export function IconButton({
  icon: Icon,
  label,
  kind = 'quiet',
  busy = false,
  className,
  ...rest
}: IconButtonProps): ReactNode {
  const Shown = busy ? LoaderCircle : Icon
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      disabled={rest.disabled === true || busy}
      className={cx(buttonClass(kind), '!w-8 !px-0 max-wide:!h-10 max-wide:!w-10', className)}
    >
      <Shown className={cx('icon', busy && 'animate-spin')} aria-hidden />
    </button>
  )
}
