/** The fields of a bot: its name, the settings of its platform, who administers it. */
import type { ReactNode } from 'react'
import type { Draft } from '../../forms/draft.ts'
import { Group } from '../../forms/group.tsx'
import type { FormItem } from '../../forms/items.ts'
import { TextRows } from '../../forms/list-controls.tsx'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { Section } from '../../parts/page.tsx'
import { Switch } from '../../parts/switch.tsx'
import type { BotDraft } from './bot-draft.ts'
import { usePageWords } from './words/words.ts'

export interface BotFieldsProps {
  readonly draft: Draft<BotDraft>
  readonly items: readonly FormItem[]
  /** The platform as people call it. */
  readonly platform: string
}

export function BotFields({ draft, items, platform }: BotFieldsProps): ReactNode {
  const words = usePageWords()
  const { value, set, faultAt, refuse } = draft
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
          <Switch
            label={words.enabled}
            help={words.enabledAbout}
            checked={value.enabled}
            onChange={(enabled) => set((before) => ({ ...before, enabled }))}
          />
        </div>
      </Section>
      <Section title={words.settingsOf(platform)}>
        <SchemaForm
          items={items}
          values={value.settings}
          path="settings"
          faultAt={faultAt}
          refuse={refuse}
          onValues={(settings) => set((before) => ({ ...before, settings }))}
        />
      </Section>
      <Section title={words.admins} about={words.adminsAbout}>
        <Group label={words.adminIds} error={faultAt('admins')}>
          <TextRows
            label={words.adminIds}
            texts={value.admins}
            onTexts={(admins) => set((before) => ({ ...before, admins }))}
          />
        </Group>
      </Section>
    </>
  )
}
