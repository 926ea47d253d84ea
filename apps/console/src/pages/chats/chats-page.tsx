/** Every conversation of every bot at the left, what was said at the right, live; a web chat can be tried in its place. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { SplitPane } from '../../parts/split-pane.tsx'
import { Empty } from '../../parts/states.tsx'
import { Conversation } from './conversation.tsx'
import { ConversationList } from './conversation-list.tsx'
import type { ChatsSearch } from './route.tsx'
import { TryIt } from './try-it.tsx'
import { useConversations } from './use-conversations.ts'
import { usePageWords } from './words/words.ts'

export function ChatsPage(): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/chats' })
  const status = useRead('status', {})
  const conversations = useConversations(search.bot)

  const webchats = (status.data?.bots ?? []).filter((bot) => bot.platform === 'webchat' && bot.enabled)
  const tried = webchats.find((bot) => bot.bot_uuid === search.try)
  const isOpen = search.chat !== undefined || search.try !== undefined
  // A fresh host has said nothing yet: the first thing to do is to talk to it.
  const first = !isOpen && conversations.isSuccess && conversations.items.length === 0 ? webchats[0] : undefined
  const go = (next: ChatsSearch): void => void navigate({ to: '/chats', search: next })

  function detail(): ReactNode {
    const shown = tried ?? first
    if (shown !== undefined) return <TryIt key={shown.bot_uuid} bot={shown} onBack={() => go(without(search))} />
    if (search.chat !== undefined)
      return <Conversation key={search.chat} conversationKey={search.chat} onBack={() => go(without(search))} />
    return (
      <Empty
        icon={MessagesSquare}
        title={words.choose}
        action={webchats.map((bot) => (
          <Button key={bot.bot_uuid} onClick={() => go({ ...without(search), try: bot.bot_uuid })}>
            {words.tryBot(bot.name)}
          </Button>
        ))}
      >
        {words.chooseAbout}
      </Empty>
    )
  }

  return (
    <SplitPane
      name="chats"
      label={words.split}
      showsDetail={isOpen}
      list={
        <ConversationList
          conversations={conversations}
          bots={status.data?.bots ?? []}
          webchats={webchats}
          search={search}
          go={go}
        />
      }
      detail={detail()}
    />
  )
}

function without({ bot }: ChatsSearch): ChatsSearch {
  return bot === undefined ? {} : { bot }
}
