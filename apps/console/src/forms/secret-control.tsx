/** A secret: says that it is set, never what it is. It can be replaced, cleared, or kept. */
import { SECRET_IS_SET } from '@runbound/api'
import { Check, Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Badge } from '../parts/badge.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { Field, TextInput } from '../parts/field.tsx'
import { type ControlProps, textOf } from './control.ts'
import { Group } from './group.tsx'
import { useFormWords } from './words/words.ts'

export function SecretControl({ item, value, onValue, error, disabled }: ControlProps): ReactNode {
  const words = useFormWords()
  const id = useId()
  // Once it was seen as set, what is stored can be taken again until the page is left.
  const [wasSet, setWasSet] = useState(false)
  const [plain, setPlain] = useState(false)
  if (value === SECRET_IS_SET && !wasSet) setWasSet(true)
  const keep = wasSet && (
    <Button size="small" kind="quiet" onClick={() => onValue(SECRET_IS_SET)}>
      {words.secret.keep}
    </Button>
  )
  const help = item.help === null ? {} : { help: item.help }

  if (value === SECRET_IS_SET || (wasSet && value === null))
    return (
      <Group label={item.label} error={error} required={item.required} {...help}>
        <div className="flex min-h-8 flex-wrap items-center gap-2">
          {value === null ? (
            <>
              <Badge tone="warn">{words.secret.willClear}</Badge>
              {keep}
            </>
          ) : (
            <>
              <Badge tone="ok" icon={Check}>
                {words.secret.isSet}
              </Badge>
              <Button size="small" disabled={disabled} onClick={() => onValue('')} aria-describedby={`${id}-of`}>
                {words.secret.replace}
              </Button>
              {!item.required && (
                <Button
                  size="small"
                  kind="quiet"
                  disabled={disabled}
                  onClick={() => onValue(null)}
                  aria-describedby={`${id}-of`}
                >
                  {words.secret.clear}
                </Button>
              )}
              <span id={`${id}-of`} className="sr-only">
                {item.label}
              </span>
            </>
          )}
        </div>
      </Group>
    )
  return (
    <Field label={item.label} error={error} required={item.required} {...help}>
      {(control) => (
        <div className="flex items-center gap-1">
          <TextInput
            {...control}
            type={plain ? 'text' : 'password'}
            autoComplete="new-password"
            autoFocus={wasSet}
            placeholder={words.secret.notSet}
            required={item.required}
            disabled={disabled}
            value={textOf(value)}
            onChange={({ target }) => onValue(target.value === '' && !wasSet ? null : target.value)}
            className="font-mono"
          />
          <IconButton
            icon={plain ? EyeOff : Eye}
            label={plain ? words.secret.hide : words.secret.show}
            onClick={() => setPlain(!plain)}
          />
          {keep}
        </div>
      )}
    </Field>
  )
}
