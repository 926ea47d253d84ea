/** Texts of the events page in simplified Chinese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const zhHans: Translation<typeof en> = {
  title: '事件',
  empty: '还没有事件',
  emptyAbout: '到达机器人的一切都会列在这里，并说明是否回复及原因。',
  goToChats: '前往聊天',
  type: '事件',
  text: '文本',
  why: '结果',
  when: '时间',
  record: '事件',
}
