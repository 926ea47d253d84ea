/** Localised text of manifests: what authors may write, and the map that travels. */
import type { Locale } from '@runbound/protocol'

/** A text, or one per locale. A bare text counts as `en_US`, which is required in a map. */
export type LocalText = string | ({ readonly en_US: string } & { readonly [L in Locale]?: string })

/** Gives the map of locale to text that manifests carry. */
export function localised(text: LocalText): { readonly [locale: string]: string } {
  if (typeof text === 'string') return { en_US: text }
  // Locales in one fixed order, so that equal declarations give equal manifests.
  return Object.fromEntries(Object.entries(text).sort(([a], [b]) => (a < b ? -1 : 1)))
}
