/** The dry run: an event, made up or recorded, and where it would go. Nothing runs and nothing is stored. */
import { Check, FlaskConical } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead } from '../../data/queries.ts'
import { startEvent } from '../../forms/event-fields.ts'
import { EventForm, type TypedEvent } from '../../forms/event-form.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { Card, Section } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { RecordedEvents } from './recorded-events.tsx'
import type { DryRunAnswer, DryRunState } from './use-dry-run.ts'
import { usePageWords } from './words/words.ts'

export interface DryRunProps {
  readonly bot: Output<'getBot'>
  readonly dryRun: DryRunState
  readonly recorded?: string
  readonly onRecorded: (eventId: string | null) => void
}

export function DryRun({ bot, dryRun, recorded, onRecorded }: DryRunProps): ReactNode {
  const words = usePageWords()
  const types = useRead('listEventTypes', {})
  const [kind, setKind] = useState<'typed' | 'recorded'>(recorded === undefined ? 'typed' : 'recorded')
  const [event, setEvent] = useState<TypedEvent | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  const [first] = types.data?.items ?? []
  const shown = event ?? (first === undefined ? null : { event_type: first.event_type, event: startEvent(first) })
  const { answer, asked } = dryRun

  return (
    <Section title={words.dryRun} about={words.dryRunAbout}>
      <Card className="overflow-hidden">
        <fieldset aria-label={words.dryRunOf} className="flex border-line border-b bg-ground-soft p-1">
          {(['typed', 'recorded'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={kind === one}
              onClick={() => setKind(one)}
              className={cx(
                'quick h-8 flex-1 rounded-md text-sm',
                kind === one ? 'bg-ground font-medium shadow-raised/10' : 'text-ink-soft hover:text-ink',
              )}
            >
              {one === 'typed' ? words.typedEvent : words.recordedEvent}
            </button>
          ))}
        </fieldset>
        <div className="p-4">
          {kind === 'recorded' ? (
            <RecordedEvents
              botUuid={bot.bot_uuid}
              {...(recorded === undefined ? {} : { chosen: recorded })}
              onChoose={(id) => {
                dryRun.tryEvent(null)
                onRecorded(id)
              }}
            />
          ) : shown === null ? (
            types.isError ? (
              <Failure error={types.error} onRetry={() => void types.refetch()} />
            ) : (
              <SkeletonRows rows={3} />
            )
          ) : (
            <>
              <EventForm
                types={types.data?.items ?? []}
                value={shown}
                onValue={setEvent}
                onUnreadable={setUnreadable}
              />
              <Button
                kind="primary"
                icon={FlaskConical}
                disabled={unreadable}
                busy={asked && answer.isFetching}
                className="mt-4 w-full max-wide:!h-10"
                onClick={() => {
                  onRecorded(null)
                  dryRun.tryEvent(shown)
                  if (asked) void answer.refetch()
                }}
              >
                {words.tryEvent}
              </Button>
            </>
          )}
        </div>
        {asked && answer.isError && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {asked && answer.data !== undefined && !answer.isError && <Verdict answer={answer.data} />}
      </Card>
    </Section>
  )
}

function Verdict({ answer }: { readonly answer: DryRunAnswer }): ReactNode {
  const words = usePageWords()
  const winner = answer.routes.find(({ wins }) => wins)
  const asWell = answer.plugin_processors.filter(({ gets }) => gets)
  const own = useRef<HTMLElement>(null)
  useEffect(() => {
    // In braces: newer browsers give a promise back, and an effect must not.
    own.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section ref={own} aria-label={words.verdict} aria-live="polite" className="border-line border-t px-4 py-3">
      <p className="mb-1 flex flex-wrap items-center gap-2">
        <Badge tone={winner === undefined ? 'warn' : winner.target_type === 'discard' ? 'neutral' : 'ok'}>
          {winner === undefined
            ? words.noWinner
            : winner.target_type === 'discard'
              ? words.discard
              : words.goesToName(winner.processor_name ?? winner.processor_id ?? '')}
        </Badge>
        <code className="text-ink-soft">{answer.code}</code>
      </p>
      <p className="text-ink-soft text-sm">{answer.sentence}</p>
      {answer.routes.length > 0 && (
        <ol className="mt-3 flex flex-col gap-2">
          {answer.routes.map((route, at) => (
            <li key={route.route_id} className="flex items-start gap-2 text-sm">
              <span
                className={cx(
                  'mt-0.5 flex size-4 flex-none items-center justify-center rounded-full text-[10px] tabular-nums',
                  route.wins ? 'bg-ok-soft text-ok' : 'bg-ground-hover text-ink-soft',
                )}
              >
                {route.wins ? <Check className="size-3" aria-hidden /> : at + 1}
              </span>
              <span className="min-w-0">
                <code>{route.event_pattern}</code>{' '}
                <span className={route.wins ? 'text-ok' : 'text-ink-soft'}>
                  {route.wins ? words.wins : route.sentence}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {asWell.length > 0 && (
        <p className="mt-3 text-sm">
          <span className="text-ink-soft">{words.asWell}</span>{' '}
          {asWell.map(({ processor_name, processor_id }) => processor_name ?? processor_id).join(', ')}
        </p>
      )}
    </section>
  )
}
