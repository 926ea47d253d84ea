/** Texts of forms, in the language shown. */
import { type Catalogue, type Translation, useCatalogue } from '../../words/languages.ts'
import { en } from './en.ts'
import { ja } from './ja.ts'
import { zhHans } from './zh-hans.ts'

export type FormWords = Translation<typeof en>

export const WORDS: Catalogue<typeof en> = { en, 'zh-Hans': zhHans, ja }

export function useFormWords(): FormWords {
  return useCatalogue(WORDS)
}
