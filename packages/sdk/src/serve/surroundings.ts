/** What the place where a plugin runs lends to it: its log, its files, and a way to tell whose code failed. */
import type { LogLevel } from '@runbound/protocol'

/** Takes one line of the plugin's log. */
export type PluginLog = (level: LogLevel, text: string) => void

/** A run, for whatever wants to attribute stray errors to it. */
export interface GuardedRun {
  readonly run_id: string
  readonly runner: string
  /** Writes a rejection that nobody handled into the run's own log; does nothing once the run is over. */
  report(error: unknown): void
}

/** Starts a run's code inside a scope of the surroundings, such as an AsyncLocalStorage. */
export type RunGuard = (run: GuardedRun, start: () => void) => void

/** A file that was read for the host. */
export interface ReadFile {
  readonly bytes: Uint8Array
  readonly mime_type: string
}

/** Reads files of the plugin's package. Undefined: there is no such file. */
export interface PackageFiles {
  /** A path relative to the package. Rejects with WireError for what may not be served. */
  read(path: string): Promise<ReadFile | undefined>
}

/** The log where nothing else is given: the console of the process. */
export const consoleLog: PluginLog = (level, text) => {
  const write = { debug: console.debug, info: console.info, warning: console.warn, error: console.error }[level]
  write.call(console, text)
}
