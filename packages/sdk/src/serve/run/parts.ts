/** What the methods of one run's context are made from. */
import type { JsonObject, RunnerContext } from '@runbound/protocol'
import type { RunLife } from './life.ts'
import type { RunOutput } from './output.ts'
import type { RunCalls } from './run-calls.ts'
import type { tracer } from './trace.ts'

/** One run, as its methods see it. */
export interface RunParts {
  /** The context as the host sent it. */
  readonly context: RunnerContext
  readonly life: RunLife
  readonly calls: RunCalls
  readonly output: RunOutput
  readonly traced: ReturnType<typeof tracer>
  /** Settings of the plugin as they are now. */
  readonly settings: () => JsonObject
}
