/** The list of bots: where they are, how they are, and what came in last. */
import { Link } from '@tanstack/react-router'
import { Bot, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { buttonClass } from '../../parts/button.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { type BotItem, BotState } from './bot-state.tsx'
import { usePageWords } from './words/words.ts'

export function BotsPage(): ReactNode {
  const words = usePageWords()
  const all = useRead('listBots', {})
  const add = (
    <Link to="/bots/new" className={buttonClass('primary')}>
      <Plus className="icon" aria-hidden />
      {words.add}
    </Link>
  )
  return (
    <>
      <PageHeader title={words.title} actions={add} />
      {all.isPending && <SkeletonRows />}
      {all.isError && <Failure error={all.error} onRetry={() => void all.refetch()} />}
      {all.isSuccess && all.data.items.length === 0 && (
        <Empty icon={Bot} title={words.empty} action={add}>
          {words.emptyAbout}
        </Empty>
      )}
      {all.isSuccess && all.data.items.length > 0 && (
        <Table
          label={words.title}
          items={all.data.items}
          keyOf={(one) => one.bot_uuid}
          columns={[
            { id: 'name', label: words.name, grow: true, cell: (bot) => <BotName bot={bot} /> },
            { id: 'platform', label: words.platform, cell: (bot) => bot.platform, wideOnly: true },
            { id: 'last', label: words.lastEvent, cell: (bot) => <LastEvent bot={bot} />, wideOnly: true },
            { id: 'state', label: words.state, cell: (bot) => <BotState bot={bot} /> },
          ]}
        />
      )}
    </>
  )
}

function BotName({ bot }: { readonly bot: BotItem }): ReactNode {
  return (
    <span className="flex items-baseline gap-2">
      <Link to="/bots/$botUuid" params={{ botUuid: bot.bot_uuid }} className="truncate font-medium hover:underline">
        {bot.name}
      </Link>
      <span className="truncate text-ink-soft text-sm wide:hidden">{bot.platform}</span>
      {bot.state === 'failed' && bot.message !== null && (
        <span className="truncate text-danger text-sm max-wide:hidden">{bot.message}</span>
      )}
    </span>
  )
}

function LastEvent({ bot }: { readonly bot: BotItem }): ReactNode {
  const words = usePageWords()
  const { data } = useRead('listEvents', { query: { bot_uuid: bot.bot_uuid, limit: 1 } })
  const [event] = data?.items ?? []
  if (data === undefined) return <span className="skeleton inline-block h-3 w-20 align-middle" />
  if (event === undefined) return <span className="text-ink-soft">{words.noEvent}</span>
  return (
    <Link
      to="/events/$eventId"
      params={{ eventId: event.event_id }}
      title={event.event_type}
      className="text-ink-soft hover:text-ink hover:underline"
    >
      <TimeAgo at={event.created_at} />
    </Link>
  )
}
