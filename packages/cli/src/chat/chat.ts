/** `runbound chat`: talks to a bot through its web chat; a terminal or a pipe. */

import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import type { Client } from '@runbound/api'
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
import { processorNames } from '../runs/names.ts'
import { milliseconds } from '../terminal/numbers.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { ChatLink, textOf } from './chat-link.ts'
import { converseLive } from './converse.ts'
import { type Exchange, exchange } from './exchange.ts'
import { chooseBot, findPlace } from './place-of-chat.ts'

/** Options as they were written. */
export interface ChatOptions extends HostChoice {
  readonly bot?: string
  readonly as?: string
  readonly group?: string
  readonly once?: boolean
  readonly timeout: string
}

/** Opens the chat; `--once` sends stdin as one message, a pipe each line as one, a terminal talks. */
export async function chat(terminal: Terminal, options: ChatOptions): Promise<void> {
  const timeoutMs = milliseconds('--timeout', options.timeout, 86_400)
  const host = findHost(options)
  const bot = await chooseBot(host.client, options.bot)
  const link = await ChatLink.open(host, bot.bot_uuid)
  try {
    const place = await findPlace(link, options.as, options.group)
    const ask = (said: string) => exchange({ link, client: host.client, place, text: said, timeoutMs })
    if (options.once === true) {
      const answer = await ask(await wholeInput())
      await tellWho(terminal, host.client, bot, answer)
      show(terminal, answer)
      await failIfFailed(host.client, answer)
    } else if (process.stdin.isTTY === true) await converseLive(link, place)
    else await eachLine(terminal, ask)
  } finally {
    link.close()
  }
}

async function wholeInput(): Promise<string> {
  const said = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (said.trim() === '')
    throw new CliError('usage', 'There is nothing to send. For example: echo hi | runbound chat --once')
  return said
}

/** What is said in place of an answer is none: CliError `failed` when a run of the event did not end well. */
async function failIfFailed(client: Client, { event_id }: Exchange): Promise<void> {
  const { items } = await client.listRuns({ query: { limit: 50 } })
  const failed = items.find((run) => run.event_id === event_id && (run.status === 'failed' || run.status === 'timeout'))
  if (failed === undefined) return
  const how = failed.status === 'failed' ? 'failed' : 'took too long'
  throw new CliError('failed', `The run ${how}. Why: runbound runs show ${failed.run_id}`)
}

/** One after the other: the next line goes out when the line before is answered. */
async function eachLine(terminal: Terminal, ask: (said: string) => Promise<Exchange>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') show(terminal, await ask(line))
  }
}

/** Where more than one could have answered, stderr says which did; the answer itself stays alone on stdout. */
async function tellWho(
  terminal: Terminal,
  client: Client,
  bot: { readonly name: string },
  { messages }: Exchange,
): Promise<void> {
  const { bots } = await client.status()
  const { items } = await client.listProcessors()
  const agents = items.filter(({ enabled }) => enabled)
  if (bots.filter(({ platform }) => platform === 'webchat').length < 2 && agents.length < 2) return
  const names = await processorNames(client)
  const runIds = [...new Set(messages.flatMap(({ run_id }) => run_id ?? []))]
  const runs = await Promise.all(runIds.map((run_id) => client.getRun({ params: { run_id } })))
  const who = [...new Set(runs.map((run) => names.of(run.agent_id ?? run.binding_id)))]
  terminal.note(
    `Bot "${bot.name}"${who.length === 0 ? '' : `, answered by ${who.map((name) => `"${name}"`).join(', ')}`}.`,
  )
}

function show(terminal: Terminal, { event_id, messages }: Exchange): void {
  const value = {
    event_id,
    messages: messages.map((message) => ({ message_id: message.id, run_id: message.run_id, text: textOf(message) })),
  }
  terminal.event(value, () => value.messages.map((message) => message.text).join('\n'))
}
