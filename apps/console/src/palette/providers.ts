/** What the palette can find: pages hand in a provider; the palette asks all of them at once. */

export interface PaletteItem {
  readonly id: string
  readonly title: string
  /** Smaller, behind the title. */
  readonly about?: string
  /** Where it leads, within the console: `/runs/<id>`. */
  readonly to: string
}

export interface PaletteProvider {
  /** Over its results, in the language shown; called at each look. */
  readonly title: () => string
  /** At most a handful, best first. Rejecting is treated as nothing found. `text` is never empty. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly PaletteItem[]>
}

/** How well a name fits what was typed: null for not at all, smaller is better. */
export function fit(name: string, text: string): number | null {
  const [all, wanted] = [name.toLowerCase(), text.trim().toLowerCase()]
  const at = all.indexOf(wanted)
  if (at === 0) return 0
  if (at > 0) return /\W/.test(all.charAt(at - 1)) ? 1 : 2
  let from = 0
  for (const letter of wanted) {
    from = all.indexOf(letter, from) + 1
    if (from === 0) return null
  }
  return 3
}

/** The items whose titles fit, best first, at most `most`. */
export function bestOf(items: readonly PaletteItem[], text: string, most = 6): PaletteItem[] {
  return items
    .map((item) => ({ item, rank: fit(`${item.title} ${item.about ?? ''}`, text) }))
    .filter((found): found is { item: PaletteItem; rank: number } => found.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ item }) => item)
}
