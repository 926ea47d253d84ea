/** `runbound runs list|show|cancel` and `runbound events why`: what happened, and why. */
import type { Client } from '@runbound/api'
import { isTerminalRunStatus, RUN_STATUSES } from '@runbound/protocol'
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import { whole } from '../terminal/numbers.ts'
import { paint, type Terminal, table, timeText } from '../terminal/terminal.ts'
import { entryText } from './entry-text.ts'
import { findRun } from './find-run.ts'
import { processorNames } from './names.ts'

type Run = Awaited<ReturnType<Client['getRun']>>

/** Ledger entries that `show` reads at most. */
const ENTRIES = 1_000

/** Options as they were written; `limit` from 1 to 100. */
export interface ListOptions extends HostChoice {
  readonly status?: string
  readonly processor?: string
  readonly limit: string
}

/** Prints the newest runs. CliError `usage` names what `--status` and `--limit` take. */
export async function listRuns(terminal: Terminal, options: ListOptions): Promise<void> {
  const limit = whole('--limit', options.limit, 1, 100)
  const status = options.status === undefined ? undefined : statusesOf(options.status)
  const { client } = findHost(options)
  const page = await client.listRuns({ query: { limit, status, processor_id: options.processor } })
  if (terminal.json) return terminal.result(page.items, () => '')
  const names = await processorNames(client)
  terminal.result(page.items, () =>
    table(
      ['RUN', 'STATUS', 'STARTED', 'BY', 'EVENT'],
      page.items.map((run) => [
        run.run_id,
        statusText(run),
        secondsText(run.started_at ?? run.created_at),
        names.of(run.agent_id ?? run.binding_id),
        text(run.event_id),
      ]),
      'No runs.',
    ),
  )
}

/** Options as they were written. */
export interface ShowOptions extends HostChoice {
  readonly grant?: boolean
  readonly trace?: boolean
}

/** Prints one run: its record and ledger; what it was granted; or what the host saw it do. */
export async function showRun(terminal: Terminal, options: ShowOptions, beginning: string): Promise<void> {
  const { client } = findHost(options)
  const run_id = await findRun(client, beginning)
  const params = { run_id }
  if (options.grant === true) return terminal.result(await client.runGrant({ params }), grantText)
  if (options.trace === true) {
    const { items } = await client.runTrace({ params })
    return terminal.result(
      items,
      () => items.map((item) => JSON.stringify(item)).join('\n') || 'The host saw no calls.',
    )
  }
  const run = await client.getRun({ params })
  const events = await ledgerOf(client, run_id)
  const names = await processorNames(client)
  terminal.result({ run, events }, () =>
    [
      `${run.run_id}  ${statusText(run)}${run.status_reason == null ? '' : ` (${run.status_reason})`}`,
      `event    ${text(run.event_id)}`,
      `by       ${names.of(run.agent_id ?? run.binding_id)}`,
      `runner   ${text(run.runner_id)}`,
      `started  ${secondsText(run.started_at ?? run.created_at)}`,
      `ended    ${secondsText(run.finished_at)}`,
      '',
      ...events.map(entryText),
    ].join('\n'),
  )
}

/** Cancels a run. CliError `failed` when it has ended already. */
export async function cancelRun(
  terminal: Terminal,
  options: HostChoice & { readonly reason?: string },
  beginning: string,
): Promise<void> {
  const { client } = findHost(options)
  const run_id = await findRun(client, beginning)
  const { cancelled } = await client.cancelRun({ params: { run_id }, body: { reason: options.reason ?? null } })
  if (!cancelled)
    throw new CliError(
      'failed',
      `Run ${run_id} is ${(await client.getRun({ params: { run_id } })).status}; there is nothing to cancel.`,
    )
  terminal.result({ run_id, cancelled }, () => `${run_id} is being cancelled.`)
}

/** Prints why an event got an answer or none. */
export async function whyEvent(terminal: Terminal, options: HostChoice, event_id: string): Promise<void> {
  const { client } = findHost(options)
  const why = await client.why({ params: { event_id } })
  terminal.result(why, () =>
    [
      `${why.answered ? paint('green', 'answered') : paint('yellow', 'not answered')}: ${why.sentence} (${why.code})`,
      ...(why.answered ? [] : [`to act: ${why.who}`]),
      '',
      ...why.entries.map(
        (entry) => `${paint('dim', timeText(entry.at))} ${entry.step}: ${entry.message} (${entry.code})`,
      ),
    ].join('\n'),
  )
}

/** The list as it was given; CliError `usage` names the statuses that there are. */
function statusesOf(text: string): string {
  const given = text.split(',').map((one) => one.trim())
  const known: readonly string[] = RUN_STATUSES
  const wrong = given.find((one) => !known.includes(one))
  if (wrong === undefined) return given.join(',')
  throw new CliError('usage', `There is no status "${wrong}". --status takes: ${known.join(', ')}.`)
}

async function ledgerOf(client: Client, run_id: string) {
  const events: Awaited<ReturnType<Client['runEvents']>>['items'] = []
  let after: string | undefined
  for (;;) {
    const page = await client.runEvents({ params: { run_id }, query: { limit: 100, after_cursor: after } })
    events.push(...page.items)
    if (!page.has_more || page.next_cursor === null || events.length >= ENTRIES) return events
    after = page.next_cursor
  }
}

function grantText({ lines }: Awaited<ReturnType<Client['runGrant']>>): string {
  return lines
    .map(({ thing, allowed, why, who }) => {
      const mark = allowed ? paint('green', '✓') : paint('red', '✗')
      return `${mark} ${thing}${allowed ? '' : `: ${why}`}${allowed || who === null ? '' : ` (to act: ${who})`}`
    })
    .join('\n')
}

function statusText(run: Run): string {
  if (run.status === 'completed') return paint('green', run.status)
  return isTerminalRunStatus(run.status) ? paint('red', run.status) : paint('cyan', run.status)
}

function secondsText(seconds: unknown): string {
  return typeof seconds === 'number' ? timeText(seconds * 1000) : '-'
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '-'
}
