/** Texts of the agents page in simplified Chinese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const zhHans: Translation<typeof en> = {
  title: '智能体',
  empty: '还没有智能体',
  emptyAbout: '智能体是插件的 Runner 加上配置和授权。',
  name: '名称',
  runner: '运行器',
  kind: '类型',
  state: '状态',
  record: '智能体',
}
