/** One plugin: how it is and why, its parts by tab, and what can be done with it. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRead } from '../../data/queries.ts'
import { PageBody, PageHeader } from '../../parts/page.tsx'
import { Failure, SkeletonRows } from '../../parts/states.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Logs } from './logs.tsx'
import { Notice } from './notice.tsx'
import { Overview } from './overview.tsx'
import { Permissions } from './permissions.tsx'
import { type PluginSearch, TABS } from './route.tsx'
import { Settings } from './settings.tsx'
import { type Installation, type PluginStatus, StateBadge } from './state.tsx'
import { Steps } from './steps.tsx'
import { usePageWords } from './words/words.ts'

export function PluginPage(): ReactNode {
  const words = usePageWords()
  const { installationUuid } = useParams({ from: '/plugins/$installationUuid' })
  const params = { installation_uuid: installationUuid }
  const installation = useRead('getPlugin', { params })
  // The list is what live changes keep fresh; the plugin's own line of it says how it is now.
  const all = useRead('listPlugins', {})
  const status = all.data?.items.find(({ installation_uuid }) => installation_uuid === installationUuid)
  const one = installation.data
  const failed = installation.error ?? all.error
  return (
    <>
      <PageHeader
        title={one?.plugin_id ?? words.title}
        back="/plugins"
        {...(one === undefined
          ? {}
          : {
              about: (
                <>
                  <span className="text-sm max-wide:hidden">{one.version}</span>
                  {status !== undefined && <StateBadge state={status.state} />}
                </>
              ),
            })}
        {...(one === undefined || status === undefined
          ? {}
          : { actions: <Steps installation={one} status={status} /> })}
      />
      {failed !== null && (
        <Failure
          error={failed}
          onRetry={() => {
            void installation.refetch()
            void all.refetch()
          }}
        />
      )}
      {failed === null && (one === undefined || status === undefined) && <SkeletonRows />}
      {failed === null && one !== undefined && status !== undefined && (
        <>
          <Notice installation={one} status={status} />
          <Parts installation={one} status={status} />
        </>
      )}
    </>
  )
}

interface PartsProps {
  readonly installation: Installation
  readonly status: PluginStatus
}

function Parts({ installation, status }: PartsProps): ReactNode {
  const words = usePageWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/plugins/$installationUuid' })
  const tab = search.tab ?? 'overview'
  const go = (next: PluginSearch): void =>
    void navigate({
      to: '/plugins/$installationUuid',
      params: { installationUuid: installation.installation_uuid },
      search: next,
      replace: true,
    })
  return (
    <Tabs
      label={words.sections}
      tabs={TABS.map((value) => ({ value, label: words.tabs[value] }))}
      value={tab}
      onValue={(value) => go(value === 'overview' ? {} : { tab: value })}
    >
      {tab === 'overview' && (
        <PageBody text>
          <Overview installation={installation} status={status} />
        </PageBody>
      )}
      {tab === 'permissions' && (
        <PageBody text>
          <Permissions installation={installation} status={status} />
        </PageBody>
      )}
      {tab === 'settings' && (
        <Settings
          key={installation.installation_uuid}
          installation={installation}
          yaml={search.yaml === true}
          onYaml={(yaml) => go(yaml ? { tab: 'settings', yaml } : { tab: 'settings' })}
        />
      )}
      {tab === 'logs' && <Logs installationUuid={installation.installation_uuid} search={search} go={go} />}
    </Tabs>
  )
}
