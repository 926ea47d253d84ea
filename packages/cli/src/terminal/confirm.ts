/** Asks yes or no; a script says yes with `--yes`, and nothing is taken for granted where nobody can be asked. */
import { CliError } from '../errors.ts'
import type { Terminal } from './terminal.ts'

/** CliError `usage` where nobody can answer. */
export async function confirmed(terminal: Terminal, yes: boolean | undefined, question: string): Promise<boolean> {
  if (yes === true) return true
  if (!terminal.interactive) throw new CliError('usage', `${question} Nobody can be asked here: say it with --yes.`)
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message: question, initialValue: false, output: process.stderr })) === true
}
