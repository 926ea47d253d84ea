/** What each benchmark is: a name, and a run that gives rows. */
import type { Row } from './row.ts'

export interface BenchOptions {
  /** Many more messages and pairs. */
  readonly long: boolean
  /** Told while a bench works, for people who wait. */
  note(text: string): void
  /** Where the host's CPU profile of the measured part goes; null: none is taken. */
  readonly profileFile: string | null
}

export interface Bench {
  readonly name: string
  /** One sentence for `--help`. */
  readonly about: string
  run(options: BenchOptions): Promise<readonly Row[]>
}
