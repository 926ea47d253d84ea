/** A new bot: first its platform, then what that needs. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { call, type Output } from '../../data/client.ts'
import { refresh, useRead } from '../../data/queries.ts'
import { useDraft } from '../../forms/draft.ts'
import { FormFrame, YamlButton } from '../../forms/form-frame.tsx'
import { platformItems } from '../../forms/items.ts'
import { startValues } from '../../forms/values.ts'
import { useFormWords } from '../../forms/words/words.ts'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { notify } from '../../parts/toasts.tsx'
import { type BotDraft, botFaults, botYaml, inputOf } from './bot-draft.ts'
import { BotFields } from './bot-fields.tsx'
import { usePageWords } from './words/words.ts'

type Platform = Output<'listPlatforms'>['items'][number]

export function NewBotPage(): ReactNode {
  const words = usePageWords()
  const search = useSearch({ from: '/bots/new' })
  const platforms = useRead('listPlatforms', {})
  const chosen = platforms.data?.items.find(({ name }) => name === search.platform)
  if (chosen !== undefined) return <NewBot key={chosen.name} platform={chosen} all={platforms.data?.items ?? []} />
  return (
    <>
      <PageHeader title={words.addTitle} back="/bots" />
      {platforms.isPending && <SkeletonRows tall />}
      {platforms.isError && <Failure error={platforms.error} onRetry={() => void platforms.refetch()} />}
      {platforms.isSuccess && (
        <PageBody measure>
          <h2 className="mb-3 font-semibold">{words.choosePlatform}</h2>
          <PlatformList platforms={platforms.data.items} />
        </PageBody>
      )}
    </>
  )
}

function PlatformList({ platforms }: { readonly platforms: readonly Platform[] }): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {platforms.map(({ name, label, fault }) => (
        <li key={name}>
          <button
            type="button"
            disabled={fault !== null}
            onClick={() => void navigate({ to: '/bots/new', search: { platform: name } })}
            className="quick flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left enabled:hover:bg-ground-soft focus-visible:outline-offset-[-2px]"
          >
            <span className="min-w-0 flex-1">
              <span className="font-medium">{label}</span>
              {fault !== null && (
                <span className="flex items-start gap-1.5 text-danger text-sm">
                  <CircleAlert className="icon mt-0.5" aria-hidden />
                  {words.platformFault(fault)}
                </span>
              )}
            </span>
            <code className="text-ink-soft">{name}</code>
            <ChevronRight className="icon text-ink-soft" aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface NewBotProps {
  readonly platform: Platform
  readonly all: readonly Platform[]
}

function NewBot({ platform, all }: NewBotProps): ReactNode {
  const words = usePageWords()
  const forms = useFormWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/bots/new' })
  const itemsOf = (name: string) => platformItems(all.find((one) => one.name === name)?.settings ?? [])
  const stored: BotDraft = {
    name: platform.label,
    platform: platform.name,
    settings: startValues(itemsOf(platform.name)),
    admins: [],
    enabled: true,
  }
  const draft = useDraft({
    stored,
    fresh: true,
    check: (value) => botFaults(value, itemsOf(value.platform), forms.faults),
    save: async (value) => {
      const bot = await call('putBot', { body: inputOf(value, itemsOf(value.platform)) })
      refresh('listBots', 'status')
      notify({ tone: 'ok', text: words.created(bot.name) })
      await navigate({ to: '/bots/$botUuid', params: { botUuid: bot.bot_uuid }, ignoreBlocker: true })
    },
  })
  const yaml = search.yaml === true
  const openYaml = (open: boolean): void =>
    void navigate({
      to: '/bots/new',
      search: { platform: platform.name, ...(open ? { yaml: true as const } : {}) },
      replace: true,
    })
  return (
    <>
      <PageHeader
        title={words.addOn(platform.label)}
        back="/bots/new"
        actions={<YamlButton open={yaml} onOpen={openYaml} />}
      />
      <FormFrame
        draft={draft}
        codec={botYaml(itemsOf, forms.yaml)}
        yaml={yaml}
        onYaml={openYaml}
        verb={forms.save.create}
      >
        <BotFields draft={draft} items={itemsOf(draft.value.platform)} platform={platform.label} />
      </FormFrame>
    </>
  )
}
