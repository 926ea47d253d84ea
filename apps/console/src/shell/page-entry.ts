/** What a page tells the shell about itself: its place in the rail, and what the palette can find of it. */
import type { LucideIcon } from 'lucide-react'
import type { PaletteProvider } from '../palette/providers.ts'
import type { en } from '../words/en.ts'

export interface PageEntry {
  readonly id: keyof typeof en.pages
  /** Where its entry in the rail leads. */
  readonly path: string
  readonly icon: LucideIcon
  /** Loaded when the palette opens for the first time. */
  readonly palette?: () => Promise<PaletteProvider>
}
