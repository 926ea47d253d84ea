/** Asks every provider, a moment after the last key; answers of an older text are thrown away. */
import { useEffect, useState } from 'react'
import { PAGES } from '../pages/registry.ts'
import type { Words } from '../words/words.ts'
import { bestOf, type PaletteItem } from './providers.ts'

export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

const PAUSE_MS = 120

export interface PaletteResults {
  readonly groups: readonly PaletteGroup[]
  readonly searching: boolean
}

export function useResults(text: string, words: Words): PaletteResults {
  const [found, setFound] = useState<{ readonly of: string; readonly groups: readonly PaletteGroup[] }>({
    of: '',
    groups: [],
  })
  const wanted = text.trim()

  useEffect(() => {
    if (wanted === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      void Promise.all(PAGES.map(async (page) => ask(page.palette, wanted, stop.signal))).then((groups) => {
        if (!stop.signal.aborted) setFound({ of: wanted, groups: groups.filter(({ items }) => items.length > 0) })
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [wanted])

  const pages = PAGES.map(({ id, path }) => ({ id, title: words.pages[id], to: path }))
  const own = wanted === '' ? pages : bestOf(pages, wanted)
  const others = wanted === '' || found.of !== wanted ? [] : found.groups
  return {
    groups: [...(own.length === 0 ? [] : [{ title: words.palette.groupPages, items: own }]), ...others],
    searching: wanted !== '' && found.of !== wanted,
  }
}

async function ask(load: (typeof PAGES)[number]['palette'], text: string, signal: AbortSignal): Promise<PaletteGroup> {
  try {
    const provider = await load?.()
    if (provider === undefined) return { title: '', items: [] }
    return { title: provider.title(), items: await provider.search(text, signal) }
  } catch {
    // One page that can't be asked does not hide what the others found.
    return { title: '', items: [] }
  }
}
