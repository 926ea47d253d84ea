/** The settings tab of a bot. */
import type { ReactNode } from 'react'
import { call, type Output } from '../../data/client.ts'
import { refresh } from '../../data/queries.ts'
import { type Draft, useDraft } from '../../forms/draft.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import type { FormItem } from '../../forms/items.ts'
import { type FormWords, useFormWords } from '../../forms/words/words.ts'
import { type BotDraft, botFaults, botYaml, draftOf, inputOf } from './bot-draft.ts'
import { BotFields } from './bot-fields.tsx'

type ItemsOf = (platform: string) => readonly FormItem[]

export function useBotDraft(bot: Output<'getBot'>, itemsOf: ItemsOf): Draft<BotDraft> {
  const words = useFormWords()
  return useDraft({
    stored: draftOf(bot),
    check: (value) => botFaults(value, itemsOf(value.platform), words.faults),
    save: async (value) => {
      await call('putBot', { body: inputOf(value, itemsOf(value.platform), bot.bot_uuid) })
      refresh('getBot', 'listBots', 'status')
    },
  })
}

export interface BotSettingsProps {
  readonly draft: Draft<BotDraft>
  readonly itemsOf: ItemsOf
  readonly platform: string
  readonly yaml: boolean
  readonly onYaml: (open: boolean) => void
  readonly othersDirty: boolean
  readonly words: FormWords
}

export function BotSettings(props: BotSettingsProps): ReactNode {
  const { draft, itemsOf, platform, yaml, onYaml, othersDirty, words } = props
  return (
    <FormFrame draft={draft} codec={botYaml(itemsOf, words.yaml)} yaml={yaml} onYaml={onYaml} othersDirty={othersDirty}>
      <BotFields draft={draft} items={itemsOf(draft.value.platform)} platform={platform} />
    </FormFrame>
  )
}
