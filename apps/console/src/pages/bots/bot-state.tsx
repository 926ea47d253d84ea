/** How a bot is, in a word. */
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { usePageWords } from './words/words.ts'

export type BotItem = Output<'listBots'>['items'][number]

const TONES: Readonly<Record<BotItem['state'], Tone>> = {
  running: 'ok',
  starting: 'info',
  failed: 'danger',
  stopped: 'neutral',
}

export function BotState({ bot }: { readonly bot: BotItem }): ReactNode {
  const words = usePageWords()
  return (
    <Badge tone={TONES[bot.state]} {...(bot.message === null ? {} : { title: bot.message })}>
      {bot.enabled ? words.states[bot.state] : words.switchedOff}
    </Badge>
  )
}
