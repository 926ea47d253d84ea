/** What the palette finds of plugins. */
import { client } from '../../data/client.ts'
import { bestOf, type PaletteProvider } from '../../palette/providers.ts'
import { language } from '../../words/languages.ts'
import { SHELL_WORDS } from '../../words/words.ts'

export const provider: PaletteProvider = {
  title: () => SHELL_WORDS[language()].pages.plugins,
  search: async (text) => {
    const { items } = await client.listPlugins()
    return bestOf(
      items.map((one) => ({
        id: one.installation_uuid,
        title: one.plugin_id,
        about: one.version,
        to: `/plugins/${one.installation_uuid}`,
      })),
      text,
    )
  },
}
