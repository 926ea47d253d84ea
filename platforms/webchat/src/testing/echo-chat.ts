/** A web chat with the echo bot behind it, served for a browser. */
import type { AdapterServices } from '@runbound/platform-kit'
import { openChat, type TestChat } from './chat.ts'
import { EchoBot, type EchoOptions } from './echo-bot.ts'
import { type PageServer, servePage } from './server.ts'

export interface EchoChat {
  readonly chat: TestChat
  readonly bot: EchoBot
  readonly server: PageServer
  close(): Promise<void>
}

export async function openEchoChat(options: Partial<EchoOptions> = {}): Promise<EchoChat> {
  const bot = new EchoBot({ stepMs: 20, answer: (text) => `You said: ${text}`, ...options })
  const host: { emit?: AdapterServices['emit'] } = {}
  const chat = await openChat({
    host: { settled: (id) => bot.settled(id), resetConversation: async () => {} },
    services: {
      bot_name: 'Echo',
      emit: async (event) => {
        const accepted = await (host.emit?.(event) ?? Promise.reject(new Error('not ready')))
        if (accepted.status === 'accepted') bot.hear(event, accepted.event_id)
        return accepted
      },
    },
  })
  host.emit = (event) => chat.services.emit(event)
  bot.adapter = chat.adapter
  const server = await servePage(() => chat.adapter)
  return {
    chat,
    bot,
    server,
    close: async () => {
      await Promise.allSettled([...bot.running])
      await server.close()
      await chat.remove()
    },
  }
}
