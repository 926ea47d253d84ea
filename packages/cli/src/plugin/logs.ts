/** `runbound plugin logs`: what a plugin wrote, and what it writes from now on. */
import type { Client } from '@runbound/api'
import { at } from '../dev/runners.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import { whole } from '../terminal/numbers.ts'
import { stopSignal } from '../terminal/stop-signal.ts'
import { paint, type Terminal, timeText } from '../terminal/terminal.ts'
import { findPlugin } from './find-plugin.ts'

type Line = Awaited<ReturnType<Client['pluginLogs']>>['items'][number]

/** Options as they were written. */
export interface LogOptions extends HostChoice {
  readonly follow?: boolean
  readonly lines: string
}

/** Prints the newest lines; with `--follow` also new ones, until Ctrl-C. */
export async function pluginLogs(terminal: Terminal, options: LogOptions, name: string): Promise<void> {
  const limit = whole('--lines', options.lines, 1, 1_000)
  const { client } = findHost(options)
  const { installation_uuid } = await findPlugin(client, name)
  const print = (line: Line): void => terminal.event(line, lineText)
  const past = async (): Promise<readonly Line[]> =>
    (await client.pluginLogs({ params: { installation_uuid }, query: { limit } })).items
  if (options.follow !== true) return (await past()).forEach(print)
  const signal = stopSignal()
  const waiting: Line[] = []
  let show: (line: Line) => void = (line) => waiting.push(line)
  // Listened to first, so that no line falls between the past and what follows.
  const following = async (opened: () => void): Promise<void> => {
    for await (const { kind, data } of client.live(signal, opened)) {
      const line = kind === 'log' && at(data, 'installation_uuid') === installation_uuid ? at(data, 'line') : undefined
      if (isLine(line)) show(line)
    }
  }
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  const live = following(resolve)
  await Promise.race([opened, live])
  const items = await past()
  items.forEach(print)
  const last = items.at(-1)
  waiting.filter((line) => last === undefined || line.sequence > last.sequence).forEach(print)
  show = print
  await live
}

function isLine(value: unknown): value is Line {
  return (
    typeof at(value, 'text') === 'string' &&
    typeof at(value, 'at') === 'number' &&
    typeof at(value, 'sequence') === 'number'
  )
}

function lineText({ at: time, level, text }: Line): string {
  const said = level === 'error' ? paint('red', text) : level === 'warning' ? paint('yellow', text) : text
  return `${paint('dim', timeText(time))} ${said}`
}
