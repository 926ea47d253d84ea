/** Texts of the agents page in Japanese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  title: 'エージェント',
  empty: 'まだエージェントはありません',
  emptyAbout: 'エージェントは、プラグインの Runner に設定と許可を加えたものです。',
  name: '名前',
  runner: 'ランナー',
  kind: '種類',
  state: '状態',
  record: 'エージェント',
}
