/** Any JSON as text. What can't be read yet stays typed, says why, and keeps the form from being saved. */
import { type ReactNode, useEffect, useState } from 'react'
import { Field, TextArea } from '../parts/field.tsx'
import type { ControlProps } from './control.ts'
import { type Json, sameJson } from './json.ts'
import { useFormWords } from './words/words.ts'

export function JsonControl({ item, value, onValue, error, disabled, refuse }: ControlProps): ReactNode {
  const words = useFormWords()
  const [text, setText] = useState(() => written(value))
  const [shown, setShown] = useState(value)
  const [wrong, setWrong] = useState<string | null>(null)
  if (!sameJson(value, shown)) {
    setShown(value)
    setText(written(value))
    setWrong(null)
  }
  const unread = wrong === null ? null : words.faults.notJson(wrong)
  useEffect(() => refuse(unread), [unread, refuse])
  useEffect(() => () => refuse(null), [refuse])

  function change(next: string): void {
    setText(next)
    try {
      const read: Json = next.trim() === '' ? null : JSON.parse(next)
      setWrong(null)
      setShown(read)
      onValue(read)
    } catch (problem) {
      setWrong(problem instanceof Error ? problem.message : String(problem))
    }
  }
  return (
    <Field
      label={item.label}
      error={unread ?? error}
      required={item.required}
      {...(item.help === null ? {} : { help: item.help })}
    >
      {(control) => (
        <TextArea
          {...control}
          disabled={disabled}
          value={text}
          onChange={({ target }) => change(target.value)}
          className="font-mono !text-xs"
        />
      )}
    </Field>
  )
}

function written(value: Json): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2)
}
