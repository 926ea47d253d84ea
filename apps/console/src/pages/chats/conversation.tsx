/** One conversation: what was said, newest at the foot, older as one scrolls up, new ones as they come. */
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowLeft, MessageCircleDashed, Zap } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useRead, useReadPages } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass, IconButton } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { Message } from './message.tsx'
import { usePageWords } from './words/words.ts'

const PER_PAGE = 50
/** Nearer to the foot than this, new messages keep it in view. */
const AT_FOOT = 80

export interface ConversationProps {
  readonly conversationKey: string
  readonly onBack: () => void
}

export function Conversation({ conversationKey, onBack }: ConversationProps): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const params = { conversation_key: conversationKey }
  const conversation = useRead('getConversation', { params })
  const read = useReadPages('listMessages', { params, query: { limit: PER_PAGE, direction: 'backward' } })
  const messages = (read.data?.pages ?? []).flatMap((page) => page.items).toSorted((a, b) => a.seq - b.seq)
  const one = conversation.data
  const spoke = new Set(messages.filter(({ role }) => role === 'assistant').map(({ run_id }) => run_id))

  return (
    <section aria-label={one?.name ?? words.title} className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-[var(--head)] flex-none items-center gap-2 border-line border-b px-4 py-1.5 max-wide:px-3">
        <IconButton icon={ArrowLeft} label={shell.parts.back} onClick={onBack} className="-ml-2 wide:hidden" />
        <h2 className="min-w-0 truncate font-semibold text-[15px]">{one?.name ?? ' '}</h2>
        {one?.bot_name != null && <span className="min-w-0 truncate text-ink-soft">{one.bot_name}</span>}
        {one?.debug === true && <Badge tone="info">{words.debug}</Badge>}
        <div className="ml-auto flex flex-none items-center gap-2">
          {one !== undefined && one.runs_active > 0 && <Badge tone="accent">{words.running(one.runs_active)}</Badge>}
          <Link to="/runs" search={{ conversation: conversationKey }} className={buttonClass('plain', 'small')}>
            <Zap className="icon" aria-hidden />
            {shell.pages.runs}
          </Link>
        </div>
      </header>
      {read.isPending && <SkeletonRows tall />}
      {read.isError && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.isSuccess && messages.length === 0 && (
        <Empty icon={MessageCircleDashed} title={words.nothingSaid}>
          {words.nothingSaidAbout}
        </Empty>
      )}
      {messages.length > 0 && (
        <Thread
          older={read.hasNextPage ? () => void read.fetchNextPage() : null}
          loadingOlder={read.isFetchingNextPage}
          last={messages.at(-1)?.seq ?? 0}
          first={messages[0]?.seq ?? 0}
        >
          {messages.map((message, at) => (
            <Message
              key={message.seq}
              message={message}
              before={messages[at - 1]}
              answered={spoke.has(message.run_id)}
            />
          ))}
        </Thread>
      )}
    </section>
  )
}

interface ThreadProps {
  readonly older: (() => void) | null
  readonly loadingOlder: boolean
  readonly first: number
  readonly last: number
  readonly children: ReactNode
}

/** Keeps the foot in view while one reads there, and the place while older messages come in above. */
function Thread({ older, loadingOlder, first, last, children }: ThreadProps): ReactNode {
  const words = usePageWords()
  const ref = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const heightBefore = useRef(0)
  const [away, setAway] = useState(false)
  const follows = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: looks whenever a message came at the foot
  useLayoutEffect(() => {
    const thread = ref.current
    if (thread !== null && follows.current) thread.scrollTop = thread.scrollHeight
  }, [last])
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks whenever older messages came
  useLayoutEffect(() => {
    const thread = ref.current
    if (thread === null) return
    if (!follows.current && heightBefore.current > 0) thread.scrollTop += thread.scrollHeight - heightBefore.current
    heightBefore.current = thread.scrollHeight
  }, [first])
  useEffect(() => {
    if (older === null || top.current === null) return
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true || loadingOlder) return
      heightBefore.current = ref.current?.scrollHeight ?? 0
      older()
    })
    seen.observe(top.current)
    return () => seen.disconnect()
  }, [older, loadingOlder])

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={ref}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        role="log"
        aria-label={words.messages}
        aria-live="off"
        onScroll={({ currentTarget: thread }) => {
          const near = thread.scrollHeight - thread.scrollTop - thread.clientHeight < AT_FOOT
          follows.current = near
          if (near === away) setAway(!near)
        }}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-4 [overflow-anchor:none] focus-visible:outline-offset-[-2px] max-wide:px-3"
      >
        <div ref={top} className={cx('h-px', loadingOlder && 'skeleton mb-4 !h-8')} />
        <div className="mx-auto flex w-full max-w-[760px] flex-col">{children}</div>
      </div>
      {away && (
        <Button
          size="small"
          icon={ArrowDown}
          className="absolute bottom-4 left-1/2 -translate-x-1/2 shadow-raised"
          onClick={() => ref.current?.scrollTo({ top: ref.current.scrollHeight })}
        >
          {words.newest}
        </Button>
      )}
    </div>
  )
}
