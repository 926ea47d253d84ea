/** One bot: where its events go, and what it is set up with. Unsaved changes of both survive changing the tab. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { CircleAlert, EllipsisVertical, Power, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead, useStep } from '../../data/queries.ts'
import { YamlButton } from '../../forms/form-frame.tsx'
import { platformItems } from '../../forms/items.ts'
import { useFormWords } from '../../forms/words/words.ts'
import { Dot } from '../../parts/badge.tsx'
import { buttonClass, IconButton } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { Menu } from '../../parts/menu.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useWords } from '../../words/words.ts'
import { BotSettings, useBotDraft } from './bot-settings.tsx'
import { BotState } from './bot-state.tsx'
import type { BotSearch, BotTab } from './route.tsx'
import { RoutesTab } from './routes-tab.tsx'
import { useRoutesDraft } from './use-routes-draft.ts'
import { usePageWords } from './words/words.ts'

export function BotPage(): ReactNode {
  const words = usePageWords()
  const { botUuid } = useParams({ from: '/bots/$botUuid' })
  const params = { bot_uuid: botUuid }
  const bot = useRead('getBot', { params }, { refetchInterval: 10_000 })
  const routes = useRead('getRoutes', { params })
  const platforms = useRead('listPlatforms', {})
  const processors = useRead('listProcessors', {})
  const failed = [bot, routes, platforms, processors].find(({ isError, data }) => isError && data === undefined)
  if (
    bot.data !== undefined &&
    routes.data !== undefined &&
    platforms.data !== undefined &&
    processors.data !== undefined
  )
    return (
      <Bot
        key={botUuid}
        bot={bot.data}
        routes={routes.data}
        platforms={platforms.data.items}
        processors={processors.data.items}
      />
    )
  return (
    <>
      <PageHeader title={bot.data?.name ?? words.title} back="/bots" />
      {failed?.error == null ? (
        <SkeletonRows />
      ) : (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      )}
    </>
  )
}

interface BotProps {
  readonly bot: Output<'getBot'>
  readonly routes: Output<'getRoutes'>
  readonly platforms: Output<'listPlatforms'>['items']
  readonly processors: Output<'listProcessors'>['items']
}

function Bot({ bot, routes, platforms, processors }: BotProps): ReactNode {
  const words = usePageWords()
  const forms = useFormWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/bots/$botUuid' })
  const itemsOf = (name: string) => platformItems(platforms.find((one) => one.name === name)?.settings ?? [])
  const settings = useBotDraft(bot, itemsOf)
  const routing = useRoutesDraft(bot.bot_uuid, routes)
  const tab = search.tab ?? 'routes'
  const go = (next: BotSearch): void =>
    void navigate({ to: '/bots/$botUuid', params: { botUuid: bot.bot_uuid }, search: next, replace: true })
  const setYaml = (open: boolean): void => {
    const { yaml: _before, ...rest } = search
    go(open ? { ...rest, yaml: true } : rest)
  }
  const unsaved = <Dot tone="warn" />

  return (
    <>
      <PageHeader
        title={bot.name}
        back="/bots"
        about={
          <>
            <BotState bot={bot} />
            <span className="truncate max-wide:hidden">{bot.platform}</span>
          </>
        }
        actions={
          <>
            {bot.platform === 'webchat' && bot.enabled && (
              <Link to="/chats" search={{ try: bot.bot_uuid }} className={cx(buttonClass(), 'max-wide:hidden')}>
                {words.tryInChat}
              </Link>
            )}
            <YamlButton open={search.yaml === true} onOpen={setYaml} />
            <BotMenu bot={bot} />
          </>
        }
      />
      {bot.state === 'failed' && bot.message !== null && (
        <p role="alert" className="flex flex-none items-start gap-2 bg-danger-soft px-4 py-2 text-danger">
          <CircleAlert className="icon mt-0.5" aria-hidden />
          <span className="min-w-0 break-words">{bot.message}</span>
        </p>
      )}
      <Tabs<BotTab>
        label={words.parts}
        value={tab}
        onValue={(next) => go({ ...search, tab: next })}
        tabs={[
          { value: 'routes', label: words.routes, ...(routing.dirty ? { mark: unsaved } : {}) },
          { value: 'settings', label: words.settings, ...(settings.dirty ? { mark: unsaved } : {}) },
        ]}
      >
        {tab === 'routes' ? (
          <RoutesTab
            bot={bot}
            draft={routing}
            processors={processors}
            yaml={search.yaml === true}
            onYaml={setYaml}
            othersDirty={settings.dirty}
            {...(search.event === undefined ? {} : { recorded: search.event })}
            onRecorded={(event) => {
              const { event: _before, ...rest } = search
              go(event === null ? rest : { ...rest, event })
            }}
          />
        ) : (
          <BotSettings
            draft={settings}
            itemsOf={itemsOf}
            platform={platforms.find(({ name }) => name === bot.platform)?.label ?? bot.platform}
            yaml={search.yaml === true}
            onYaml={setYaml}
            othersDirty={routing.dirty}
            words={forms}
          />
        )}
      </Tabs>
    </>
  )
}

function BotMenu({ bot }: { readonly bot: Output<'getBot'> }): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const put = useStep('putBot', {
    refreshes: ['getBot', 'listBots', 'status'],
    done: bot.enabled ? words.nowOff(bot.name) : words.nowOn(bot.name),
  })
  const remove = useStep('removeBot', {
    refreshes: ['listBots', 'status', 'getProcessor'],
    done: words.removed(bot.name),
    onDone: () => void navigate({ to: '/bots', ignoreBlocker: true }),
  })
  const { bot_uuid, name, platform, enabled } = bot
  return (
    <>
      <Menu
        label={shell.parts.more}
        groups={[
          [
            {
              id: 'power',
              label: enabled ? words.switchOff : words.switchOn,
              icon: Power,
              run: () => put.mutate({ body: { bot_uuid, name, platform, enabled: !enabled } }),
            },
          ],
          [{ id: 'remove', label: words.remove, icon: Trash2, danger: true, run: () => setAsks(true) }],
        ]}
      >
        {(trigger) => <IconButton {...trigger} icon={EllipsisVertical} label={shell.parts.more} busy={put.isPending} />}
      </Menu>
      {asks && (
        <Confirm
          title={words.removeTitle(name)}
          verb={words.remove}
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ params: { bot_uuid } }, { onSettled: () => setAsks(false) })}
          onClose={() => setAsks(false)}
        >
          {words.removeAbout}
        </Confirm>
      )}
    </>
  )
}
