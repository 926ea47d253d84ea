/** Texts of the chats page in simplified Chinese. */
import type { Translation } from '../../../words/languages.ts'
import type { en } from './en.ts'

export const zhHans: Translation<typeof en> = {
  title: '聊天',
  list: '会话',
  split: '列表宽度',
  filter: '按聊天或人员筛选',
  bot: '机器人',
  allBots: '所有机器人',
  tryIt: '试一试',
  choose: '选择一个会话',
  chooseAbout: '或者亲自对机器人说点什么，看看它如何回复。',
  empty: '还没有会话',
  emptyAbout: '一旦有人给机器人发消息，就会列在这里。',
  nothingFits: '没有匹配项',
  nothingFitsAbout: '没有这样命名的聊天或人员。',
  nothingSaid: '还没有消息',
  nothingSaidAbout: '消息在处理器开始处理后列出。',
  messages: '消息',
  newest: '最新',
  debug: '调试',
  someone: '某人',
  run: '运行',
  beganAnew: '会话从此处重新开始；运行看不到上面的内容。',
  ownTab: '在新标签页中打开',
  tryBot: (name) => `试用 ${name}`,
  running: (count) => `${count} 个运行进行中`,
  filterShort: '筛选',
  noAnswer: '没有回复',
  stillRunning: '运行中',
  /** How an answer went out, by what the host stored. */
  how: {
    message: '已发送',
    buffered: '一次性发送',
    'stream:finished': '流式发送',
    'stream:aborted': '流已中断',
    sentence: '主机的提示语',
    simulated: '模拟发送',
    resent: '已重新发送',
    after_restart: '重启后发送',
  },
}
