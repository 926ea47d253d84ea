/** What the palette finds of agents. */
import { client } from '../../data/client.ts'
import { bestOf, type PaletteProvider } from '../../palette/providers.ts'
import { language } from '../../words/languages.ts'
import { SHELL_WORDS } from '../../words/words.ts'

export const provider: PaletteProvider = {
  title: () => SHELL_WORDS[language()].pages.agents,
  search: async (text) => {
    const { items } = await client.listProcessors()
    return bestOf(
      items.map((one) => ({
        id: one.processor_id,
        title: one.name,
        about: one.runner_id,
        to: `/agents/${one.processor_id}`,
      })),
      text,
    )
  },
}
