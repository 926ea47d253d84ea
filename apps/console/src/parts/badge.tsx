/** A state in one or two words, in the colour of its news; the word carries the meaning, the colour only helps. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'danger' | 'info'

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-ground-hover text-ink-soft',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
  info: 'bg-info-soft text-info',
}

const DOTS: Readonly<Record<Tone, string>> = {
  neutral: 'bg-line-strong',
  accent: 'bg-accent',
  ok: 'bg-ok',
  warn: 'bg-warn',
  danger: 'bg-danger',
  info: 'bg-info',
}

export interface BadgeProps {
  readonly tone?: Tone
  readonly icon?: LucideIcon
  /** Shown on hover. */
  readonly title?: string
  readonly children: ReactNode
}

export function Badge({ tone = 'neutral', icon: Icon, title, children }: BadgeProps): ReactNode {
  return (
    <span
      title={title}
      className={cx(
        'inline-flex h-5 max-w-full flex-none items-center gap-1 truncate rounded-sm px-1.5 font-medium text-xs',
        TONES[tone],
      )}
    >
      {Icon !== undefined && <Icon className="size-3 flex-none" aria-hidden />}
      {children}
    </span>
  )
}

/** A small round mark beside a word. */
export function Dot({
  tone = 'neutral',
  pulse = false,
}: {
  readonly tone?: Tone
  readonly pulse?: boolean
}): ReactNode {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-block size-2 flex-none rounded-full',
        DOTS[tone],
        pulse && 'animate-[breathe_1.6s_infinite]',
      )}
    />
  )
}
