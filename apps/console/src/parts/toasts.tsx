/**
 * Short news below the page's head, at the right, because forms and dialogs have their buttons at the bottom. Failures stay
 * until they are read, the rest goes by itself. Input is never lost by a toast.
 */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useWords } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { cx } from './class-names.ts'

export interface Toast {
  readonly id: number
  readonly tone: 'ok' | 'danger'
  readonly text: string
  /** The host's reason code. */
  readonly code?: string
}

const GONE_MS = 4_000
const MOST = 4

let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

/** Shows news; a failure stays until it is dismissed. */
export function notify(toast: Omit<Toast, 'id'>): void {
  const id = ++last
  const others = toasts.filter((one) => one.text !== toast.text)
  change([...others, { ...toast, id }].slice(-MOST))
  if (toast.tone === 'ok') setTimeout(() => dismiss(id), GONE_MS)
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts(): ReactNode {
  const words = useWords()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const ref = useRef<HTMLElement>(null)

  // Over an open dialog too: what is shown last stands on top.
  useLayoutEffect(() => {
    const own = ref.current
    if (own === null) return
    if (own.matches(':popover-open')) own.hidePopover()
    if (shown.length > 0) own.showPopover()
  }, [shown])

  return (
    <section
      ref={ref}
      popover="manual"
      aria-label={words.failures.notifications}
      aria-live="polite"
      className="pointer-events-none fixed inset-auto top-[calc(var(--head)+12px)] right-4 m-0 w-[min(400px,calc(100vw-32px))] flex-col gap-2 overflow-visible border-0 bg-transparent p-0 text-ink open:flex"
    >
      {shown.map(({ id, tone, text, code }) => (
        <div
          key={id}
          role={tone === 'danger' ? 'alert' : 'status'}
          className="appear pointer-events-auto flex items-start gap-2 rounded-lg border border-line bg-raised p-2 pl-3 shadow-raised"
        >
          {tone === 'danger' ? (
            <CircleAlert className="icon mt-2 text-danger" aria-hidden />
          ) : (
            <CircleCheck className="icon mt-2 text-ok" aria-hidden />
          )}
          <p className="min-w-0 flex-1 break-words py-1.5">
            {text} {code !== undefined && <code className={cx('text-ink-soft')}>{code}</code>}
          </p>
          <IconButton icon={X} label={words.failures.dismiss} onClick={() => dismiss(id)} />
        </div>
      ))}
    </section>
  )
}
