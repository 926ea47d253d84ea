/** Texts of the plugins page in Japanese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  title: 'プラグイン',
  empty: 'まだプラグインはありません',
  emptyAbout: 'runbound plugin new で作り、runbound dev で動かします。',
  name: 'プラグイン',
  version: 'バージョン',
  state: '状態',
  source: '入手元',
  record: 'プラグイン',
}
