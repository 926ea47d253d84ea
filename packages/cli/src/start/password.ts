/** `runbound password`: sets the owner's password, so that one signs in without a link. */
import { text } from 'node:stream/consumers'
import { password as ask, isCancel } from '@clack/prompts'
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Options as they were written. */
export interface PasswordOptions extends HostChoice {
  readonly stdin?: boolean
}

/** Asks twice, unseen; with `--stdin` reads one line. CliError `usage` where nobody can be asked, or the two differ. */
export async function setPassword(terminal: Terminal, options: PasswordOptions): Promise<void> {
  const { client } = findHost(options)
  const password = options.stdin === true ? await oneLine() : await askTwice(terminal)
  await client.setPassword({ body: { password } })
  terminal.result({ ok: true }, () => 'The password is set. Browsers that were signed in are signed out.')
}

async function oneLine(): Promise<string> {
  const line = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (line === '') throw new CliError('usage', 'Standard input is empty. Pipe the password in.')
  if (line.includes('\n')) throw new CliError('usage', 'Standard input has several lines. A password is one.')
  return line
}

async function askTwice(terminal: Terminal): Promise<string> {
  if (!terminal.interactive)
    throw new CliError('usage', 'Nobody can be asked for the password here: pipe it in, with --stdin.')
  const first = await asked('New password')
  if ((await asked('Once more')) !== first) throw new CliError('usage', 'The two differ. Nothing was changed.')
  return first
}

async function asked(message: string): Promise<string> {
  const given = await ask({ message, output: process.stderr })
  if (isCancel(given)) throw new CliError('usage', 'Nothing was changed.')
  return given
}
