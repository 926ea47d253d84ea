/** Errors of the command, exit codes, and how errors of every package become one sentence on stderr. */
const BRAND = Symbol.for('runbound.cli-error')

/** 0: done. 1: it failed. 2: the command was written wrongly. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/**
 * - `usage`: arguments or options don't fit. `no_host`: no host answers. `invalid_file`: a file that was given is wrong.
 * - `refused`: the answer was no. `failed`: anything else that has been explained in the message.
 */
export type CliErrorCode = 'usage' | 'no_host' | 'invalid_file' | 'refused' | 'failed'

/** What the command could not do, and what to do about it; its message is shown as it is. */
export class CliError extends Error {
  readonly [BRAND] = true
  readonly code: CliErrorCode

  constructor(code: CliErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.name = 'CliError'
    this.code = code
  }

  /** Recognises it by brand, not by prototype. */
  static is(value: unknown): value is CliError {
    return typeof value === 'object' && value !== null && BRAND in value
  }
}

/** Errors whose message was written for the person at the terminal. Their packages are not loaded to recognise them. */
const EXPLAINED = [
  BRAND,
  Symbol.for('runbound.api-error'),
  Symbol.for('runbound.host-error'),
  Symbol.for('runbound.store-error'),
]

/** One error as text, code and exit code. A fault that nobody explained keeps its stack: it is ours to repair. */
export function explain(error: unknown): { readonly code: string; readonly message: string; readonly exit: number } {
  if (!(error instanceof Error)) return { code: 'fault', message: String(error), exit: EXIT.failed }
  if (!EXPLAINED.some((brand) => brand in error))
    return { code: 'fault', message: `A fault of runbound: ${error.stack ?? error.message}`, exit: EXIT.failed }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed'
  const at = 'at' in error && typeof error.at === 'string' ? error.at : null
  const message = at === null || error.message.includes(at) ? error.message : `${error.message} (at ${at})`
  return { code, message, exit: code === 'usage' ? EXIT.usage : EXIT.failed }
}
