/** Controls of one value: text, long text, numbers, switches, choices. */
import { type ReactNode, useId } from 'react'
import { Field, Select, TextArea, TextInput } from '../parts/field.tsx'
import { Switch } from '../parts/switch.tsx'
import { type ControlProps, textOf } from './control.ts'
import { toNumber } from './values.ts'
import { useFormWords } from './words/words.ts'

const fieldOf = ({ item, error }: ControlProps) => ({
  label: item.label,
  error,
  required: item.required,
  ...(item.help === null ? {} : { help: item.help }),
})

/** One line. Options of a text are suggestions: anything else may be typed. */
export function TextControl(props: ControlProps & { readonly about?: string }): ReactNode {
  const { item, value, onValue, disabled, about } = props
  const list = useId()
  const help = item.help ?? about
  return (
    <Field {...fieldOf(props)} {...(help === undefined ? {} : { help })}>
      {(control) => (
        <>
          <TextInput
            {...control}
            list={item.options.length === 0 ? undefined : list}
            required={item.required}
            disabled={disabled}
            value={textOf(value)}
            onChange={({ target }) => onValue(target.value === '' ? null : target.value)}
          />
          {item.options.length > 0 && (
            <datalist id={list}>
              {item.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}

export function LongTextControl(props: ControlProps): ReactNode {
  return (
    <Field {...fieldOf(props)}>
      {(control) => (
        <TextArea
          {...control}
          required={props.item.required}
          disabled={props.disabled}
          value={textOf(props.value)}
          onChange={({ target }) => props.onValue(target.value === '' ? null : target.value)}
        />
      )}
    </Field>
  )
}

/** What is typed stays as it is until it is a number: "1." on the way to "1.5" is not taken away. */
export function NumberControl(props: ControlProps): ReactNode {
  const { item, value, onValue, disabled } = props
  return (
    <Field {...fieldOf(props)}>
      {(control) => (
        <TextInput
          {...control}
          inputMode={item.type === 'integer' ? 'numeric' : 'decimal'}
          required={item.required}
          disabled={disabled}
          value={textOf(value)}
          onChange={({ target: { value: typed } }) => {
            const number = toNumber(typed)
            onValue(typed === '' ? null : number !== null && String(number) === typed ? number : typed)
          }}
          onBlur={() => typeof value === 'string' && onValue(toNumber(value) ?? value)}
          className="!w-48 tabular-nums max-wide:!w-full"
        />
      )}
    </Field>
  )
}

export function BooleanControl({ item, value, onValue, error, disabled }: ControlProps): ReactNode {
  return (
    <div className="flex flex-col gap-1">
      <Switch
        label={item.label}
        checked={value === true}
        disabled={disabled}
        onChange={onValue}
        {...(item.help === null ? {} : { help: item.help })}
      />
      {error !== null && (
        <p data-fault tabIndex={-1} className="text-danger text-xs outline-none">
          {error}
        </p>
      )}
    </div>
  )
}

/** One of the options; a stored value that is no option any more is shown as what it is. */
export function SelectControl(props: ControlProps): ReactNode {
  const { item, value, onValue, disabled } = props
  const words = useFormWords()
  const chosen = textOf(value)
  const known = chosen === '' || item.options.some((option) => option.value === chosen)
  return (
    <Field {...fieldOf(props)}>
      {(control) => (
        <Select
          {...control}
          disabled={disabled}
          value={chosen}
          onValue={(next) => onValue(next === '' ? null : next)}
          choices={[
            ...(item.required && chosen !== '' ? [] : [{ value: '', label: words.nothingChosen }]),
            ...(known ? [] : [{ value: chosen, label: chosen }]),
            ...item.options,
          ]}
        />
      )}
    </Field>
  )
}
