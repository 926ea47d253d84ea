/** What is kept in memory about one run from its start to its end. */
import type { LogLevel } from '@runbound/protocol'
import type { Clock } from '../clock.ts'
import type { HostRunGrant, RunFacts } from '../gateway/types.ts'
import type { Logger } from '../logger.ts'
import type { RunnerDescriptor } from '../plugins/types.ts'
import type { StateObject } from '../storage/types.ts'
import type { ActiveRun } from './active-run.ts'
import type { Ending } from './ending.ts'
import type { RunNeeds, RunOutcome, RunRequest } from './types.ts'

/** Log levels of plugins in the words of the host's log. */
const LEVELS: Record<LogLevel, 'debug' | 'info' | 'warn' | 'error'> = {
  debug: 'debug',
  info: 'info',
  warning: 'warn',
  error: 'error',
}

export interface CancelRequest {
  readonly by: { readonly kind: 'plugin' | 'operator' | 'user' | 'host'; readonly id?: string }
  readonly reason: string | null
}

export interface SessionParts {
  readonly run: ActiveRun
  readonly request: RunRequest
  readonly runner: RunnerDescriptor
  readonly facts: RunFacts
  readonly grant: HostRunGrant
  readonly stateObject: StateObject
  readonly needs: RunNeeds
  readonly clock: Clock
  readonly logger: Logger
  readonly deadlineAt: number | null
}

export class Session {
  readonly run: ActiveRun
  readonly request: RunRequest
  readonly runner: RunnerDescriptor
  readonly facts: RunFacts
  readonly grant: HostRunGrant
  readonly stateObject: StateObject
  readonly needs: RunNeeds
  readonly deadlineAt: number | null
  /** The Runner returned messages that are not sent by themselves. */
  produced = false
  cancelled: CancelRequest | null = null
  /** How the run ends, once that is decided: the first decision stands. */
  ending: Ending | null = null
  /** The one end in the record, shared by everybody who waits for it. */
  settled: Promise<RunOutcome> | null = null
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #startedAt: number

  constructor(parts: SessionParts) {
    this.run = parts.run
    this.request = parts.request
    this.runner = parts.runner
    this.facts = parts.facts
    this.grant = parts.grant
    this.stateObject = parts.stateObject
    this.needs = parts.needs
    this.deadlineAt = parts.deadlineAt
    this.#clock = parts.clock
    this.#logger = parts.logger
    this.#startedAt = parts.clock.now()
  }

  get run_id(): string {
    return this.run.run_id
  }

  /** How long the run may take, in seconds; 0 without a deadline. */
  get seconds(): number {
    return this.deadlineAt === null ? 0 : Math.round((this.deadlineAt - this.#startedAt) / 1_000)
  }

  /** True for a failure that means "out of time": the SDK's own report, or any after the deadline. */
  timedOut(code: string): boolean {
    if (this.deadlineAt === null) return false
    return code === 'runner.timeout' || this.#clock.now() >= this.deadlineAt
  }

  log(level: LogLevel, text: string): void {
    this.#logger[LEVELS[level]]({ run_id: this.run_id, plugin_id: this.runner.plugin_id }, text)
  }

  /** Stops host calls and the plugin's code at once, with the reason that both are told. */
  stop(reason: Error): void {
    this.run.calls.abort(reason)
    this.run.stream.abort(reason)
  }
}
