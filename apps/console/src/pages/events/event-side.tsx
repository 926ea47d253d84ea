/** Beside an event: the facts, its runs, and how to try it again without sending anything. */
import { Link } from '@tanstack/react-router'
import { Bug, FlaskConical, MessagesSquare, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Section } from '../../parts/page.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { debugLink, dryRunLink } from './links.ts'
import type { EventDetail } from './outcome.tsx'
import { usePageWords } from './words/words.ts'

export interface EventSideProps {
  readonly event: EventDetail
  readonly processors: Output<'listProcessors'>['items']
}

export function EventSide({ event, processors }: EventSideProps): ReactNode {
  const words = usePageWords()
  return (
    <aside className="min-w-0">
      <Section title={words.about}>
        <Facts event={event} />
      </Section>
      <Section title={words.runs}>
        {event.runs.length === 0 && <p className="text-ink-soft">{words.noRuns}</p>}
        <ul className="flex flex-col gap-1">
          {event.runs.map((run) => (
            <li key={run.run_id}>
              <Link
                to="/runs/$runId"
                params={{ runId: run.run_id }}
                className="quick flex min-h-9 items-center gap-2 rounded-md border border-line px-2 hover:bg-ground-hover"
              >
                <Zap className="icon text-ink-soft" aria-hidden />
                <span className="min-w-0 flex-1 truncate">{run.processor_name ?? run.processor_id}</span>
                <Badge tone={TONES[run.status] ?? 'neutral'}>{run.status}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      </Section>
      <Again event={event} processors={processors} />
    </aside>
  )
}

const TONES: Readonly<Record<string, 'ok' | 'danger' | 'info' | 'neutral'>> = {
  completed: 'ok',
  failed: 'danger',
  timeout: 'danger',
  running: 'info',
}

function Again({ event, processors }: EventSideProps): ReactNode {
  const words = usePageWords()
  // Those that had it first; for an event that nobody took, any that could.
  const had = event.runs.flatMap(({ processor_id, processor_name }) => [
    { processor_id, name: processor_name ?? processor_id },
  ])
  const known = had.length > 0 ? had : processors.filter(({ enabled }) => enabled).slice(0, 1)
  const unique = [...new Map(known.map((one) => [one.processor_id, one])).values()]
  if (event.bot_uuid === null && unique.length === 0) return null
  return (
    <Section title={words.more}>
      <div className="flex flex-col gap-2">
        {event.bot_uuid !== null && (
          <Link {...dryRunLink(event.bot_uuid, event.event_id)} className={cx(buttonClass(), '!justify-start')}>
            <FlaskConical className="icon" aria-hidden />
            <span className="truncate">{words.dryRun}</span>
          </Link>
        )}
        {unique.map(({ processor_id, name }) => (
          <Link
            key={processor_id}
            {...debugLink(processor_id, event.event_id)}
            className={cx(buttonClass(), '!justify-start')}
          >
            <Bug className="icon" aria-hidden />
            <span className="min-w-0 truncate">{words.debugWith(name)}</span>
          </Link>
        ))}
      </div>
    </Section>
  )
}

function Facts({ event }: { readonly event: EventDetail }): ReactNode {
  const words = usePageWords()
  const facts: readonly (readonly [label: string, value: ReactNode] | null)[] = [
    event.bot_uuid === null
      ? null
      : [
          words.facts.bot,
          <Link key="bot" to="/bots/$botUuid" params={{ botUuid: event.bot_uuid }} className="hover:underline">
            {event.bot_name ?? event.bot_uuid}
          </Link>,
        ],
    event.conversation_key === null
      ? null
      : [
          words.facts.chat,
          <Link
            key="chat"
            to="/chats"
            search={{ chat: event.conversation_key }}
            className="inline-flex max-w-full items-center gap-1 hover:underline"
          >
            <MessagesSquare className="icon flex-none text-ink-soft" aria-hidden />
            <span className="truncate">{words.openChat}</span>
          </Link>,
        ],
    event.actor_id === null ? null : [words.facts.actor, event.actor_name ?? event.actor_id],
    [words.facts.received, <TimeAgo key="at" at={event.created_at} />],
    event.event_time === null ? null : [words.facts.happened, <TimeAgo key="time" at={event.event_time} />],
    event.message_id === null ? null : [words.facts.message, <Id key="message" id={event.message_id} />],
    [words.facts.source, event.debug ? words.debug : event.source],
    [words.facts.id, <Id key="id" id={event.event_id} />],
  ]
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-center gap-x-4 gap-y-1">
      {facts.map((fact) =>
        fact === null ? null : (
          <div key={fact[0]} className="contents">
            <dt className="text-ink-soft">{fact[0]}</dt>
            <dd className="flex min-h-7 min-w-0 items-center">{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

function Id({ id }: { readonly id: string }): ReactNode {
  return (
    <>
      <code className="min-w-0 flex-1 truncate text-ink-soft" title={id}>
        {id}
      </code>
      <CopyButton text={id} className="!h-7 !w-7" />
    </>
  )
}
