/** What the palette finds of runs: the beginning of a run id, words of the message. */
import { client } from '../../data/client.ts'
import type { PaletteProvider } from '../../palette/providers.ts'
import { language } from '../../words/languages.ts'
import { SHELL_WORDS } from '../../words/words.ts'

export const provider: PaletteProvider = {
  title: () => SHELL_WORDS[language()].pages.runs,
  search: async (text) => {
    const { items } = await client.listRuns({ query: { q: text, limit: 5 } })
    return items.map(({ run_id, status, view }) => ({
      id: run_id,
      title: view.input ?? run_id,
      about: `${view.processor_name ?? view.runner_name} · ${status}`,
      to: `/runs/${run_id}`,
    }))
  },
}
