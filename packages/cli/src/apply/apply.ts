/** `runbound apply -f FILE`: brings the host to what the file says; shows the difference first. */
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import { confirmed } from '../terminal/confirm.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import { type Change, processorKey } from './change.ts'
import { readState } from './host-state.ts'
import { makePlan } from './plan.ts'
import { readSetup } from './read-file.ts'

/** Options as they were written. */
export interface ApplyOptions extends HostChoice {
  readonly file: string
  readonly dryRun?: boolean
  readonly yes?: boolean
}

/** CliError `invalid_file` with line and column before anything is changed; `refused` without a yes. */
export async function apply(terminal: Terminal, options: ApplyOptions): Promise<void> {
  const file = readSetup(options.file)
  const { client } = findHost(options)
  const state = await readState(client)
  const changes = await makePlan(client, file, state)
  const shown = changes.map(({ what, name, kind, lines }) => ({ what, name, kind, lines }))
  if (changes.length === 0 || options.dryRun === true) {
    terminal.result({ applied: false, changes: shown }, () => planText(changes))
    return
  }
  if (!terminal.json) terminal.note(planText(changes))
  if (!(await confirmed(terminal, options.yes, 'Apply this?'))) throw new CliError('refused', 'Nothing was changed.')
  const ids = {
    bots: new Map(state.bots.map(({ name, bot_uuid }) => [name, bot_uuid])),
    processors: new Map(state.processors.map((one) => [processorKey(one.kind, one.name), one.processor_id])),
  }
  for (const change of changes) await change.carryOut(client, ids)
  terminal.result(
    { applied: true, changes: shown },
    () => `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} made.`,
  )
}

function planText(changes: readonly Change[]): string {
  if (changes.length === 0) return 'Nothing to change.'
  return changes
    .map(({ what, name, kind, lines }) => {
      const title = `${kind === 'new' ? '+' : '~'} ${what.replace('_', ' ')} "${name}"`
      return [paint(kind === 'new' ? 'green' : 'yellow', title), ...lines.map((line) => `    ${line}`)].join('\n')
    })
    .join('\n')
}
