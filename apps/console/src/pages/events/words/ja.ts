/** Texts of the events page in Japanese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  title: 'イベント',
  empty: 'まだイベントはありません',
  emptyAbout: 'ボットに届いたものがすべて、応答の有無とその理由とともにここに並びます。',
  goToChats: 'チャットへ',
  type: 'イベント',
  text: '本文',
  why: '結果',
  when: '日時',
  record: 'イベント',
}
