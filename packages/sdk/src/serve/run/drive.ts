/** Runs the author's function and turns what it gives back into results (wire.md §6.4). */
import type { RunnerResult } from '@runbound/protocol'
import { LIMITS } from '@runbound/protocol'
import type { FullRunnerContext } from '../../context/runner-context.ts'
import type { HandlerReturn } from '../../define/handler.ts'
import { SdkError } from '../../errors.ts'
import { result } from '../../results.ts'
import { chainArgument } from '../calls/arguments.ts'
import { assertJson, exceedsJsonBytes } from '../calls/json.ts'
import type { RunLife } from './life.ts'
import type { RunOutput } from './output.ts'

/** Runs to the end; resolves with the terminal result. Rejects with what the author's code threw. */
export async function drive(
  handler: (ctx: FullRunnerContext) => HandlerReturn,
  ctx: FullRunnerContext,
  life: RunLife,
  output: RunOutput,
): Promise<RunnerResult> {
  const returned: unknown = handler(ctx)
  const terminal = isStream(returned)
    ? await driveStream(returned, ctx.run_id, output)
    : await driveValue(returned, ctx.run_id, output)
  await life.settle()
  return terminal ?? result.runCompleted(ctx.run_id)
}

async function driveValue(returned: unknown, run_id: string, output: RunOutput): Promise<undefined> {
  const value: unknown = await returned
  if (value !== undefined) await output.push(contentResult(value, run_id, 'gave back'))
}

/** Reads until the first terminal result; leaving the loop closes the author's generator. */
async function driveStream(
  items: AsyncIterable<unknown>,
  run_id: string,
  output: RunOutput,
): Promise<RunnerResult | undefined> {
  for await (const item of items) {
    if (output.closed) return undefined
    const next = isResult(item) ? ownResult(item, run_id) : contentResult(item, run_id, 'yielded')
    if (next.type === 'run.completed' || next.type === 'run.failed') return next
    await output.push(next)
  }
  return undefined
}

function contentResult(value: unknown, run_id: string, how: string): RunnerResult {
  if (typeof value !== 'string' && !Array.isArray(value)) {
    const what = value === null ? 'null' : typeof value
    throw new SdkError(
      'invalid_argument',
      `The Runner ${how} ${what}. It may give back nothing, a text, a message chain, a promise of these, or an async iterable of these and of result.*().`,
    )
  }
  return bounded(
    result.messageCompleted(run_id, typeof value === 'string' ? value : chainArgument('The Runner', value)),
  )
}

function ownResult(given: RunnerResult, run_id: string): RunnerResult {
  if (given.run_id !== run_id) {
    throw new SdkError(
      'invalid_argument',
      `The Runner yielded a result of run ${given.run_id}. Make results with ctx.run_id.`,
    )
  }
  const { type, data, usage = null, timestamp = null } = given
  const own = { run_id, type, data, usage, sequence: null, timestamp }
  assertJson(own, `result ${type}`)
  return bounded(own)
}

function bounded(own: RunnerResult): RunnerResult {
  const { value } = LIMITS.result
  if (!exceedsJsonBytes(own, value)) return own
  throw new SdkError(
    'too_large',
    `A result ${own.type} has more than ${value} bytes of JSON. Send large data as files.`,
  )
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function isResult(value: unknown): value is RunnerResult {
  return (
    typeof value === 'object' &&
    value !== null &&
    'run_id' in value &&
    typeof value.run_id === 'string' &&
    'type' in value &&
    typeof value.type === 'string' &&
    'data' in value &&
    typeof value.data === 'object' &&
    value.data !== null
  )
}
