/** What the palette finds of runs: the beginning of a run id, words of the message. */
import { client } from '../../data/client.ts'
import type { PaletteProvider } from '../../palette/providers.ts'
import { language } from '../../words/languages.ts'
import { runStatusWord } from '../../words/run-status.ts'
import { WORDS } from './words/words.ts'

export const provider: PaletteProvider = {
  title: () => WORDS[language()].title,
  search: async (text) => {
    const { items } = await client.listRuns({ query: { q: text, limit: 5 } })
    return items.map(({ run_id, status, view }) => ({
      id: run_id,
      title: view.input ?? view.event_type ?? run_id,
      about: [run_id.slice(0, 8), view.processor_name ?? view.runner_name, runStatusWord(status, language())].join(
        ' · ',
      ),
      to: `/runs/${run_id}`,
    }))
  },
}
