/** Names beside ids, as people read them: of bots, processors and, by an event, of people. Asked once for a whole page. */
import type { FoundEvent } from '../events/types.ts'
import type { FoundRun } from '../runs/types.ts'
import type { HandlerRooms } from './handlers/rooms.ts'

export interface Names {
  bot(botUuid: string | null): { readonly name: string; readonly platform: string } | null
  processor(processorId: string | null): string | null
}

export async function namesOf({ platforms, runs, identity }: HandlerRooms): Promise<Names> {
  const [bots, processors] = await Promise.all([platforms.bots(), runs.processors.list(identity.workspace_uuid)])
  const botNames = new Map(bots.map((bot) => [bot.bot_uuid, { name: bot.name, platform: bot.platform }]))
  const processorNames = new Map(processors.map(({ processor_id, name }) => [processor_id, name]))
  return {
    bot: (botUuid) => (botUuid === null ? null : (botNames.get(botUuid) ?? null)),
    processor: (processorId) => (processorId === null ? null : (processorNames.get(processorId) ?? null)),
  }
}

/** Runs with what people read of them. */
export async function shownRuns(rooms: HandlerRooms, found: readonly FoundRun[]) {
  const ids = found.flatMap(({ record: { event_id } }) => (event_id === null ? [] : [event_id]))
  const [names, events] = await Promise.all([namesOf(rooms), rooms.events.of(ids)])
  return found.map((run) => shownRun(run, names, events.get(run.record.event_id ?? '')))
}

const RUNNER_ID = /^plugin:(.*)\/([^/]+)$/

function shownRun(run: FoundRun, names: Names, event: FoundEvent | undefined) {
  const { record, duration_ms, installation_uuid, actor_id, conversation_key, processor_kind, event_type } = run
  const [, plugin_id = record.runner_id ?? '', runner_name = ''] = RUNNER_ID.exec(record.runner_id ?? '') ?? []
  return {
    ...record,
    view: {
      bot_name: names.bot(record.bot_id)?.name ?? null,
      processor_name: names.processor(record.agent_id),
      processor_kind,
      plugin_id,
      runner_name,
      installation_uuid,
      actor_id,
      actor_name: event?.actor_name ?? null,
      event_type,
      conversation_key,
      input: event?.input_summary ?? null,
      created_at: run.created_at,
      finished_at: run.finished_at,
      duration_ms,
      // A run that is repeated waited for its first attempt only: later ones are told apart by `attempt`.
      waited_ms: event === undefined ? null : Math.max(0, run.created_at - event.created_at),
      reason_code: run.reason_code,
      attempt: run.attempt,
      effect: run.effect,
      debug: run.debug,
      last_sequence: run.last_sequence,
    },
  }
}

/** Events with their verdict and the runs that came of them. */
export async function shownEvents(rooms: HandlerRooms, found: readonly FoundEvent[]) {
  const ids = found.map(({ event_id }) => event_id)
  const [names, verdicts, runs] = await Promise.all([
    namesOf(rooms),
    rooms.trail.verdicts(ids),
    rooms.runs.ofEvents(ids),
  ])
  return found.map(({ seq: _seq, input_summary, event_time, ...event }) => {
    const verdict = verdicts.get(event.event_id)
    return {
      ...event,
      bot_name: names.bot(event.bot_uuid)?.name ?? null,
      text: input_summary,
      event_time: event_time === null ? null : event_time * 1_000,
      why: verdict === undefined ? null : withoutEntries(verdict),
      runs: (runs.get(event.event_id) ?? []).map(({ run_id, status, processor_id }) => ({
        run_id,
        status,
        processor_id,
        processor_name: names.processor(processor_id),
      })),
    }
  })
}

const withoutEntries = <V extends { readonly entries: unknown }>({ entries: _entries, ...verdict }: V) => verdict
