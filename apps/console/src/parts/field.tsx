/** Form fields: a label, the control, help below it, and what is wrong with it at the field itself. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { cx } from './class-names.ts'

/** What a control of a {@link Field} must carry, so that label, help and error belong to it. */
export interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export interface FieldProps {
  readonly label: string
  readonly help?: ReactNode
  /** The sentence that says what is wrong; absent or null: nothing is. */
  readonly error?: string | null
  readonly required?: boolean
  readonly className?: string
  readonly children: (control: FieldControl) => ReactNode
}

export function Field({ label, help, error, required = false, className, children }: FieldProps): ReactNode {
  const id = useId()
  const wrong = error !== undefined && error !== null
  const described = [wrong && `${id}-error`, help !== undefined && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
        {required && (
          <span aria-hidden className="text-danger">
            {' '}
            *
          </span>
        )}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': wrong || undefined,
      })}
      {wrong && (
        <p id={`${id}-error`} className="text-danger text-xs">
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-ink-soft text-xs">
          {help}
        </p>
      )}
    </div>
  )
}

const CONTROL =
  'quick w-full min-w-0 rounded-md border border-line-strong bg-ground px-2 text-ink aria-invalid:border-danger disabled:opacity-55 max-wide:text-lg'

/** One line of text. */
export function TextInput({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>): ReactNode {
  return <input type="text" autoComplete="off" spellCheck={false} {...rest} className={cx(CONTROL, 'h-8', className)} />
}

/** Several lines of text; grows with what is in it. */
export function TextArea({ className, rows = 3, ...rest }: TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode {
  return (
    <textarea
      spellCheck={false}
      rows={rows}
      {...rest}
      className={cx(CONTROL, 'field-sizing-content max-h-96 resize-y py-1', className)}
    />
  )
}

export interface Choice<V extends string> {
  readonly value: V
  readonly label: string
  readonly disabled?: boolean
}

export interface SelectProps<V extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'value'> {
  readonly value: V
  readonly choices: readonly Choice<V>[]
  readonly onValue: (value: V) => void
}

/** One of several; the browser's own list, so that phones and screen readers know it. */
export function Select<V extends string>({ value, choices, onValue, className, ...rest }: SelectProps<V>): ReactNode {
  return (
    <select
      {...rest}
      value={value}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice.value === event.target.value)
        if (chosen !== undefined) onValue(chosen.value)
      }}
      className={cx(CONTROL, 'h-8 pr-6', className)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
