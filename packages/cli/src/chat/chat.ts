/** `runbound chat`: talks to a bot through its web chat; a terminal or a pipe. */

import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { CliError } from '../errors.ts'
import { findHost, type HostChoice } from '../place/connect.ts'
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
  const timeoutMs = Number(options.timeout) * 1000
  if (!(timeoutMs > 0)) throw new CliError('usage', `--timeout is a number of seconds, not "${options.timeout}".`)
  const host = findHost(options)
  const bot = await chooseBot(host.client, options.bot)
  const link = await ChatLink.open(host, bot.bot_uuid)
  try {
    const place = await findPlace(link, options.as, options.group)
    const ask = (said: string) => exchange({ link, client: host.client, place, text: said, timeoutMs })
    if (options.once === true) show(terminal, await ask(await wholeInput()))
    else if (process.stdin.isTTY === true) await converseLive(link, place)
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

/** One after the other: the next line goes out when the line before is answered. */
async function eachLine(terminal: Terminal, ask: (said: string) => Promise<Exchange>): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() !== '') show(terminal, await ask(line))
  }
}

function show(terminal: Terminal, { event_id, messages }: Exchange): void {
  const value = {
    event_id,
    messages: messages.map((message) => ({ message_id: message.id, run_id: message.run_id, text: textOf(message) })),
  }
  terminal.event(value, () => value.messages.map((message) => message.text).join('\n'))
}
