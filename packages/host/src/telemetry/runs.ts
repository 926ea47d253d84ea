/** Runs, counted and timed from outside: between the room that starts them and the room that runs them. */
import type { Clock } from '../clock.ts'
import type { RunOutcome, RunRequest, Runs } from '../runs/types.ts'
import { timeOfId } from '../time-id.ts'
import type { Samples } from './metric-text.ts'
import { Counter, Histogram } from './metric-values.ts'
import { leftRunSpan, runSpan, type SpanData } from './spans.ts'

export interface WatchedRuns {
  around(room: Runs): Pick<Runs, 'start' | 'leftovers' | 'endLeft'>
  samples(): Pick<
    Samples,
    | 'runbound_runs_total'
    | 'runbound_runs_not_started_total'
    | 'runbound_run_duration_seconds'
    | 'runbound_run_wait_seconds'
  >
}

export interface RunWatchParts {
  readonly clock: Clock
  /** Event of each active run; kept up here. */
  readonly active: Map<string, string>
  /** Null: no traces. */
  readonly trace: ((span: SpanData) => void) | null
}

/** Watches runs. */
export function watchRuns({ clock, active, trace }: RunWatchParts): WatchedRuns {
  const ended = new Counter()
  const notStarted = new Counter()
  const durations = new Histogram()
  const waits = new Histogram()

  function end(request: RunRequest, start: number, outcome: RunOutcome): void {
    const { processor, row_id, envelope, attempt } = request
    const now = clock.now()
    // A row's id was made when its event was accepted.
    const waitMs = Math.max(0, start - (timeOfId(row_id) ?? start))
    ended.add(outcome.status, processor.name, pluginOf(processor.runner_id))
    durations.observe((now - start) / 1e3, processor.kind)
    waits.observe(waitMs / 1e3, processor.kind)
    trace?.(runSpan({ eventId: envelope.event_id, processor, outcome, attempt, start, end: now, waitMs }))
  }

  return {
    around: (room) => ({
      async start(request) {
        let run: { readonly id: string; readonly start: number } | undefined
        const outcome = await room.start({
          ...request,
          // Asked for with tx 2: the moment in which a run begins.
          opening(begun) {
            run = { id: begun.run_id, start: clock.now() }
            active.set(run.id, request.envelope.event_id)
            return request.opening(begun)
          },
          closing: (how) => request.closing(how),
        })
        if (run !== undefined) active.delete(run.id)
        if (outcome.status === 'not_started') notStarted.add(outcome.code)
        else end(request, run?.start ?? clock.now(), outcome)
        return outcome
      },
      leftovers: () => room.leftovers(),
      endLeft(left) {
        const { event_id, run_id, processor_id } = left
        if (trace !== null && event_id !== null) trace(leftRunSpan(event_id, run_id, processor_id, clock.now()))
        return room.endLeft(left)
      },
    }),
    samples: () => ({
      runbound_runs_total: ended.samples(),
      runbound_runs_not_started_total: notStarted.samples(),
      runbound_run_duration_seconds: durations.samples(),
      runbound_run_wait_seconds: waits.samples(),
    }),
  }
}

/** `author/name` of `plugin:author/name/runner`. */
function pluginOf(runnerId: string): string {
  return /^plugin:([^/]+\/[^/]+)/.exec(runnerId)?.[1] ?? runnerId
}
