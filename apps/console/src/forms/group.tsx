/** A field that has several controls: label, help and fault around them, as one group to screen readers. */
import { type ReactNode, useId } from 'react'

export interface GroupProps {
  readonly label: string
  readonly help?: ReactNode
  readonly error?: string | null
  readonly required?: boolean
  /** At the right end of the label. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Group({ label, help, error, required = false, actions, children }: GroupProps): ReactNode {
  const id = useId()
  const wrong = error !== undefined && error !== null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as the other fields are
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={wrong ? `${id}-error` : undefined}
      className="flex min-w-0 flex-col gap-1"
    >
      <div className="flex items-center gap-2">
        <span id={`${id}-label`} className="min-w-0 flex-1 font-medium">
          {label}
          {required && (
            <span aria-hidden className="text-danger">
              {' '}
              *
            </span>
          )}
        </span>
        {actions}
      </div>
      {children}
      {wrong && (
        // A group has no field of its own that could be invalid: the sentence takes the focus after a failed save.
        <p id={`${id}-error`} tabIndex={-1} data-fault className="text-danger text-xs outline-none">
          {error}
        </p>
      )}
      {help !== undefined && help !== null && <p className="text-ink-soft text-xs">{help}</p>}
    </div>
  )
}
