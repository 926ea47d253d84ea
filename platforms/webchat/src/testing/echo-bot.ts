/** A bot for tests with a browser: takes every event as the host does, and answers messages with a native stream. */
import type { AdapterInstance, IncomingEvent, Settled } from '@runbound/platform-kit'
import { chainText } from '@runbound/platform-kit'
import { never } from './chat.ts'

export interface EchoOptions {
  /** Milliseconds between two updates of a stream. */
  readonly stepMs: number
  /** What the bot says to a text. Null: nothing. */
  answer(text: string, event: IncomingEvent): string | null
}

export class EchoBot {
  adapter: AdapterInstance | null = null
  /** Answers that are under way. */
  readonly running = new Set<Promise<void>>()
  readonly #options: EchoOptions
  readonly #ends = new Map<string, Promise<Settled>>()
  #runs = 0

  constructor(options: EchoOptions) {
    this.#options = options
  }

  /** To be called for each accepted event, with the id that the host gave it. */
  hear(incoming: IncomingEvent, eventId: string): void {
    if (incoming.event.type !== 'message.received') return
    const text = this.#options.answer(chainText(incoming.event.message_chain).trim(), incoming)
    if (text === null) {
      const message = 'No answer: no route of this bot takes such messages. Add one in the console.'
      this.#ends.set(eventId, Promise.resolve({ status: 'silent', reason: 'route_not_found', message }))
      return
    }
    const work = this.#answer(incoming, text)
    this.running.add(work)
    this.#ends.set(
      eventId,
      work.then(() => ({ status: 'answered', reason: null, message: null })),
    )
    void work.finally(() => this.running.delete(work))
  }

  settled(eventId: string): Promise<Settled> {
    return this.#ends.get(eventId) ?? Promise.resolve({ status: 'silent', reason: null, message: null })
  }

  async #answer(incoming: IncomingEvent, text: string): Promise<void> {
    const target = incoming.reply_target
    if (this.adapter?.openStream === undefined || !target) return
    this.#runs += 1
    const run = `run-${this.#runs}`
    await this.adapter.typing?.(target)
    await pause(this.#options.stepMs * 3)
    const conversation_id = `${target.target_type}_${target.target_id}`
    const opening = { target, delivery_key: `${run}-1`, conversation_id, run_id: run, part: 1, parts: 1 }
    const words = text.split(/(?<=\s)/)
    const { stream } = await this.adapter.openStream(opening, words[0] ?? '', never)
    for (let shown = 2; shown <= words.length; shown++) {
      await pause(this.#options.stepMs)
      await stream.update(words.slice(0, shown).join(''))
    }
    await stream.finish(text)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
