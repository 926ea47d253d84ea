/** What a person reads when the host is ready. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { dataOption } from '../place/installation.ts'
import { paint } from '../terminal/terminal.ts'

/** What `start --json` prints as its first line. */
export interface Ready {
  readonly event: 'ready'
  readonly url: string
  /** Works once, for 15 minutes; null: `runbound login` prints one. */
  readonly login_url: string | null
  readonly data: string
  readonly pid: number
  readonly first_start: boolean
  /** From the command's own start to ready, in milliseconds. */
  readonly ms: number
  /** What puts `runbound` on the path; null where it is already. */
  readonly path_hint: string | null
}

/** `export PATH=...` for the shim of this clone; null when it is on the path, or not a clone. */
export function pathHint(root: string, path = process.env.PATH ?? ''): string | null {
  const folder = join(root, 'bin')
  if (!existsSync(join(folder, 'runbound')) || path.split(delimiter).includes(folder)) return null
  return `export PATH="${folder}:$PATH"`
}

/** The lines of a start. */
export function banner(ready: Ready): string {
  const label = (text: string): string => paint('dim', text.padEnd(9))
  const signIn =
    ready.login_url === null
      ? 'runbound login'
      : `${paint(['cyan', 'underline'], ready.login_url)}${paint('dim', '  (works once, for 15 minutes)')}`
  return [
    `${paint(['bold', 'green'], 'Runbound is ready')} at ${paint('underline', ready.url)} ${paint('dim', `(${(ready.ms / 1000).toFixed(2)} s)`)}`,
    '',
    `${label('Sign in')}${signIn}`,
    `${label('Data')}${ready.data}`,
    ...(ready.path_hint === null ? [] : [`${label('Command')}${ready.path_hint}`]),
    `${label('Next')}runbound plugin new hello && runbound dev hello${dataOption(ready.data)}`,
    '',
    paint('dim', 'Ctrl-C stops.'),
  ].join('\n')
}
