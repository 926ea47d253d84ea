/** Splits a message as one platform can take it: text by the platform's own unit, attachments by number, all in order. */
import type { MessageChain, MessageComponent } from '@runbound/protocol'
import type { AdapterLimits } from './adapter.ts'
import { chainText, isAttachment, isBlank } from './chain.ts'
import { measureOf } from './length.ts'
import { cutAfter, cutText, type TextLimit } from './split-text.ts'

/**
 * Splits a text by the limits of an adapter; see `cutText` for the rules. No limit: the text itself. Blank: no part.
 *
 * @example
 * splitText('one two', adapter.capabilities.limits) // ['one two']
 */
export function splitText(text: string, limits: AdapterLimits): string[] {
  if (limits.maxText === null) return /\S/.test(text) ? [text] : []
  return cutText(text, { max: limits.maxText, measure: measureOf(limits) }).map((part) => part.text)
}

/**
 * Splits a chain into messages that each fit the limits, in order. `Source` and `Quote` stay with the first. A chain that
 * fits is returned as it is; a message without anything to show is left out. A mention that alone is too long stays
 * whole: the adapter refuses it with `too_long`.
 */
export function splitChain(chain: MessageChain, limits: AdapterLimits): MessageChain[] {
  const measure = measureOf(limits)
  const limit = limits.maxText === null ? null : { max: limits.maxText, measure }
  const attachments = chain.reduce((count, component) => count + (isAttachment(component) ? 1 : 0), 0)
  const short = limit === null || measure(chainText(chain)) <= limit.max
  if (short && attachments <= (limits.maxAttachments ?? attachments)) return isBlank(chain) ? [] : [chain]
  const packer = new Packer(limit, limits.maxAttachments)
  for (const component of joinPlain(chain)) packer.add(component)
  return packer.finish()
}

/** Neighbouring texts are one text to the reader: cutting them apart would break words and code blocks. */
function joinPlain(chain: MessageChain): MessageChain {
  const joined: MessageChain = []
  for (const component of chain) {
    const last = joined.at(-1)
    if (component.type === 'Plain' && last?.type === 'Plain')
      joined.splice(-1, 1, { type: 'Plain', text: last.text + component.text })
    else joined.push(component)
  }
  return joined
}

class Packer {
  readonly #limit: TextLimit | null
  readonly #maxAttachments: number | null
  readonly #messages: MessageChain[] = []
  #message: MessageChain = []
  #text = ''
  #attachments = 0

  constructor(limit: TextLimit | null, maxAttachments: number | null) {
    this.#limit = limit
    this.#maxAttachments = maxAttachments
  }

  add(component: MessageComponent): void {
    if (isAttachment(component)) this.#addAttachment(component)
    else if (component.type === 'Plain') this.#addText(component.text)
    else this.#addWhole(component)
  }

  finish(): MessageChain[] {
    this.#close()
    return this.#messages
  }

  #addAttachment(component: MessageComponent): void {
    if (this.#maxAttachments !== null && this.#attachments >= this.#maxAttachments) this.#close()
    this.#message.push(component)
    this.#attachments++
  }

  #addWhole(component: MessageComponent): void {
    const text = chainText([component])
    if (this.#text !== '' && !this.#fits(this.#text + text)) this.#close()
    this.#message.push(component)
    this.#text += text
  }

  #addText(text: string): void {
    const limit = this.#limit
    if (limit === null || this.#fits(this.#text + text)) {
      this.#message.push({ type: 'Plain', text })
      this.#text += text
      return
    }
    // A short beginning, such as a mention, takes the first words along; a long one is better sent by itself.
    const lead = limit.measure(this.#text) <= limit.max / 2 ? this.#text : ''
    if (lead !== this.#text) this.#close()
    const parts = cutAfter(lead, text, limit)
    if (parts === null) this.#close()
    for (const [index, part] of (parts ?? cutText(text, limit)).entries()) {
      if (index > 0) this.#close()
      this.#message.push({ type: 'Plain', text: part.text })
      this.#text += part.text
    }
  }

  #close(): void {
    if (!isBlank(this.#message)) this.#messages.push(this.#message)
    // What shows nothing by itself (the quoted message, a line break) belongs to what follows, if it is no text.
    const kept = isBlank(this.#message) ? this.#message.filter((component) => component.type !== 'Plain') : []
    this.#message = kept
    this.#text = ''
    this.#attachments = 0
  }

  #fits(text: string): boolean {
    return this.#limit === null || this.#limit.measure(text) <= this.#limit.max
  }
}
