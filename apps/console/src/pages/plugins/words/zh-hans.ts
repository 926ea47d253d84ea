/** Texts of the plugins page in simplified Chinese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const zhHans: Translation<typeof en> = {
  title: '插件',
  empty: '还没有插件',
  emptyAbout: '使用 runbound plugin new 创建插件，并用 runbound dev 运行。',
  name: '插件',
  version: '版本',
  state: '状态',
  source: '来源',
  record: '插件',
}
