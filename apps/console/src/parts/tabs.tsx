/** Tabs over one object; which one is open stands in the address, so the page gives and takes it. */
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { cx } from './class-names.ts'

export interface Tab<V extends string> {
  readonly value: V
  readonly label: string
  /** A number or mark behind the label. */
  readonly mark?: ReactNode
}

export interface TabsProps<V extends string> {
  readonly label: string
  readonly tabs: readonly Tab<V>[]
  readonly value: V
  readonly onValue: (value: V) => void
  /** The content of the open tab. */
  readonly children: ReactNode
}

export function Tabs<V extends string>({ label, tabs, value, onValue, children }: TabsProps<V>): ReactNode {
  const id = useId()

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const at = tabs.findIndex((tab) => tab.value === value)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = tabs[(to + tabs.length) % tabs.length]
    if (next === undefined) return
    onValue(next.value)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.value)}"]`)?.focus()
  }

  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="flex flex-none gap-4 overflow-x-auto border-line border-b px-4 [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            data-tab={tab.value}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onValue(tab.value)}
            className={cx(
              'quick -mb-px flex h-10 flex-none items-center gap-1.5 border-b-2 px-0.5 font-medium focus-visible:outline-offset-[-2px]',
              tab.value === value ? 'border-accent text-ink' : 'border-transparent text-ink-soft hover:text-ink',
            )}
          >
            {tab.label}
            {tab.mark}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        className="flex min-h-0 min-w-0 flex-1 flex-col"
      >
        {children}
      </div>
    </>
  )
}
