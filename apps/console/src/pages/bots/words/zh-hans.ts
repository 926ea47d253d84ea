/** Texts of the bots page in simplified Chinese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const zhHans: Translation<typeof en> = {
  title: '机器人',
  empty: '还没有机器人',
  emptyAbout: '机器人是平台上的一个账户。使用 runbound apply 添加。',
  name: '名称',
  platform: '平台',
  state: '状态',
  record: '机器人',
}
