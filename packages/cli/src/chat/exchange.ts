/** One message and everything that is said in answer to it. */
import type { Client } from '@runbound/api'
import { isTerminalRunStatus } from '@runbound/protocol'
import { CliError } from '../errors.ts'
import { type ChatLink, type ChatMessage, within } from './chat-link.ts'
import type { Place } from './place-of-chat.ts'

/** How often the runs of the event are looked at once an answer is there. Milliseconds. */
const LOOK_MS = 100

/** What was said, and the event that it answers. */
export interface Exchange {
  readonly event_id: string | null
  readonly messages: readonly ChatMessage[]
}

/** What is said, where, and how long an answer may take in milliseconds. */
export interface ExchangeOptions {
  readonly link: ChatLink
  readonly client: Client
  readonly place: Place
  readonly text: string
  readonly timeoutMs: number
}

/**
 * Sends a text and resolves once every run of its event has ended, with the bot's messages in their order.
 * CliError `failed` when there is no answer in time, or none at all (with the reason).
 */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  const { link, timeoutMs } = options
  const heard = new Heard(options)
  try {
    const late = `No answer within ${timeoutMs / 1000} s. \`runbound runs list\` shows what runs; --timeout waits longer.`
    return await within(link.whileOpen(converse(options, heard)), timeoutMs, late)
  } finally {
    heard.end()
  }
}

async function converse({ link, client, place, text }: ExchangeOptions, heard: Heard): Promise<Exchange> {
  const { event_id } = await link.command({
    type: 'send',
    uuid: heard.uuid,
    user_id: place.user_id,
    chat: place.chat,
    text,
    quote_id: null,
    attachments: [],
  })
  for (;;) {
    await heard.change()
    if (heard.silence !== null) throw new CliError('failed', await whyNot(client, event_id, heard.silence))
    if (!heard.answered) continue
    // A run may say more than one thing: what counts is that none of them runs any more.
    while (event_id !== null && (await runsOf(client, event_id))) await new Promise((next) => setTimeout(next, LOOK_MS))
    await link.flushed()
    if (heard.answered) return { event_id, messages: heard.messages }
  }
}

/** True while a run of the event has not ended. */
async function runsOf(client: Client, eventId: string): Promise<boolean> {
  const { items } = await client.listRuns({ query: { limit: 50 } })
  return items.some((run) => run.event_id === eventId && !isTerminalRunStatus(run.status))
}

async function whyNot(client: Client, eventId: string | null, reason: string): Promise<string> {
  if (eventId === null) return `There was no answer: ${reason}.`
  const { sentence } = await client.why({ params: { event_id: eventId } })
  return `There was no answer: ${sentence} (runbound events why ${eventId})`
}

/** Collects what the bot says in the chat after our message. */
class Heard {
  readonly uuid = crypto.randomUUID()
  /** Why there will be no answer; null: it is still open. */
  silence: string | null = null
  readonly #messages = new Map<string, ChatMessage>()
  readonly #off: () => void
  #ownNumber = Number.POSITIVE_INFINITY
  #changed = Promise.withResolvers<void>()

  constructor({ link, place }: ExchangeOptions) {
    const bot = link.welcome.bot.id
    this.#off = link.onFrame((frame) => {
      if (frame.type !== 'message' || frame.chat !== place.chat) return
      const { message } = frame
      if (message.uuid === this.uuid) this.#own(message)
      else if (message.sender_id === bot && message.kind === 'message') this.#messages.set(message.id, message)
      this.#changed.resolve()
    })
  }

  /** The bot's messages after ours, oldest first. */
  get messages(): readonly ChatMessage[] {
    return [...this.#messages.values()]
      .filter((message) => message.n > this.#ownNumber && message.deleted_at === null)
      .sort((a, b) => a.n - b.n)
  }

  /** At least one message, and none is still being written. */
  get answered(): boolean {
    return this.messages.length > 0 && this.messages.every((message) => !message.streaming)
  }

  /** Resolves at the next frame that matters; at once if one came meanwhile. */
  async change(): Promise<void> {
    await this.#changed.promise
    this.#changed = Promise.withResolvers()
  }

  end(): void {
    this.#off()
  }

  #own(message: ChatMessage): void {
    this.#ownNumber = message.n
    if (message.outcome !== null) this.silence = message.outcome.reason ?? message.outcome.status
  }
}
