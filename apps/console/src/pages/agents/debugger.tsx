/** The event debugger: any event to this one processor, with simulated delivery and tools that answer as one likes. */
import { Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead, useStep } from '../../data/queries.ts'
import { startEvent } from '../../forms/event-fields.ts'
import { EventForm, type TypedEvent } from '../../forms/event-form.tsx'
import { Group } from '../../forms/group.tsx'
import { isObject, without } from '../../forms/json.ts'
import { TextRows } from '../../forms/list-controls.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { Switch } from '../../parts/switch.tsx'
import { requestOf, START } from './debug-request.ts'
import { DebugResult } from './debug-result.tsx'
import type { AgentSearch } from './route.tsx'
import { ToolMocks } from './tool-mocks.tsx'
import { usePageWords } from './words/words.ts'

const BY_HOST = [
  'type',
  'timestamp',
  'bot_uuid',
  'adapter_name',
  'instance_uuid',
  'workspace_uuid',
  'placement_generation',
  'source_platform_object',
]

export interface DebuggerProps {
  readonly one: Output<'getProcessor'>
  readonly search: AgentSearch
  readonly go: (search: AgentSearch) => void
  /** Settings on the page differ from those that a run would use. */
  readonly unsaved: boolean
}

export function Debugger({ one, search, go, unsaved }: DebuggerProps): ReactNode {
  const words = usePageWords()
  const types = useRead('listEventTypes', {})
  const recorded = useRead(
    'getEvent',
    { params: { event_id: search.from ?? '' } },
    { enabled: search.from !== undefined },
  )
  const grants = useRead('explainGrant', { body: { processor_id: one.processor_id } })
  const [event, setEvent] = useState<TypedEvent | null>(null)
  const [setup, setSetup] = useState(START)
  const [unreadable, setUnreadable] = useState(false)
  const send = useStep('debugEvent', { quiet: true, onDone: ({ event_id }) => go({ ...search, sent: event_id }) })

  const patterns = one.runner?.events ?? []
  const fitting = (types.data?.items ?? []).filter(({ event_type }) => takes(patterns, event_type))
  const [first] = fitting.length > 0 ? fitting : (types.data?.items ?? [])
  const began = recorded.data === undefined ? null : typedOf(recorded.data)
  const shown =
    event ?? began ?? (first === undefined ? null : { event_type: first.event_type, event: startEvent(first) })
  const request = shown === null ? null : requestOf(one.processor_id, search.bot, shown, setup)
  const tools = (grants.data?.things ?? []).flatMap(({ thing }) => (thing.startsWith('tool:') ? [thing.slice(5)] : []))

  return (
    <div className="@container min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid max-w-[1240px] grid-cols-1 gap-x-8 px-4 py-6 max-wide:px-3 @min-[860px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <Section title={words.madeUp} about={words.madeUpAbout}>
          <Card className="flex flex-col gap-5 p-4">
            {search.from !== undefined && recorded.isError && <Failure error={recorded.error} />}
            {types.isError && <Failure error={types.error} onRetry={() => void types.refetch()} />}
            {shown === null ? (
              <SkeletonRows rows={4} />
            ) : (
              <EventForm
                types={types.data?.items ?? []}
                value={shown}
                onValue={setEvent}
                onUnreadable={setUnreadable}
              />
            )}
            <details className="border-line border-t pt-4">
              <summary className="font-medium">{words.whoCaused}</summary>
              <div className="mt-3 grid grid-cols-1 gap-4 wide:grid-cols-2">
                <Field label={words.actorName}>
                  {(control) => (
                    <TextInput
                      {...control}
                      value={setup.actorName}
                      onChange={({ target }) => setSetup({ ...setup, actorName: target.value })}
                    />
                  )}
                </Field>
                <Field label={words.actorId} help={words.actorAbout}>
                  {(control) => (
                    <TextInput
                      {...control}
                      value={setup.actorId}
                      onChange={({ target }) => setSetup({ ...setup, actorId: target.value })}
                    />
                  )}
                </Field>
              </div>
            </details>
            <div className="border-line border-t pt-4">
              <ToolMocks
                mocks={setup.mocks}
                tools={[...new Set(tools)]}
                onMocks={(mocks) => setSetup({ ...setup, mocks })}
              />
            </div>
            <details className="border-line border-t pt-4">
              <summary className="font-medium">{words.simulated}</summary>
              <div className="mt-3 flex flex-col gap-4">
                <Switch
                  label={words.streaming}
                  help={words.streamingAbout}
                  checked={setup.streaming}
                  onChange={(streaming) => setSetup({ ...setup, streaming })}
                />
                <Group label={words.unsupported} help={words.unsupportedAbout}>
                  <TextRows
                    label={words.unsupported}
                    texts={setup.unsupported}
                    onTexts={(unsupported) => setSetup({ ...setup, unsupported })}
                  />
                </Group>
              </div>
            </details>
            {unsaved && <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{words.runsStored}</p>}
            {send.isError && (
              <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
                {send.error.message}
              </p>
            )}
            <Button
              kind="primary"
              icon={Send}
              busy={send.isPending}
              disabled={request === null || unreadable}
              className="self-start max-wide:!h-10 max-wide:w-full"
              onClick={() => request !== null && send.mutate({ body: request })}
            >
              {words.send}
            </Button>
          </Card>
        </Section>
        <DebugResult {...(search.sent === undefined ? {} : { eventId: search.sent })} />
      </div>
    </div>
  )
}

/** A recorded event as one to change and send again. */
function typedOf({ event_type, envelope }: Output<'getEvent'>): TypedEvent | null {
  if (!isObject(envelope) || !isObject(envelope.data)) return null
  return { event_type, event: without(envelope.data, ...BY_HOST) }
}

function takes(patterns: readonly string[], eventType: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === eventType ||
      (pattern.endsWith('.*') && eventType.startsWith(pattern.slice(0, -1))),
  )
}
