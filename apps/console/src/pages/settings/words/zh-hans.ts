/** Texts of the settings page in simplified Chinese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const zhHans: Translation<typeof en> = {
  title: '设置',
  appearance: '外观',
  theme: '主题',
  language: '语言',
  storedHere: '保存在此浏览器中。',
}
