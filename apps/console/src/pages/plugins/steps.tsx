/** What can be done with a plugin: restart, enable, disable, remove. What ends something asks once, naming it. */
import { useNavigate } from '@tanstack/react-router'
import { CirclePause, CirclePlay, Ellipsis, RotateCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useStep } from '../../data/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Confirm } from '../../parts/dialog.tsx'
import { Menu, type MenuItem } from '../../parts/menu.tsx'
import { Switch } from '../../parts/switch.tsx'
import type { Installation, PluginStatus } from './state.tsx'
import { usePageWords } from './words/words.ts'

export interface StepsProps {
  readonly installation: Installation
  readonly status: PluginStatus
}

const REFRESHES = ['listPlugins', 'getPlugin', 'listRunners', 'status'] as const

export function Steps({ installation, status }: StepsProps): ReactNode {
  const words = usePageWords()
  const params = { installation_uuid: installation.installation_uuid }
  const [asking, setAsking] = useState<'disable' | 'remove' | null>(null)
  const restart = useStep('restartPlugin', { done: words.restarted, refreshes: REFRESHES })
  const enable = useStep('enablePlugin', { done: words.enabled, refreshes: REFRESHES })
  const runs = ['ready', 'failed', 'stopped', 'starting', 'backing_off'].includes(status.state)
  // A development session ends; what its author started elsewhere or the host ships can't be removed here.
  const removable = installation.source === 'package' || installation.source === 'dev'
  const items: readonly MenuItem[] = [
    installation.enabled
      ? { id: 'disable', label: words.disable, icon: CirclePause, run: () => setAsking('disable') }
      : { id: 'enable', label: words.enable, icon: CirclePlay, run: () => enable.mutate({ params }) },
  ]
  const ending: readonly MenuItem[] = removable
    ? [
        {
          id: 'remove',
          label: installation.source === 'dev' ? words.endSession : words.remove,
          icon: Trash2,
          danger: true,
          run: () => setAsking('remove'),
        },
      ]
    : []
  return (
    <>
      {runs && installation.enabled && installation.source !== 'debug' && (
        <Button icon={RotateCw} busy={restart.isPending} onClick={() => restart.mutate({ params })}>
          <span className="max-wide:sr-only">{words.restart}</span>
        </Button>
      )}
      <Menu label={words.more} groups={[items, ending]}>
        {(trigger) => <IconButton icon={Ellipsis} label={words.more} {...trigger} />}
      </Menu>
      {asking === 'disable' && <Disable installation={installation} onClose={() => setAsking(null)} />}
      {asking === 'remove' && <Remove installation={installation} onClose={() => setAsking(null)} />}
    </>
  )
}

interface AskProps {
  readonly installation: Installation
  readonly onClose: () => void
}

function Disable({ installation, onClose }: AskProps): ReactNode {
  const words = usePageWords()
  const disable = useStep('disablePlugin', { done: words.disabled, refreshes: REFRESHES, onDone: onClose })
  return (
    <Confirm
      title={words.disableTitle(installation.plugin_id)}
      verb={words.disable}
      busy={disable.isPending}
      onConfirm={() => disable.mutate({ params: { installation_uuid: installation.installation_uuid } })}
      onClose={onClose}
    >
      <p>{words.disableAbout}</p>
    </Confirm>
  )
}

function Remove({ installation, onClose }: AskProps): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const [data, setData] = useState(false)
  const params = { installation_uuid: installation.installation_uuid }
  const away = { done: words.removed, onDone: () => void navigate({ to: '/plugins' }) }
  const remove = useStep('removePlugin', { ...away, refreshes: ['listPlugins', 'listRunners', 'status'] })
  const end = useStep('endDevPlugin', { ...away, refreshes: ['listPlugins', 'listRunners', 'status'] })
  if (installation.source === 'dev')
    return (
      <Confirm
        title={words.endTitle(installation.plugin_id)}
        verb={words.endSession}
        busy={end.isPending}
        onConfirm={() => end.mutate({ params })}
        onClose={onClose}
      >
        <p>{words.endAbout}</p>
      </Confirm>
    )
  return (
    <Confirm
      title={words.removeTitle(installation.plugin_id)}
      verb={words.remove}
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params, query: { data: data ? 'true' : 'false' } })}
      onClose={onClose}
    >
      <p className="mb-4">{words.removeAbout}</p>
      <Switch label={words.removeData} help={words.removeDataHelp} checked={data} onChange={setData} />
    </Confirm>
  )
}
