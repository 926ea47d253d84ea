/** Which languages there are, which one is shown, and how a catalogue is read in it. */
import { useSyncExternalStore } from 'react'

export const LANGUAGES = ['en', 'zh-Hans', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', 'zh-Hans': '简体中文', ja: '日本語' }

/** The shape that every translation of a catalogue must have: the same keys, functions with the same arguments. */
export type Translation<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...args: infer A) => string
      ? (...args: A) => string
      : Translation<T[K]>
}

/** One catalogue in every language. */
export type Catalogue<T> = Readonly<Record<Language, Translation<T>>>

const KEY = 'runbound-language'
const listeners = new Set<() => void>()
let chosen: Language | undefined

/** The stored language, else the first of the browser's that there is, else English. */
export function language(): Language {
  chosen ??= stored() ?? preferred()
  return chosen
}

/** Stores a language and shows it at once. */
export function setLanguage(next: Language): void {
  chosen = next
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, language)
}

/** The texts of a catalogue in the language shown. */
export function useCatalogue<T>(catalogue: Catalogue<T>): Translation<T> {
  return catalogue[useLanguage()]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stored(): Language | undefined {
  try {
    return LANGUAGES.find((known) => known === localStorage.getItem(KEY))
  } catch {
    return undefined
  }
}

function preferred(): Language {
  for (const wanted of navigator.languages) {
    if (wanted.startsWith('zh')) return 'zh-Hans'
    const known = LANGUAGES.find((one) => wanted === one || wanted.startsWith(`${one}-`))
    if (known !== undefined) return known
  }
  return 'en'
}
