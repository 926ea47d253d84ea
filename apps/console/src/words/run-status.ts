/** States of runs in words: the same on every page that shows one. */
import { type Language, useLanguage } from './languages.ts'
import { SHELL_WORDS } from './words.ts'

/** The word of a state; one that this console does not know is said as it came. */
export function runStatusWord(status: string, language: Language): string {
  return new Map(Object.entries(SHELL_WORDS[language].runStatuses)).get(status) ?? status
}

/** Gives words of states in the language shown. */
export function useRunStatusWord(): (status: string) => string {
  const language = useLanguage()
  return (status) => runStatusWord(status, language)
}
