/** What the palette finds of events: words of a message, its link, its id. */
import { client } from '../../data/client.ts'
import type { PaletteProvider } from '../../palette/providers.ts'
import { language } from '../../words/languages.ts'
import { SHELL_WORDS } from '../../words/words.ts'

export const provider: PaletteProvider = {
  title: () => SHELL_WORDS[language()].pages.events,
  search: async (text) => {
    const { items } = await client.listEvents({ query: { q: text, limit: 5 } })
    return items.map((event) => ({
      id: event.event_id,
      title: event.text ?? event.event_type,
      about: event.actor_name ?? event.event_type,
      to: `/events/${event.event_id}`,
    }))
  },
}
