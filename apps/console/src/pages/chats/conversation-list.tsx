/** The list at the left: web chats to try, then every conversation, the newest message first. */
import { Link } from '@tanstack/react-router'
import { MessageCircleDashed, Search, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { Dot } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Select, TextInput } from '../../parts/field.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { Face } from './face.tsx'
import type { ChatsSearch } from './route.tsx'
import type { ConversationItem, Conversations } from './use-conversations.ts'
import { usePageWords } from './words/words.ts'

type BotItem = Output<'status'>['bots'][number]

export interface ConversationListProps {
  readonly conversations: Conversations
  readonly bots: readonly BotItem[]
  readonly webchats: readonly BotItem[]
  readonly search: ChatsSearch
  readonly go: (search: ChatsSearch) => void
}

export function ConversationList({ conversations, bots, webchats, search, go }: ConversationListProps): ReactNode {
  const words = usePageWords()
  const { items, text, setText } = conversations
  const [tryable] = webchats
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          tryable !== undefined && (
            <Link
              to="/chats"
              search={{
                ...(search.bot === undefined ? {} : { bot: search.bot }),
                try: (webchats.find((bot) => bot.bot_uuid === search.bot) ?? tryable).bot_uuid,
              }}
              className={cx(buttonClass('plain', 'small'), 'max-wide:!h-9')}
            >
              <SquarePen className="icon" aria-hidden />
              {words.tryIt}
            </Link>
          )
        }
      />
      <div className="flex flex-none gap-2 border-line border-b px-3 py-2">
        <div className="relative min-w-0 flex-1">
          <Search className="icon absolute top-2 left-2 text-ink-soft" aria-hidden />
          <TextInput
            type="search"
            aria-label={words.filter}
            placeholder={words.filterShort}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="!pl-7"
          />
        </div>
        {bots.length > 1 && (
          <Select
            aria-label={words.bot}
            value={search.bot ?? ''}
            onValue={(bot) => go(bot === '' ? {} : { bot })}
            choices={[
              { value: '', label: words.allBots },
              ...bots.map((bot) => ({ value: bot.bot_uuid, label: bot.name })),
            ]}
            className="!w-32 flex-none"
          />
        )}
      </div>
      {conversations.isPending && <SkeletonRows tall rows={8} />}
      {conversations.error !== null && <Failure error={conversations.error} onRetry={conversations.retry} />}
      {conversations.isSuccess && items.length === 0 && (
        <Empty
          icon={MessageCircleDashed}
          title={text.trim() === '' ? words.empty : words.nothingFits}
          action={
            text.trim() === '' && tryable !== undefined ? (
              <Button kind="primary" className="wide:hidden" onClick={() => go({ ...search, try: tryable.bot_uuid })}>
                {words.tryBot(tryable.name)}
              </Button>
            ) : undefined
          }
        >
          {text.trim() === '' ? words.emptyAbout : words.nothingFitsAbout}
        </Empty>
      )}
      {items.length > 0 && (
        <VirtualList
          label={words.list}
          items={items}
          keyOf={(one) => one.conversation_key}
          rowHeight={64}
          selected={items.findIndex((one) => one.conversation_key === search.chat)}
          onEnd={conversations.more}
          loadingMore={conversations.loadingMore}
          row={(one) => <Row one={one} search={search} />}
        />
      )}
    </>
  )
}

function Row({ one, search }: { readonly one: ConversationItem; readonly search: ChatsSearch }): ReactNode {
  const words = usePageWords()
  const chosen = one.conversation_key === search.chat
  const said = one.last
  return (
    <Link
      to="/chats"
      search={{ ...(search.bot === undefined ? {} : { bot: search.bot }), chat: one.conversation_key }}
      aria-current={chosen ? 'true' : undefined}
      className={cx(
        'quick flex h-16 items-center gap-3 border-line border-b px-3 focus-visible:outline-offset-[-2px]',
        chosen ? 'bg-accent-soft' : 'hover:bg-ground-soft',
      )}
    >
      <Face name={one.name} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{one.name}</span>
          <span className="flex-none text-ink-soft text-xs">
            <TimeAgo at={one.last_at} form="short" />
          </span>
        </span>
        <span className="flex items-center gap-2 text-ink-soft text-sm">
          <span className="min-w-0 flex-1 truncate">
            {said === null
              ? words.nothingSaid
              : said.actor_name === null
                ? said.text
                : `${said.actor_name}: ${said.text}`}
          </span>
          {one.runs_active > 0 && (
            <span title={words.running(one.runs_active)} className="flex flex-none items-center">
              <Dot tone="accent" pulse />
              <span className="sr-only">{words.running(one.runs_active)}</span>
            </span>
          )}
          <span className="max-w-24 flex-none truncate text-xs">{one.bot_name}</span>
        </span>
      </span>
    </Link>
  )
}
