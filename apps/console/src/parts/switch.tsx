/** A switch: takes effect at once, says what it switches, and shows when the host has not confirmed it yet. */
import { type ReactNode, useId } from 'react'
import { cx } from './class-names.ts'

export interface SwitchProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly label: string
  readonly help?: ReactNode
  /** Only the switch is seen; the label is still read aloud. */
  readonly bare?: boolean
  readonly disabled?: boolean
  readonly busy?: boolean
}

export function Switch({
  checked,
  onChange,
  label,
  help,
  bare = false,
  disabled = false,
  busy = false,
}: SwitchProps): ReactNode {
  const id = useId()
  const control = (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={bare ? label : undefined}
      aria-labelledby={bare ? undefined : `${id}-label`}
      aria-describedby={help === undefined ? undefined : `${id}-help`}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      onClick={() => onChange(!checked)}
      className={cx(
        'quick relative h-5 w-9 flex-none rounded-full border disabled:opacity-55',
        checked ? 'border-transparent bg-accent' : 'border-line-strong bg-ground-hover',
      )}
    >
      <span
        aria-hidden
        className={cx(
          'absolute top-1/2 size-3.5 -translate-y-1/2 rounded-full transition-[left] duration-[var(--quick)]',
          checked ? 'left-[18px] bg-on-accent' : 'left-[2px] bg-ink-soft',
        )}
      />
    </button>
  )
  if (bare) return control
  return (
    <div className="flex items-start gap-3">
      {control}
      <div className="min-w-0 flex-1">
        <label id={`${id}-label`} htmlFor={id} className="font-medium">
          {label}
        </label>
        {help !== undefined && (
          <p id={`${id}-help`} className="text-ink-soft text-xs">
            {help}
          </p>
        )}
      </div>
    </div>
  )
}
