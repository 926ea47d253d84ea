/** What a Runner returns as messages, where the processor sends it by itself (`delivery.automatic_reply`). */
import type { Message, MessageChain } from '@runbound/protocol'

/** The chain of a model message: its text and pictures. Empty when it has neither. */
export function chainOfMessage({ content }: Message): MessageChain {
  if (content === null || content === undefined) return []
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'Plain', text: content }]
  const chain: MessageChain = []
  for (const element of content) {
    if (element.type === 'text' && element.text) chain.push({ type: 'Plain', text: element.text })
    else if (element.type === 'image_base64' && element.image_base64)
      chain.push(picture({ base64: element.image_base64 }))
    else if (element.type === 'image_url' && element.image_url) chain.push(picture({ url: element.image_url.url }))
  }
  return chain
}

function picture(source: { readonly url?: string; readonly base64?: string }): MessageChain[number] {
  return { type: 'Image', image_id: null, url: source.url ?? null, path: null, base64: source.base64 ?? null }
}
