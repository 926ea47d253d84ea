/** Texts of the runs page in simplified Chinese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const zhHans: Translation<typeof en> = {
  title: '运行',
  empty: '还没有运行',
  emptyAbout: '当事件到达智能体或插件处理器时，运行就会开始。请在聊天中说点什么。',
  goToChats: '前往聊天',
  status: '状态',
  input: '输入',
  by: '处理器',
  when: '时间',
  record: '记录',
}
