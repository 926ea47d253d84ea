/** The shell's own catalogue, in the language shown. */
import { en } from './en.ts'
import { ja } from './ja.ts'
import { type Catalogue, type Translation, useCatalogue } from './languages.ts'
import { zhHans } from './zh-hans.ts'

export type Words = Translation<typeof en>

/** Complete in every language; words.test.ts proves it for this one and for those of pages. */
export const SHELL_WORDS: Catalogue<typeof en> = { en, 'zh-Hans': zhHans, ja }

/** Texts of the shell and of parts. */
export function useWords(): Words {
  return useCatalogue(SHELL_WORDS)
}
