/** Texts of the chats page in Japanese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  title: 'チャット',
  list: '会話',
  split: 'リストの幅',
  filter: 'チャットや人で絞り込む',
  bot: 'ボット',
  allBots: 'すべてのボット',
  tryIt: '試す',
  choose: '会話を選んでください',
  chooseAbout: 'または自分でボットに話しかけて、返事を見てみましょう。',
  empty: 'まだ会話はありません',
  emptyAbout: 'だれかがボットに書き込むと、ここに並びます。',
  nothingFits: '一致するものはありません',
  nothingFitsAbout: 'その名前のチャットや人はありません。',
  nothingSaid: 'まだ何も話されていません',
  nothingSaidAbout: 'メッセージはプロセッサーが扱い始めると並びます。',
  messages: 'メッセージ',
  newest: '最新へ',
  debug: 'デバッグ',
  someone: 'だれか',
  run: '実行',
  beganAnew: '会話はここから新しく始まりました。これより上は実行から見えません。',
  ownTab: '別のタブで開く',
  tryBot: (name) => `${name} を試す`,
  running: (count) => `${count} 件の実行が進行中`,
  filterShort: '絞り込む',
  noAnswer: '返事なし',
  stillRunning: '実行中',
  /** How an answer went out, by what the host stored. */
  how: {
    message: '送信済み',
    buffered: '一括送信',
    'stream:finished': 'ストリーム送信',
    'stream:aborted': 'ストリーム中断',
    sentence: 'ホストの定型文',
    simulated: 'シミュレーション',
    resent: '再送',
    after_restart: '再起動後に送信',
  },
}
