/**
 * A form from declared fields: one control each, in their order; hidden ones keep their value. Used for Runners,
 * plugins and platforms alike.
 */
import { type ComponentType, type ReactNode, useCallback } from 'react'
import { Switch } from '../parts/switch.tsx'
import { BotControl, FileControl, PluginControl, ShownControl } from './chooser-controls.tsx'
import type { ControlProps } from './control.ts'
import { type FormItem, isShownOnly } from './items.ts'
import type { Json, JsonObject } from './json.ts'
import { JsonControl } from './json-control.tsx'
import { FallbackControl, PromptControl, TextsControl } from './list-controls.tsx'
import { SecretControl } from './secret-control.tsx'
import { BooleanControl, LongTextControl, NumberControl, SelectControl, TextControl } from './text-controls.tsx'
import { isDisabled, isShown } from './values.ts'
import { useFormWords } from './words/words.ts'

function ModelControl(props: ControlProps): ReactNode {
  return <TextControl {...props} about={useFormWords().modelId} />
}

function KnowledgeControl(props: ControlProps): ReactNode {
  return <TextControl {...props} about={useFormWords().knowledgeId} />
}

function ChoiceControl(props: ControlProps): ReactNode {
  const { chooseOrType } = useFormWords()
  return props.item.allowCustom ? <TextControl {...props} about={chooseOrType} /> : <SelectControl {...props} />
}

const CONTROLS: Readonly<Record<string, ComponentType<ControlProps>>> = {
  string: TextControl,
  text: LongTextControl,
  secret: SecretControl,
  integer: NumberControl,
  float: NumberControl,
  number: NumberControl,
  boolean: BooleanControl,
  'array[string]': TextsControl,
  select: ChoiceControl,
  file: FileControl,
  'array[file]': FileControl,
  'llm-model-selector': ModelControl,
  'select-llm-model': ModelControl,
  'embedding-model-selector': ModelControl,
  'rerank-model-selector': ModelControl,
  'model-fallback-selector': FallbackControl,
  'knowledge-base-selector': KnowledgeControl,
  'knowledge-base-multi-selector': TextsControl,
  'select-knowledge-bases': TextsControl,
  'bot-selector': BotControl,
  'plugin-selector': PluginControl,
  'tools-selector': TextsControl,
  'rich-tools-selector': TextsControl,
  'resources-selector': TextsControl,
  'prompt-editor': PromptControl,
  json: JsonControl,
}

/** Switches that a selector brings along, beside its own value. */
const BESIDE: Readonly<Record<string, { readonly name: string; readonly words: 'allTools' | 'resourceRead' }>> = {
  'rich-tools-selector': { name: 'enable-all-tools', words: 'allTools' },
  'resources-selector': { name: 'mcp-resource-agent-read-enabled', words: 'resourceRead' },
}

export interface SchemaFormProps {
  readonly items: readonly FormItem[]
  readonly values: JsonObject
  readonly onValues: (values: JsonObject) => void
  /** Where these values stand in what is saved, such as `config`; faults are looked up below it. */
  readonly path: string
  readonly faultAt: (path: string) => string | null
  readonly refuse: (path: string, fault: string | null) => void
}

export function SchemaForm({ items, values, onValues, path, faultAt, refuse }: SchemaFormProps): ReactNode {
  const words = useFormWords()
  const shown = items.filter((item) => isShown(item, values))
  if (shown.length === 0) return <p className="text-ink-soft">{words.noSettings}</p>
  return (
    <div className="flex flex-col gap-5">
      {shown.map((item) => {
        const disabled = isDisabled(item, values)
        const beside = BESIDE[item.type]
        return (
          <div key={item.name} className="flex flex-col gap-2">
            <OneField
              item={disabled && item.disabledWhy !== null ? { ...item, help: item.disabledWhy } : item}
              value={values[item.name] ?? null}
              disabled={disabled}
              at={`${path}.${item.name}`}
              error={faultAt(`${path}.${item.name}`)}
              onValue={(value) => onValues({ ...values, [item.name]: value })}
              refuse={refuse}
            />
            {beside !== undefined && (
              <Switch
                label={words[beside.words]}
                checked={values[beside.name] !== false}
                onChange={(on) => onValues({ ...values, [beside.name]: on })}
              />
            )}
          </div>
        )
      })}
    </div>
  )
}

interface OneFieldProps extends Omit<ControlProps, 'refuse'> {
  readonly at: string
  readonly refuse: SchemaFormProps['refuse']
}

function OneField({ at, refuse, ...rest }: OneFieldProps): ReactNode {
  const refuseHere = useCallback((fault: string | null) => refuse(at, fault), [refuse, at])
  const Control = isShownOnly(rest.item) ? ShownControl : (CONTROLS[rest.item.type] ?? unknownControl(rest.value))
  return <Control {...rest} refuse={refuseHere} />
}

/** A type of the plugin's own: text where it is text, JSON where it is more. */
function unknownControl(value: Json): ComponentType<ControlProps> {
  return value === null || typeof value === 'string' ? TextControl : JsonControl
}
