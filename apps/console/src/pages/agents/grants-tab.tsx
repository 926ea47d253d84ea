/** Grants as switches: what each thing is, what manifest, operator, event, platform and person say, and what comes of it. */
import { type ReactNode, useEffect, useState } from 'react'
import { useRead } from '../../data/queries.ts'
import type { Draft } from '../../forms/draft.ts'
import { sameJson } from '../../forms/json.ts'
import { Field, Select } from '../../parts/field.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import type { AgentDraft, ProcessorInput } from './agent-draft.ts'
import { switched } from './grant-switch.ts'
import { GrantTable } from './grant-table.tsx'
import type { AgentSearch } from './route.tsx'
import { usePageWords } from './words/words.ts'

/** A moment after the last change of what is explained. */
const PAUSE_MS = 200

export interface GrantsTabProps {
  readonly draft: Draft<AgentDraft>
  /** The draft as it would be saved. */
  readonly input: ProcessorInput
  readonly search: AgentSearch
  readonly go: (search: AgentSearch) => void
}

export function GrantsTab({ draft, input, search, go }: GrantsTabProps): ReactNode {
  const words = usePageWords()
  const types = useRead('listEventTypes', {})
  const bots = useRead('listBots', {})
  const event = search.event ?? 'message.received'
  const settled = useSettled(input)
  const explained = useRead(
    'explainGrant',
    { body: { draft: settled, event_type: event, bot_uuid: search.bot ?? null } },
    { keep: true },
  )
  const things = explained.data?.things ?? []
  const events = (types.data?.items ?? []).map(({ event_type }) => event_type)
  return (
    <div className="mx-auto max-w-[1080px]">
      <div className="mb-6 grid grid-cols-1 gap-4 wide:grid-cols-2">
        <Field label={words.grantsFor} help={words.grantsForAbout}>
          {(control) => (
            <Select
              {...control}
              value={event}
              onValue={(next) => go({ ...search, event: next })}
              choices={(events.includes(event) ? events : [event, ...events]).map((value) => ({ value, label: value }))}
            />
          )}
        </Field>
        <Field label={words.grantsOn} help={words.grantsOnAbout}>
          {(control) => (
            <Select
              {...control}
              value={search.bot ?? ''}
              onValue={(next) => {
                const { bot: _before, ...rest } = search
                go(next === '' ? rest : { ...rest, bot: next })
              }}
              choices={[
                { value: '', label: words.anyPlatform },
                ...(bots.data?.items ?? []).map(({ bot_uuid, name }) => ({ value: bot_uuid, label: name })),
              ]}
            />
          )}
        </Field>
      </div>
      {explained.isPending && <SkeletonRows rows={8} />}
      {explained.isError && <Failure error={explained.error} onRetry={() => void explained.refetch()} />}
      {things.length > 0 && (
        <GrantTable
          things={things}
          stale={explained.isPlaceholderData}
          onSwitch={(thing, on) =>
            draft.set((before) => ({ ...before, grants: switched(before.grants, things, thing, on) }))
          }
        />
      )}
    </div>
  )
}

/** The value once it has stayed the same for a moment. */
function useSettled(value: ProcessorInput): ProcessorInput {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (sameJson(settled, value)) return
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
