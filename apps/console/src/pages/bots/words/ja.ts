/** Texts of the bots page in Japanese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  title: 'ボット',
  empty: 'まだボットはありません',
  emptyAbout: 'ボットはプラットフォーム上のアカウントです。runbound apply で追加します。',
  name: '名前',
  platform: 'プラットフォーム',
  state: '状態',
  record: 'ボット',
}
