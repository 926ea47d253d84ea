/** Controls of several values: lists of texts, prompts, a model with its replacements. */
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button, IconButton } from '../parts/button.tsx'
import { Field, Select, TextArea, TextInput } from '../parts/field.tsx'
import { type ControlProps, textOf } from './control.ts'
import { Group } from './group.tsx'
import { isObject, type Json, type JsonObject, listOf } from './json.ts'
import { useFormWords } from './words/words.ts'

const ROLES = ['system', 'user', 'assistant'] as const

/** One text a row; Enter adds one below. */
export function TextsControl({ item, value, onValue, error, disabled }: ControlProps): ReactNode {
  const help = item.help === null ? {} : { help: item.help }
  return (
    <Group label={item.label} error={error} required={item.required} {...help}>
      <TextRows
        label={item.label}
        texts={listOf(value).map(textOf)}
        suggestions={item.options.map((option) => option.value)}
        disabled={disabled}
        onTexts={(texts) => onValue([...texts])}
      />
    </Group>
  )
}

export interface TextRowsProps {
  readonly label: string
  readonly texts: readonly string[]
  readonly suggestions?: readonly string[]
  readonly disabled?: boolean
  readonly onTexts: (texts: readonly string[]) => void
}

export function TextRows({ label, texts, suggestions = [], disabled = false, onTexts }: TextRowsProps): ReactNode {
  const words = useFormWords()
  const list = useId()
  const add = (at: number): void => onTexts(texts.toSpliced(at, 0, ''))
  return (
    <div className="flex flex-col gap-1.5">
      {texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <div key={at} className="flex items-center gap-1">
          <TextInput
            aria-label={words.list.entry(label, at + 1)}
            list={suggestions.length === 0 ? undefined : list}
            autoFocus={text === ''}
            disabled={disabled}
            value={text}
            onChange={({ target }) => onTexts(texts.with(at, target.value))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              add(at + 1)
            }}
          />
          <IconButton
            icon={Trash2}
            label={words.list.remove(at + 1)}
            disabled={disabled}
            onClick={() => onTexts(texts.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button size="small" icon={Plus} disabled={disabled} className="self-start" onClick={() => add(texts.length)}>
        {words.list.add}
      </Button>
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </div>
  )
}

/** Parts of a prompt: a role and a text each. Parts with other content are kept and edited as JSON elsewhere. */
export function PromptControl({ item, value, onValue, error, disabled }: ControlProps): ReactNode {
  const words = useFormWords()
  const parts = listOf(value).map((part) => (isObject(part) ? part : { role: 'system', content: textOf(part) }))
  const help = item.help === null ? {} : { help: item.help }
  const change = (at: number, change: Record<string, Json>): void =>
    onValue(parts.with(at, { ...parts[at], ...change }))
  return (
    <Group label={item.label} error={error} required={item.required} {...help}>
      <div className="flex flex-col gap-2">
        {parts.map((part, at) => {
          const role = textOf(part.role ?? 'system')
          const roles = ROLES.some((known) => known === role) ? ROLES : [...ROLES, role]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            <div key={at} className="flex items-start gap-1 max-wide:flex-wrap">
              <Select
                aria-label={words.prompt.role(at + 1)}
                className="!w-28 flex-none"
                disabled={disabled}
                value={role}
                onValue={(next) => change(at, { role: next })}
                choices={roles.map((known) => ({ value: known, label: known }))}
              />
              <TextArea
                aria-label={words.prompt.content(at + 1)}
                rows={2}
                disabled={disabled || (part.content !== undefined && typeof part.content !== 'string')}
                value={textOf(part.content ?? '')}
                onChange={({ target }) => change(at, { content: target.value })}
              />
              <IconButton
                icon={Trash2}
                label={words.prompt.remove(at + 1)}
                disabled={disabled}
                onClick={() => onValue(parts.toSpliced(at, 1))}
              />
            </div>
          )
        })}
        <Button
          size="small"
          icon={Plus}
          disabled={disabled}
          className="self-start"
          onClick={() => onValue([...parts, { role: parts.length === 0 ? 'system' : 'user', content: '' }])}
        >
          {words.prompt.add}
        </Button>
      </div>
    </Group>
  )
}

/** A model and what is used when it fails; a plain text is read as the first choice. */
export function FallbackControl({ item, value, onValue, error, disabled }: ControlProps): ReactNode {
  const words = useFormWords()
  const whole: JsonObject = isObject(value) ? value : { primary: textOf(value) }
  const help = item.help === null ? {} : { help: item.help }
  const change = (next: Record<string, Json>): void => {
    const changed: JsonObject = { fallbacks: [], ...whole, ...next }
    onValue(textOf(changed.primary ?? '') === '' && listOf(changed.fallbacks).length === 0 ? null : changed)
  }
  return (
    <Group label={item.label} error={error} required={item.required} {...help}>
      <div className="flex flex-col gap-3 rounded-md border border-line p-3">
        <Field label={words.primary} help={words.modelId}>
          {(control) => (
            <TextInput
              {...control}
              disabled={disabled}
              value={textOf(whole.primary ?? '')}
              onChange={({ target }) => change({ primary: target.value })}
            />
          )}
        </Field>
        <Group label={words.fallbacks}>
          <TextRows
            label={words.fallbacks}
            texts={listOf(whole.fallbacks).map(textOf)}
            disabled={disabled}
            onTexts={(fallbacks) => change({ fallbacks: [...fallbacks] })}
          />
        </Group>
      </div>
    </Group>
  )
}
