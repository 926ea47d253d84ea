/** Asks the host where an event would go, with the routes as they stand on the page; again when they change. */
import type { ApiError } from '@runbound/api'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Output } from '../../data/client.ts'
import { useRead } from '../../data/queries.ts'
import type { TypedEvent } from '../../forms/event-form.tsx'
import { sameJson } from '../../forms/json.ts'
import type { RoutesDraft } from './routes-draft.ts'

/** A moment after the last change. */
const PAUSE_MS = 300

export type DryRunAnswer = Output<'dryRun'>

export interface DryRunState {
  readonly answer: UseQueryResult<DryRunAnswer, ApiError>
  readonly asked: boolean
  /** Tries a made-up event; null ends it. */
  readonly tryEvent: (event: TypedEvent | null) => void
}

export function useDryRun(botUuid: string, draft: RoutesDraft, recorded: string | undefined): DryRunState {
  const [typed, setTyped] = useState<TypedEvent | null>(null)
  const { routes, plugin_processors } = useSettled(draft)
  const event =
    typed !== null
      ? { event: { ...typed.event, type: typed.event_type } }
      : recorded === undefined
        ? null
        : { event_id: recorded }
  const answer = useRead(
    'dryRun',
    {
      params: { bot_uuid: botUuid },
      body: { ...event, routes: [...routes], plugin_processors: [...plugin_processors] },
    },
    { enabled: event !== null, keep: event !== null },
  )
  return { answer, asked: event !== null, tryEvent: setTyped }
}

/** The value once it has stayed the same for a moment. */
function useSettled(value: RoutesDraft): RoutesDraft {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (sameJson(settled, value)) return
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
