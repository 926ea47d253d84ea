/** A person at a terminal: lines go out, answers appear as they are written. */
import { createInterface, type Interface } from 'node:readline'
import { paint } from '../terminal/terminal.ts'
import { type ChatLink, type ChatMessage, textOf } from './chat-link.ts'
import { findPlace, type Place } from './place-of-chat.ts'

const HELP =
  '/as NAME speaks as someone else, /group NAME goes into a group, /private leaves it, /new forgets what was said, /quit'

/** Talks until /quit, Ctrl-D or Ctrl-C; rejects when the connection breaks. */
export async function converseLive(link: ChatLink, start: Place): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const talk = new Talk(link, start, lines)
  const closed = new Promise<void>((resolve) => lines.once('close', resolve))
  try {
    await link.whileOpen(closed)
  } finally {
    talk.end()
    lines.close()
  }
}

class Talk {
  readonly #link: ChatLink
  readonly #lines: Interface
  readonly #off: () => void
  #place: Place
  /** The message that is being written on the screen, and its text so far. */
  #open: { readonly id: string; text: string } | null = null
  #shown = new Set<string>()
  #over = false

  constructor(link: ChatLink, place: Place, lines: Interface) {
    this.#link = link
    this.#place = place
    this.#lines = lines
    this.#say(paint('dim', `You speak to "${link.welcome.bot.name}" as ${place.user_name}. /help shows more.`))
    this.#prompt()
    lines.on('line', (line) => void this.#line(line.trim()))
    this.#off = link.onFrame((frame) => {
      if (frame.type === 'stream' && frame.chat === this.#place.chat)
        this.#write(frame.message_id, frame.from, frame.text)
      else if (frame.type === 'message' && frame.chat === this.#place.chat) this.#message(frame.message)
    })
  }

  end(): void {
    this.#over = true
    this.#off()
  }

  async #line(line: string): Promise<void> {
    try {
      if (line.startsWith('/')) await this.#order(line)
      else if (line !== '') await this.#send(line)
    } catch (error) {
      this.#say(paint('red', error instanceof Error ? error.message : String(error)))
    }
    if (this.#open === null) this.#prompt()
  }

  async #send(text: string): Promise<void> {
    const { user_id, chat } = this.#place
    const uuid = crypto.randomUUID()
    await this.#link.command({ type: 'send', uuid, user_id, chat, text, quote_id: null, attachments: [] })
  }

  async #order(line: string): Promise<void> {
    const [order = '', ...rest] = line.split(/\s+/)
    const name = rest.join(' ')
    const { chat, user_id, user_name } = this.#place
    if (order === '/quit') {
      this.#over = true
      return this.#lines.close()
    }
    if (order === '/as' && name !== '') {
      const group = chat.startsWith('group:') ? chat.slice('group:'.length) : undefined
      this.#place = await findPlace(this.#link, name, group)
    } else if (order === '/group' && name !== '') this.#place = await findPlace(this.#link, user_id, name)
    else if (order === '/private') this.#place = { ...this.#place, chat: `private:${user_id}`, chat_name: user_name }
    else if (order === '/new')
      await this.#link.command({ type: 'new_conversation', uuid: crypto.randomUUID(), user_id, chat })
    else this.#say(paint('dim', HELP))
  }

  #message(message: ChatMessage): void {
    const bot = this.#link.welcome.bot
    if (message.outcome !== null && !this.#shown.has(message.id)) {
      this.#shown.add(message.id)
      const reason = message.outcome.reason ?? message.outcome.status
      this.#say(paint('yellow', `No answer (${reason}).`))
      this.#prompt()
      return
    }
    if (message.sender_id !== bot.id || this.#shown.has(message.id)) return
    this.#write(message.id, 0, textOf(message))
    if (message.streaming) return
    this.#shown.add(message.id)
    this.#open = null
    process.stdout.write('\n')
    this.#prompt()
  }

  /** Writes what is new; a text that changed before its end is written again on a line of its own. */
  #write(id: string, from: number, tail: string): void {
    if (this.#open?.id !== id) {
      this.#clear()
      process.stdout.write(`${paint('cyan', this.#link.welcome.bot.name)}: `)
      this.#open = { id, text: '' }
    }
    const text = this.#open.text.slice(0, from) + tail
    const known = this.#open.text
    if (!text.startsWith(known)) process.stdout.write(`\n${text}`)
    else process.stdout.write(text.slice(known.length))
    this.#open.text = text
  }

  #say(text: string): void {
    this.#clear()
    process.stdout.write(`${text}\n`)
  }

  #clear(): void {
    if (process.stdout.isTTY === true) process.stdout.write('\r\u001B[K')
  }

  #prompt(): void {
    if (this.#over) return
    const { user_name, chat, chat_name } = this.#place
    this.#lines.setPrompt(paint('dim', `${user_name}${chat.startsWith('group:') ? ` in ${chat_name}` : ''} > `))
    this.#lines.prompt(true)
  }
}
