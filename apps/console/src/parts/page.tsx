/** The frame of a page: a header that stays, a body that scrolls, sections inside it. */
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useWords } from '../words/words.ts'
import { buttonClass } from './button.tsx'
import { cx } from './class-names.ts'

export interface PageHeaderProps {
  readonly title: string
  /** Beside the title: a badge, an id. */
  readonly about?: ReactNode
  /** At the right end: buttons. */
  readonly actions?: ReactNode
  /** Where the arrow before the title leads, such as `/runs`. */
  readonly back?: string
}

/** Also names the browser's tab. */
export function PageHeader({ title, about, actions, back }: PageHeaderProps): ReactNode {
  const words = useWords()
  useEffect(() => {
    document.title = `${title} · ${words.product}`
  }, [title, words])
  return (
    <header className="flex min-h-[var(--head)] flex-none items-center gap-2 border-line border-b px-4 py-1.5 max-wide:px-3">
      {back !== undefined && (
        <Link
          to={back}
          aria-label={words.parts.back}
          title={words.parts.back}
          className={cx(buttonClass('quiet'), '-ml-2 !w-8 !px-0')}
        >
          <ArrowLeft className="icon" aria-hidden />
        </Link>
      )}
      <h1 className="min-w-0 truncate font-semibold text-[15px]">{title}</h1>
      {about !== undefined && (
        <div className="flex min-w-0 items-center gap-2 overflow-hidden text-ink-soft">{about}</div>
      )}
      <div className="ml-auto flex flex-none items-center gap-2">{actions}</div>
    </header>
  )
}

/** Scrolls; `measure` keeps lines of forms and text readable. `text`: nothing in it takes the focus, so it does itself. */
export function PageBody({
  measure = false,
  text = false,
  children,
}: {
  readonly measure?: boolean
  readonly text?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <div
      {...(text ? { tabIndex: 0, role: 'region' } : {})}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:outline-offset-[-2px]"
    >
      <div className={cx('px-4 py-4 max-wide:px-3', measure && 'mx-auto w-full max-w-[760px] py-6')}>{children}</div>
    </div>
  )
}

export interface SectionProps {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A titled block of a page. */
export function Section({ title, about, actions, children }: SectionProps): ReactNode {
  return (
    <section className="mb-8 last:mb-0" aria-label={title}>
      <div className="mb-3 flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">{title}</h2>
          {about !== undefined && <p className="text-ink-soft text-sm">{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** A bordered box for rows or a form. */
export function Card({
  className,
  children,
}: {
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  return <div className={cx('rounded-lg border border-line bg-ground', className)}>{children}</div>
}
