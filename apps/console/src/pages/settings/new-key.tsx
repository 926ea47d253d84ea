/** Makes an API key: name, scopes, end. The key is shown once, to be copied; the host keeps only its hash. */
import { SCOPES, type Scope } from '@runbound/api'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useStep } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Select, TextInput } from '../../parts/field.tsx'
import { useWords } from '../../words/words.ts'
import { usePageWords } from './words/words.ts'

const DAY_MS = 86_400_000
const LIVES = ['30', '90', '365', 'never'] as const
type Life = (typeof LIVES)[number]

export function NewKey({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const form = useId()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [life, setLife] = useState<Life>('90')
  const create = useStep('createKey', { refreshes: ['listKeys'], quiet: true })

  function submit(event: FormEvent): void {
    event.preventDefault()
    const expires_at = life === 'never' ? null : Date.now() + Number(life) * DAY_MS
    create.mutate({ body: { name: name.trim(), scopes: [...scopes], expires_at } })
  }

  if (create.data !== undefined)
    return (
      <Dialog
        title={words.keyMade(create.data.name)}
        onClose={onClose}
        footer={
          <Button kind="primary" onClick={onClose}>
            {words.keyCopied}
          </Button>
        }
      >
        <p className="mb-3">{words.keyOnce}</p>
        <CodeBlock label={words.key} text={create.data.key} wrap />
      </Dialog>
    )
  return (
    <Dialog
      title={words.newKey}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{shell.parts.cancel}</Button>
          <Button
            type="submit"
            form={form}
            kind="primary"
            busy={create.isPending}
            disabled={name.trim() === '' || scopes.length === 0}
          >
            {words.makeKey}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <Field label={words.keyName} help={words.keyNameHelp} error={create.error?.message}>
          {(control) => (
            <TextInput {...control} required value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 font-medium">{words.scopes}</legend>
          <p className="mb-1 text-ink-soft text-xs">{words.scopesHelp}</p>
          {SCOPES.map((scope) => (
            <label key={scope} className="flex min-h-7 items-start gap-2">
              <input
                type="checkbox"
                className="mt-0.5 size-4 flex-none accent-[var(--accent)]"
                checked={scopes.includes(scope)}
                onChange={(event) =>
                  setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
              />
              <span>
                <code>{scope}</code> <span className="text-ink-soft">{words.scopeAbout[scope]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field label={words.life}>
          {(control) => (
            <Select
              {...control}
              value={life}
              onValue={setLife}
              choices={LIVES.map((value) => ({
                value,
                label: value === 'never' ? words.lifeNever : words.lifeDays(Number(value)),
              }))}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
