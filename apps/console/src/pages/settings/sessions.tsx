/** Browsers in which this account is signed in; each can be ended but the one that looks, which signs out. */
import { type ReactNode, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead, useStep } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { browserName } from './browser-name.ts'
import { usePageWords } from './words/words.ts'

type Session = Output<'listSessions'>['items'][number]

export function Sessions(): ReactNode {
  const words = usePageWords()
  const sessions = useRead('listSessions', {})
  const [ending, setEnding] = useState<Session | null>(null)
  const end = useStep('endSession', {
    refreshes: ['listSessions'],
    done: words.sessionEnded,
    onDone: () => setEnding(null),
  })
  const nameOf = (session: Session): string => browserName(session.browser) ?? words.unknownBrowser
  return (
    <Section title={words.sessions} about={words.sessionsAbout}>
      <Card>
        {sessions.isPending && <SkeletonRows rows={2} />}
        {sessions.isError && <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />}
        <ul>
          {sessions.data?.items.map((session) => (
            <li
              key={session.session_id}
              className="flex min-h-14 items-center gap-3 border-line border-b px-4 py-2 last:border-b-0"
            >
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2">
                  <span title={session.browser ?? undefined} className="truncate font-medium">
                    {nameOf(session)}
                  </span>
                  {session.current && <Badge tone="ok">{words.thisBrowser}</Badge>}
                </p>
                <p className="text-ink-soft text-sm">
                  {session.by === 'link' ? words.byLink : words.byPassword} <TimeAgo at={session.created_at} />
                  {' · '}
                  {words.lastSeen} <TimeAgo at={session.seen_at} />
                </p>
              </div>
              {!session.current && (
                <Button size="small" onClick={() => setEnding(session)}>
                  {words.endSession}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {ending !== null && (
        <Confirm
          title={words.endSessionTitle(nameOf(ending))}
          verb={words.endSession}
          busy={end.isPending}
          onConfirm={() => end.mutate({ params: { session_id: ending.session_id } })}
          onClose={() => setEnding(null)}
        >
          {words.endSessionAbout}
        </Confirm>
      )}
    </Section>
  )
}
