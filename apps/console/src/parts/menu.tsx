/** A menu under a button, on the browser's own popover: closes by Escape, by a click elsewhere, and gives the focus back. */
import type { LucideIcon } from 'lucide-react'
import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { cx } from './class-names.ts'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: LucideIcon
  readonly danger?: boolean
  readonly disabled?: boolean
  /** A choice among others: set for every item of its group. */
  readonly checked?: boolean
  readonly run: () => void
}

export interface MenuProps {
  readonly label: string
  /** Groups, with a line between them. */
  readonly groups: readonly (readonly MenuItem[])[]
  /** Spread over the button that opens it. */
  readonly children: (trigger: {
    readonly popoverTarget: string
    readonly 'aria-haspopup': 'menu'
    readonly 'aria-expanded': boolean
    readonly style: { readonly anchorName: string }
  }) => ReactNode
  readonly align?: 'start' | 'end'
  readonly side?: 'below' | 'above'
}

export function Menu({ label, groups, children, align = 'end', side = 'below' }: MenuProps): ReactNode {
  const id = `menu${useId().replace(/[^\w-]/g, '')}`
  const ref = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const anchor = `--${id}`

  function move(event: KeyboardEvent): void {
    const items = [...(ref.current?.querySelectorAll<HTMLButtonElement>('[role^=menuitem]:enabled') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLButtonElement)
    const to = { ArrowDown: at + 1, ArrowUp: at === -1 ? items.length - 1 : at - 1, Home: 0, End: items.length - 1 }[
      event.key
    ]
    if (to === undefined) return
    event.preventDefault()
    items[(to + items.length) % items.length]?.focus()
  }

  return (
    <>
      {children({ popoverTarget: id, 'aria-haspopup': 'menu', 'aria-expanded': open, style: { anchorName: anchor } })}
      <div
        ref={ref}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={move}
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          if (event.newState === 'open') ref.current?.querySelector<HTMLButtonElement>('button')?.focus()
        }}
        style={{
          positionAnchor: anchor,
          positionArea: `${side === 'below' ? 'bottom' : 'top'} ${align === 'end' ? 'span-left' : 'span-right'}`,
          positionTryFallbacks: 'flip-block, flip-inline',
        }}
        className="m-1 max-h-[70dvh] min-w-44 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ink shadow-raised"
      >
        {groups
          .filter((group) => group.length > 0)
          .map((group, index) => (
            <div key={group[0]?.id} className={cx(index > 0 && 'mt-1 border-line border-t pt-1')}>
              {group.map(({ id: key, label: text, icon: Icon, danger, disabled, checked, run }) => (
                <button
                  key={key}
                  type="button"
                  {...(checked === undefined
                    ? { role: 'menuitem' }
                    : { role: 'menuitemradio', 'aria-checked': checked })}
                  disabled={disabled}
                  tabIndex={-1}
                  onClick={() => {
                    ref.current?.hidePopover()
                    run()
                  }}
                  className={cx(
                    'flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left enabled:hover:bg-ground-hover focus-visible:bg-ground-hover focus-visible:outline-offset-[-2px] disabled:opacity-55 max-wide:min-h-10',
                    danger === true && 'text-danger',
                  )}
                >
                  {Icon !== undefined && <Icon className="icon" aria-hidden />}
                  <span className="min-w-0 flex-1 truncate">{text}</span>
                  {checked === true && <Check className="icon text-accent" aria-hidden />}
                </button>
              ))}
            </div>
          ))}
      </div>
    </>
  )
}
