/** Texts of the runs page in Japanese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  title: '実行',
  empty: 'まだ実行はありません',
  emptyAbout:
    'イベントがエージェントまたはプラグインプロセッサーに届くと実行が始まります。チャットで何か話してみてください。',
  goToChats: 'チャットへ',
  status: '状態',
  input: '入力',
  by: 'プロセッサー',
  when: '日時',
  record: '記録',
}
