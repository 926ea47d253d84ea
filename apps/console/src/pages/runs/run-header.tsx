/** Above the timeline: how it stands, who said what to whom, how long it took, and what is near it. */
import { Link } from '@tanstack/react-router'
import { Ban, Bot, Cable, Download, Ellipsis, MessagesSquare, Plug, Zap } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useStep } from '../../data/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Menu } from '../../parts/menu.tsx'
import { PageHeader } from '../../parts/page.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { notify } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { Elapsed, isOver, Status } from './status.tsx'
import { useDownload } from './use-download.ts'
import { usePageWords } from './words/words.ts'

export type Run = Output<'getRun'>

export function RunHeader({ run }: { readonly run: Run }): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const [asks, setAsks] = useState(false)
  const cancel = useStep('cancelRun', { refreshes: ['getRun'] })
  const alive = !isOver(run.status)
  const name = run.view.processor_name ?? run.view.runner_name
  const { save } = useDownload(run.run_id)
  return (
    <>
      <PageHeader
        title={name}
        back="/runs"
        about={
          <>
            <Status status={run.status} />
            <code title={run.run_id} className="text-ink-soft max-wide:hidden">
              {run.run_id.slice(0, 8)}
            </code>
            <span className="-ml-2 max-wide:hidden">
              <CopyButton text={run.run_id} label={words.copyId} />
            </span>
          </>
        }
        actions={
          <>
            {alive && (
              <Button
                icon={Ban}
                busy={cancel.isPending}
                disabled={run.cancel_requested_at !== null}
                onClick={() => setAsks(true)}
              >
                {run.cancel_requested_at === null ? words.cancel.verb : words.cancel.asked}
              </Button>
            )}
            <Menu
              label={shell.parts.more}
              groups={[
                [
                  { id: 'json', label: words.download, icon: Download, run: save },
                  {
                    id: 'id',
                    label: words.copyId,
                    run: () =>
                      void navigator.clipboard
                        .writeText(run.run_id)
                        .then(() => notify({ tone: 'ok', text: shell.parts.copied })),
                  },
                ],
              ]}
            >
              {(trigger) => <IconButton icon={Ellipsis} label={shell.parts.more} {...trigger} />}
            </Menu>
          </>
        }
      />
      <About run={run} />
      {asks && (
        <Confirm
          title={words.cancel.title(name)}
          verb={words.cancel.verb}
          busy={cancel.isPending}
          onConfirm={() =>
            cancel.mutate(
              { params: { run_id: run.run_id }, body: { reason: null } },
              { onSettled: () => setAsks(false) },
            )
          }
          onClose={() => setAsks(false)}
        >
          {words.cancel.about(run.view.actor_name ?? run.view.actor_id ?? words.someone)}
        </Confirm>
      )}
    </>
  )
}

const NEAR = 'inline-flex flex-none items-center gap-1 hover:text-ink hover:underline'
const SAME = 'underline decoration-line-strong underline-offset-2 hover:text-ink'

function About({ run }: { readonly run: Run }): ReactNode {
  const words = usePageWords()
  const { view } = run
  const who = view.actor_name ?? view.actor_id
  return (
    <div className="flex flex-none flex-col gap-1 border-line border-b px-4 py-2.5 max-wide:px-3">
      <p className="flex min-w-0 items-baseline gap-2">
        {who !== null && <span className="flex-none font-medium">{who}</span>}
        <span className="min-w-0 truncate">{view.input ?? view.event_type ?? words.noEvent}</span>
        {view.debug && <Badge tone="info">{words.debug}</Badge>}
        {view.attempt > 1 && <Badge>{words.attempt(view.attempt)}</Badge>}
      </p>
      <div className="flex min-w-0 items-center gap-x-4 gap-y-1 whitespace-nowrap text-ink-soft text-sm [scrollbar-width:none] wide:flex-wrap max-wide:-mx-3 max-wide:overflow-x-auto max-wide:px-3">
        <span className="inline-flex items-center gap-1.5">
          <Elapsed ms={view.duration_ms} since={view.created_at} runs={!isOver(run.status)} />
          <span aria-hidden>·</span>
          <TimeAgo at={view.created_at} />
        </span>
        {run.bot_id !== null && (
          <Link to="/bots/$botUuid" params={{ botUuid: run.bot_id }} className={NEAR}>
            <Bot className="size-3.5" aria-hidden />
            {view.bot_name ?? run.bot_id.slice(0, 8)}
          </Link>
        )}
        {view.conversation_key !== null && (
          <Link to="/chats" search={{ chat: view.conversation_key }} className={NEAR}>
            <MessagesSquare className="size-3.5" aria-hidden />
            {words.near.conversation}
          </Link>
        )}
        {run.event_id !== null && (
          <Link to="/events/$eventId" params={{ eventId: run.event_id }} className={NEAR}>
            <Cable className="size-3.5" aria-hidden />
            {words.near.event}
          </Link>
        )}
        <Link to="/plugins/$installationUuid" params={{ installationUuid: view.installation_uuid }} className={NEAR}>
          <Plug className="size-3.5" aria-hidden />
          {view.plugin_id}
        </Link>
        <span className="inline-flex flex-none items-center gap-1.5">
          <Zap className="size-3.5" aria-hidden />
          {words.near.same}
          {view.conversation_key !== null && (
            <Link to="/runs" search={{ conversation: view.conversation_key }} className={SAME}>
              {words.near.sameConversation}
            </Link>
          )}
          {run.agent_id !== null && (
            <Link to="/runs" search={{ processor: run.agent_id }} className={SAME}>
              {words.near.sameProcessor}
            </Link>
          )}
          <Link to="/runs" search={{ plugin: view.installation_uuid }} className={SAME}>
            {words.near.samePlugin}
          </Link>
        </span>
      </div>
    </div>
  )
}
