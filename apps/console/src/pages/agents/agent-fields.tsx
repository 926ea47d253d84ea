/** The settings of an agent or plugin processor: its name, its Runner with settings, and what holds for all of them. */
import type { ReactNode } from 'react'
import type { Draft } from '../../forms/draft.ts'
import type { FormItem } from '../../forms/items.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Field, Select, TextInput } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Switch } from '../../parts/switch.tsx'
import { type AgentDraft, type ItemsOf, type RunnerItem, withRunner } from './agent-draft.ts'
import { usePageWords } from './words/words.ts'

export interface AgentFieldsProps {
  readonly draft: Draft<AgentDraft>
  readonly runners: readonly RunnerItem[]
  readonly itemsOf: ItemsOf
  readonly options: readonly FormItem[]
}

export function AgentFields({ draft, runners, itemsOf, options }: AgentFieldsProps): ReactNode {
  const words = usePageWords()
  const { value, set, faultAt, refuse } = draft
  const usage = value.kind === 'agent' ? 'agent' : 'event'
  const fitting = runners.filter(({ usages }) => usages.includes(usage))
  const runner = runners.find(({ runner_id }) => runner_id === value.runner_id)
  return (
    <>
      <Section title={words.general}>
        <div className="flex flex-col gap-5">
          <Field label={words.name} required error={faultAt('name')}>
            {(control) => (
              <TextInput
                {...control}
                required
                value={value.name}
                onChange={({ target }) => set((before) => ({ ...before, name: target.value }))}
              />
            )}
          </Field>
          <Field
            label={words.runner}
            error={faultAt('runner_id')}
            {...(runner?.description == null ? {} : { help: runner.description })}
          >
            {(control) => (
              <Select
                {...control}
                value={value.runner_id}
                onValue={(next) => set((before) => withRunner(before, next, itemsOf))}
                choices={[
                  ...(fitting.some(({ runner_id }) => runner_id === value.runner_id)
                    ? []
                    : [{ value: value.runner_id, label: value.runner_id, disabled: true }]),
                  ...fitting.map((one) => ({ value: one.runner_id, label: `${one.label} (${one.plugin_id})` })),
                ]}
              />
            )}
          </Field>
          <Switch
            label={words.enabled}
            help={words.enabledAbout}
            checked={value.enabled}
            onChange={(enabled) => set((before) => ({ ...before, enabled }))}
          />
        </div>
      </Section>
      <Section title={words.settingsOf(runner?.label ?? value.runner_id)}>
        <SchemaForm
          items={itemsOf(value.runner_id)}
          values={value.config}
          path="config"
          faultAt={faultAt}
          refuse={refuse}
          onValues={(config) => set((before) => ({ ...before, config }))}
        />
      </Section>
      <Section title={words.behaviour} about={words.behaviourAbout}>
        <SchemaForm
          items={options}
          values={value.options}
          path="options"
          faultAt={faultAt}
          refuse={refuse}
          onValues={(next) => set((before) => ({ ...before, options: next }))}
        />
      </Section>
    </>
  )
}
