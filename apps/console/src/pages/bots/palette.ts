/** What the palette finds of bots. */
import { client } from '../../data/client.ts'
import { bestOf, type PaletteProvider } from '../../palette/providers.ts'
import { language } from '../../words/languages.ts'
import { SHELL_WORDS } from '../../words/words.ts'

export const provider: PaletteProvider = {
  title: () => SHELL_WORDS[language()].pages.bots,
  search: async (text) => {
    const { items } = await client.listBots()
    return bestOf(
      items.map((bot) => ({
        id: bot.bot_uuid,
        title: bot.name,
        about: bot.platform,
        to: `/bots/${bot.bot_uuid}`,
      })),
      text,
    )
  },
}
