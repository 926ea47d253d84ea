/** The list of conversations: pages of it, and what is typed to narrow it. */
import { useCallback, useDeferredValue, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useReadPages } from '../../data/queries.ts'

export type ConversationItem = Output<'listConversations'>['items'][number]

export interface Conversations {
  readonly items: readonly ConversationItem[]
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly error: Error | null
  readonly retry: () => void
  readonly loadingMore: boolean
  readonly more: () => void
  readonly text: string
  readonly setText: (text: string) => void
}

const PER_PAGE = 50

export function useConversations(bot: string | undefined): Conversations {
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim())
  const read = useReadPages(
    'listConversations',
    {
      query: {
        limit: PER_PAGE,
        ...(bot === undefined ? {} : { bot_uuid: bot }),
        ...(wanted === '' ? {} : { q: wanted }),
      },
    },
    { keep: true },
  )
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = read
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    items: read.data?.pages.flatMap((page) => page.items) ?? [],
    isPending: read.isPending,
    isSuccess: read.isSuccess,
    error: read.error,
    retry: () => void refetch(),
    loadingMore: isFetchingNextPage,
    more,
    text,
    setText,
  }
}
