/** Serves one run: reads its context, starts the author's function, and ends it in exactly one way (wire.md §6). */
import { type IncomingRequest, LinkError } from '@runbound/link'
import type { JsonObject, RunnerResult } from '@runbound/protocol'
import { WireError } from '@runbound/protocol'
import type { RunnerComponent } from '../../define/component.ts'
import { result } from '../../results.ts'
import type { Wire } from '../calls/wire.ts'
import { errorText, stackOf } from '../error-text.ts'
import type { PluginLog, RunGuard } from '../surroundings.ts'
import { contextOf } from './context.ts'
import { drive } from './drive.ts'
import { grantsOf } from './grants.ts'
import { RunLife } from './life.ts'
import { RunOutput } from './output.ts'
import { readContext } from './read-context.ts'
import { runCalls } from './run-calls.ts'
import { tracer } from './trace.ts'

/** What serving a run needs of its plugin. */
export interface RunServices {
  readonly wire: Wire
  readonly runners: ReadonlyMap<string, RunnerComponent>
  /** Undefined until the plugin was initialised. */
  readonly settings: () => JsonObject | undefined
  readonly log: PluginLog
  readonly guard: RunGuard
}

/** Starts the run that a host asked for; the answer is the stream of its results. */
export function serveRun(request: IncomingRequest, services: RunServices): AsyncIterable<JsonObject> {
  const { runner_name, context: given } = request.data
  const read = readContext(given)
  if (!read.ok)
    return failed(read.run_id, `The context of the run is invalid: ${read.problem}.`, 'runner.context_invalid')
  const { context } = read
  const { run_id, runtime, event } = context
  const kind = runtime.metadata.component_kind
  if (kind !== undefined && kind !== 'Runner')
    throw new WireError('invalid_params', `run_runner cannot run a ${String(kind)}.`)
  const runner = typeof runner_name === 'string' ? services.runners.get(runner_name) : undefined
  if (runner === undefined)
    return failed(run_id, `This plugin has no Runner "${String(runner_name)}".`, 'runner.not_found')
  if (services.settings() === undefined)
    return failed(run_id, 'The plugin has not got its settings yet.', 'runner.not_initialized')
  const handler = runner.handlerFor(event.event_type)
  if (handler === undefined) {
    return failed(
      run_id,
      `Runner "${runner.name}" has no handler for ${event.event_type}, and no run(ctx).`,
      'runner.exception',
    )
  }

  const life = new RunLife(run_id, runtime.deadline_at)
  const stop = (): void => {
    output.abandon()
    life.end(LinkError.is(request.signal.reason) ? 'link_closed' : 'cancelled')
  }
  // Leaving the stream comes before the signal, which alone knows why.
  const output = new RunOutput(() => queueMicrotask(stop))
  request.signal.addEventListener('abort', stop, { once: true })
  const finish = (terminal: RunnerResult, reason: 'run_ended' | 'deadline'): void => {
    output.finish(terminal)
    life.end(reason)
  }
  life.onDeadline(() => {
    const error = `Runner "${runner.name}" did not end before its deadline.`
    finish(result.runFailed(run_id, error, { code: 'runner.timeout', retryable: true }), 'deadline')
  })
  if (life.over) return output

  const ctx = contextOf({
    context,
    life,
    output,
    calls: runCalls(services.wire, life, grantsOf(context)),
    traced: tracer(run_id, output),
    settings: () => services.settings() ?? {},
  })
  const report = (error: unknown): void => {
    if (life.over) return
    services.log('error', `Runner "${runner.name}", run ${run_id}: ${stackOf(error)}`)
    const text = `Runner "${runner.name}" failed: ${errorText(error)}`
    finish(result.runFailed(run_id, text, { code: 'runner.exception' }), 'run_ended')
  }
  services.guard({ run_id, runner: runner.name, report: strayReporter(run_id, output) }, () => {
    drive(handler, ctx, life, output).then((terminal) => finish(terminal, 'run_ended'), report)
  })
  return output
}

/** Writes what the author's background work threw into the log of its run, while that is open. */
function strayReporter(run_id: string, output: RunOutput): (error: unknown) => void {
  return (error) =>
    void output.push(result.processorLog(run_id, `A rejected promise was not handled: ${errorText(error)}`, 'error'))
}

async function* failed(run_id: string, error: string, code: string): AsyncGenerator<JsonObject> {
  yield { ...result.runFailed(run_id, error, { code }), usage: null, sequence: 1 }
}
