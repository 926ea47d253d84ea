/** Light, dark, or as the system says; stored under the key that the web chat reads too, so that an embedded one follows. */
import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'runbound-theme'
const listeners = new Set<() => void>()

/** The stored choice; `system` where none is stored or storage is closed. */
export function theme(): Theme {
  const stored = read()
  return THEMES.find((known) => known === stored) ?? 'system'
}

/** Stores a choice and shows it at once, here and in every other open page of this host. */
export function setTheme(next: Theme): void {
  try {
    if (next === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  show(next)
  for (const listener of listeners) listener()
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  const elsewhere = (event: StorageEvent): void => {
    if (event.key !== KEY) return
    show(theme())
    listener()
  }
  window.addEventListener('storage', elsewhere)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', elsewhere)
  }
}

function show(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
