/** Texts of the settings page in Japanese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  title: '設定',
  appearance: '外観',
  theme: 'テーマ',
  language: '言語',
  storedHere: 'このブラウザーに保存されます。',
}
