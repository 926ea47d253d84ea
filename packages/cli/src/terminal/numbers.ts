/** Options that are numbers: what is no number is a sentence, and never reaches the host. */
import { CliError } from '../errors.ts'

/** A whole number from `least` to `most`, or CliError `usage`. */
export function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new CliError('usage', `${option} is a whole number from ${least} to ${most}, not "${text}".`)
}

/** Seconds above 0, also with a fraction, up to `most`, as milliseconds; or CliError `usage`. */
export function milliseconds(option: string, text: string, most: number): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= most) return value * 1000
  throw new CliError('usage', `${option} is a number of seconds above 0, at most ${most}, not "${text}".`)
}
