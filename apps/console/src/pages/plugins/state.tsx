/** How a plugin is: one word in the colour of its news, and in a sentence why. */
import { ShieldOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '../../data/client.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { usePageWords } from './words/words.ts'

export type PluginStatus = Output<'pluginStatus'>
export type Installation = Output<'getPlugin'>
export type Permission = Output<'pluginPermissions'>['items'][number]

const TONES: Readonly<Record<PluginStatus['state'], Tone>> = {
  ready: 'ok',
  starting: 'info',
  backing_off: 'warn',
  failed: 'danger',
  stopped: 'neutral',
  disabled: 'neutral',
  not_approved: 'warn',
}

export function StateBadge({ state }: { readonly state: PluginStatus['state'] }): ReactNode {
  const words = usePageWords()
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>
}

/** True where the plugin runs, or would run, with the rights of the host itself. */
export function isBare({ isolation, source }: Pick<PluginStatus, 'isolation' | 'source'>): boolean {
  return source === 'package' && isolation.startsWith('not isolated')
}

export function BareBadge(status: Pick<PluginStatus, 'isolation' | 'source'>): ReactNode {
  const words = usePageWords()
  if (!isBare(status)) return null
  return (
    <Badge tone="warn" icon={ShieldOff} title={status.isolation}>
      {words.notIsolated}
    </Badge>
  )
}

/** The host's sentence, as one begins. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
