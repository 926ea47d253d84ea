/** A plugin's own settings: the form of its schema with what is stored, and the YAML of the same beside it. */

import type { ReactNode } from 'react'
import { useCallback, useMemo } from 'react'
import { client } from '../../data/client.ts'
import { refresh } from '../../data/queries.ts'
import { useDraft } from '../../forms/draft.ts'
import { FormFrame, YamlButton } from '../../forms/form-frame.tsx'
import { configItems } from '../../forms/items.ts'
import type { JsonObject } from '../../forms/json.ts'
import { SchemaForm } from '../../forms/schema-form.tsx'
import { cleanValues, faultsOf } from '../../forms/values.ts'
import { useFormWords } from '../../forms/words/words.ts'
import { settingsYaml } from '../../forms/yaml.ts'
import { PageBody } from '../../parts/page.tsx'
import { useLanguage } from '../../words/languages.ts'
import type { Installation } from './state.tsx'
import { usePageWords } from './words/words.ts'

export interface SettingsProps {
  readonly installation: Installation
  readonly yaml: boolean
  readonly onYaml: (open: boolean) => void
}

export function Settings({ installation, yaml, onYaml }: SettingsProps): ReactNode {
  const words = usePageWords()
  const formWords = useFormWords()
  const language = useLanguage()
  const items = useMemo(
    () => configItems(installation.settings_schema, language),
    [installation.settings_schema, language],
  )
  const codec = useMemo(() => settingsYaml(items, formWords.yaml), [items, formWords])
  const check = useCallback(
    (values: JsonObject) =>
      new Map([...faultsOf(items, values, formWords.faults)].map(([name, fault]) => [`settings.${name}`, fault])),
    [items, formWords],
  )
  const draft = useDraft<JsonObject>({
    stored: installation.settings,
    check,
    save: async (values) => {
      await client.setPluginSettings({
        params: { installation_uuid: installation.installation_uuid },
        body: cleanValues(items, values),
      })
      refresh('getPlugin', 'listPlugins')
    },
  })
  const kept = installation.kept_settings.length > 0 && (
    <p className="mt-6 text-ink-soft text-sm">{words.kept(installation.kept_settings.join(', '))}</p>
  )
  if (items.length === 0)
    return (
      <PageBody text measure>
        <p className="text-ink-soft">{words.noSettings}</p>
        {kept}
      </PageBody>
    )
  return (
    <FormFrame draft={draft} codec={codec} yaml={yaml} onYaml={onYaml}>
      <div className="mb-4 flex items-start gap-3">
        <p className="min-w-0 flex-1 text-ink-soft">{words.secretsNote}</p>
        <YamlButton open={yaml} onOpen={onYaml} />
      </div>
      <SchemaForm
        items={items}
        values={draft.value}
        onValues={draft.set}
        path="settings"
        faultAt={draft.faultAt}
        refuse={draft.refuse}
      />
      {kept}
    </FormFrame>
  )
}
