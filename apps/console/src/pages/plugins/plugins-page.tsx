/** The list of plugins: how each is and why, what waits for the operator, and the ways to add one. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { KeyRound, PackagePlus, Plug } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { cx } from '../../parts/class-names.ts'
import { PageHeader } from '../../parts/page.tsx'
import { Empty, Failure, SkeletonRows } from '../../parts/states.tsx'
import { TimeAgo } from '../../parts/time-ago.tsx'
import { DebugKeyDialog } from './debug-key-dialog.tsx'
import { InstallDialog } from './install-dialog.tsx'
import type { PluginsSearch } from './route.tsx'
import { BareBadge, type PluginStatus, StateBadge, sentence } from './state.tsx'
import { usePageWords } from './words/words.ts'

export function PluginsPage(): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const { add } = useSearch({ from: '/plugins' })
  const all = useRead('listPlugins', {})
  const open = (dialog: PluginsSearch['add']): void =>
    void navigate({ to: '/plugins', search: dialog === undefined ? {} : { add: dialog }, replace: true })
  const install = (
    <Button kind="primary" icon={PackagePlus} onClick={() => open('install')}>
      {words.install}
    </Button>
  )
  const items = (all.data?.items ?? []).toSorted((a, b) => a.plugin_id.localeCompare(b.plugin_id))
  return (
    <>
      <PageHeader
        title={words.title}
        actions={
          <>
            <Button icon={KeyRound} onClick={() => open('debug-key')}>
              {words.debugKey}
            </Button>
            {install}
          </>
        }
      />
      {all.isPending && <SkeletonRows tall />}
      {all.isError && <Failure error={all.error} onRetry={() => void all.refetch()} />}
      {all.isSuccess && items.length === 0 && (
        <Empty icon={Plug} title={words.empty} action={install}>
          {words.emptyAbout}
        </Empty>
      )}
      {items.length > 0 && (
        <ul aria-label={words.title} className="min-h-0 flex-1 overflow-y-auto">
          {items.map((one) => (
            <li key={one.installation_uuid}>
              <Row one={one} />
            </li>
          ))}
        </ul>
      )}
      {add === 'install' && <InstallDialog onClose={() => open(undefined)} />}
      {add === 'debug-key' && <DebugKeyDialog onClose={() => open(undefined)} />}
    </>
  )
}

function Row({ one }: { readonly one: PluginStatus }): ReactNode {
  const words = usePageWords()
  return (
    <Link
      to="/plugins/$installationUuid"
      params={{ installationUuid: one.installation_uuid }}
      className="quick flex min-h-14 items-center gap-3 border-line border-b px-4 py-2 hover:bg-ground-soft focus-visible:outline-offset-[-2px] max-wide:px-3"
    >
      <span className="flex size-8 flex-none items-center justify-center rounded-md bg-ground-hover text-ink-soft max-wide:hidden">
        <Plug className="icon" aria-hidden />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 truncate font-medium">{one.plugin_id}</span>
          <span className="flex-none text-ink-soft text-sm">{one.version}</span>
        </span>
        <span
          className={cx('truncate text-sm', one.state === 'failed' ? 'text-danger' : 'text-ink-soft')}
          title={one.message ?? undefined}
        >
          {one.message === null ? words.sources[one.source] : sentence(one.message)}
        </span>
      </span>
      <span className="flex flex-none items-center gap-2 max-wide:flex-col max-wide:items-end max-wide:gap-1">
        {one.restarts > 0 && <span className="text-ink-soft text-xs">{words.restarts(one.restarts)}</span>}
        <BareBadge {...one} />
        <StateBadge state={one.state} />
      </span>
      <span className="w-20 flex-none text-right text-ink-soft text-xs max-wide:hidden">
        <TimeAgo at={one.since} form="narrow" />
      </span>
    </Link>
  )
}
