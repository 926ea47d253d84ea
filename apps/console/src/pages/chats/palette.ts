/** What the palette finds of chats: a conversation by its title or by who is in it. */
import { client } from '../../data/client.ts'
import type { PaletteProvider } from '../../palette/providers.ts'
import { language } from '../../words/languages.ts'
import { SHELL_WORDS } from '../../words/words.ts'

export const provider: PaletteProvider = {
  title: () => SHELL_WORDS[language()].pages.chats,
  search: async (text) => {
    const { items } = await client.listConversations({ query: { q: text, limit: 5 } })
    return items.map(({ conversation_key, name, bot_name }) => ({
      id: conversation_key,
      title: name,
      ...(bot_name === null ? {} : { about: bot_name }),
      to: `/chats?chat=${encodeURIComponent(conversation_key)}`,
    }))
  },
}
